/**
 * The PDFs with which other projects test their programs (qpdf, pdf.js, PDFBox, pypdf and others; from Debian's source
 * packages) are uploaded and assigned to an edition, one after another. Each is either refused with a sentence, or a
 * reader's copy opens in pdf.js with all pages and the reader's watermark on the first page. Each gets a thumbnail or the
 * answer that there is none. The server must not restart, and its memory must stay within a limit. In the short form: 20
 * PDFs of qpdf. `--folder PATH` tests the PDFs of a folder.
 * Control: with a server that writes an empty watermark, the copies lack it.
 */
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { ShelfEdition } from '#contract/book/shelf.ts';
import type { Node } from '#contract/files/files.ts';
import { capture } from '../../scripts/setup/processes.mjs';
import { makeTemporaryFolder } from '../../scripts/setup/temporary-folder.mjs';
import { addFile, addFolder, addReader, findNode, memberPassword } from '../support/browser/seeding.ts';
import { type Client, createClient, signInOwner } from '../support/services/server-client.ts';
import { checkControl, finishTest, isShort, printLine } from './support/report.ts';
import { memoryMb, openServer } from './support/server.ts';
import { type Rewrite, withVariant } from './support/server-variant.ts';

const packages = isShort ? ['qpdf'] : ['qpdf', 'pdf.js', 'libpdfbox2-java', 'pypdf', 'pdfminer', 'pikepdf'];
const shortCount = 20;
const controlCount = 3;
const maxGrowthMb = 200;
const key = 'part-1-en';
const readerEmail = 'reader@example.com';
const copyTimeoutMs = 60_000;

const folderAt = process.argv.indexOf('--folder');
const all = await listPdfs(folderAt === -1 ? await fetchSources() : (process.argv[folderAt + 1] ?? ''));
const files = isShort ? all.filter((_, at) => at % Math.ceil(all.length / shortCount) === 0) : all;

const { faults, outcomes, growthMb } = await runScenario(files);
printLine(
	`${files.length} PDFs of ${all.length}: ${outcomes}; the memory of the server grew by ${growthMb} MB at most`,
);
if (growthMb > maxGrowthMb) faults.push(`the memory of the server grew by ${growthMb} MB`);
const emptyWatermark: Rewrite = {
	file: 'platform/pdf/watermark-line.ts',
	find: /return \(maxWidthPerPoint\) => \{/u,
	replace: 'return (maxWidthPerPoint) => {\n\t\tif (maxWidthPerPoint > 0) return [];',
};
const control = await withVariant('empty-watermark', [emptyWatermark], (dist) =>
	runScenario(files.slice(0, controlCount), dist),
);
printLine(`control, an empty watermark: ${control.faults.length} faults, such as: ${control.faults[0] ?? 'none'}`);
faults.push(...checkControl(control.faults, /lacks the watermark/u));
finishTest(faults);

/** Downloads Debian's source packages and extracts their PDFs. @returns the folder */
async function fetchSources(): Promise<string> {
	const folder = makeTemporaryFolder('folio-pdfs-');
	// Reads the package sources of the machine as `deb-src`, with lists in this folder, so that root is not needed. Without
	// the security archive, because mirrors of it lack sources.
	const script = `
		set -e
		apt-get indextargets --format 'deb-src [trusted=yes] $(REPO_URI) $(RELEASE) main' 'Created-By: Packages' 'Origin: Debian' 'Component: main' | sort -u | grep -v -- '-security ' > sources
		mkdir -p lists/partial cache/archives/partial
		options="-o Dir::Etc::SourceList=$PWD/sources -o Dir::Etc::SourceParts=- -o Dir::State::Lists=$PWD/lists -o Dir::Cache=$PWD/cache"
		apt-get $options -q update
		apt-get $options -q source --download-only ${packages.join(' ')}
		for archive in *.orig.tar.*; do case $archive in *.asc) ;; *) tar xf "$archive" --wildcards '*.pdf' ;; esac; done`;
	const { code, output } = await capture('sh', ['-c', script], { cwd: folder });
	if (code !== 0) throw new Error(`The source packages ${packages.join(', ')} cannot be fetched: ${output}`);
	return folder;
}

async function listPdfs(folder: string): Promise<string[]> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	const found = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.pdf'));
	return found.map(({ parentPath, name }) => join(parentPath, name)).sort();
}

async function runScenario(paths: string[], dist?: string) {
	await using server = await openServer(dist, { RATE_LIMIT_FACTOR: '1000' });
	const owner = await signInOwner(server.url);
	await addReader(owner, readerEmail);
	const reader = createClient(server.url);
	await reader.signIn(readerEmail, memberPassword);
	const faults: string[] = [];
	const counts = new Map<string, number>();
	const pid = server.pid();
	const before = await memoryMb(server, 'VmRSS');
	for (const [at, path] of paths.entries()) {
		const { outcome, fault } = await tryPdf(owner, reader, path, at).catch((error: unknown) => ({
			outcome: 'fault',
			fault: String(error),
		}));
		counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
		if (fault !== undefined) faults.push(`${basename(path)}: ${fault}`);
	}
	if (server.pid() !== pid) faults.push('the server was started again');
	const outcomes = [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ');
	return { faults, outcomes, growthMb: (await memoryMb(server, 'VmHWM')) - before };
}

async function tryPdf(owner: Client, reader: Client, path: string, at: number) {
	const name = basename(path);
	const folder = (await addFolder(owner, 'book', String(at))).realPath ?? '';
	await addFile(owner, 'book', name, await readFile(path), folder);
	const node = await findNode(owner, 'book', name, folder);
	const thumb = await awaitThumbnail(owner, node, folder);
	const book = await owner.get<object>('/api/settings/book');
	const editions = [{ key, fileId: node.id }];
	const saved = await owner.request('/api/settings/book', {
		method: 'PUT',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ ...book, editions }),
	});
	if (saved.status !== 200) {
		const { fields } = (await saved.json()) as { fields?: Record<string, string> };
		const sentence = fields?.[`editions.${key}`];
		return sentence === undefined
			? { outcome: 'refused without a sentence', fault: `refused with ${saved.status}` }
			: { outcome: `refused (${sentence.slice(0, 30)} …)`, fault: thumb };
	}
	const edition = await awaitCopy(reader);
	if (edition?.copy.state === 'failed') {
		const { editions: offered } = await owner.get<{ editions: Array<{ problem: string | null }> }>(
			'/api/settings/book',
		);
		const problem = offered[0]?.problem;
		return { outcome: `accepted, later refused (${problem?.slice(0, 30)} …)`, fault: problem ? thumb : 'no reason' };
	}
	if (edition?.copy.state !== 'ready') return { outcome: 'without a copy', fault: 'neither refused nor copied' };
	const bytes = Buffer.from(await (await reader.request(edition.url)).arrayBuffer());
	return { outcome: 'readable', fault: (await findFault(bytes, edition)) ?? thumb };
}

/** Requests the thumbnail until it is there or the server says that there is none. @returns a fault */
async function awaitThumbnail(owner: Client, { id, name }: Node, folder: string): Promise<string | undefined> {
	const giveUpAt = performance.now() + copyTimeoutMs;
	while (performance.now() < giveUpAt) {
		const { thumb } = await findNode(owner, 'book', name, folder);
		if (thumb === null) return;
		const answer = await owner.request(`/api/files/${id}/thumb`);
		await answer.arrayBuffer();
		if (answer.status === 200) return;
		await sleep(50);
	}
	return 'no thumbnail and no answer that there is none';
}

/** Waits until the reader's copy of the edition is ready or has failed. */
async function awaitCopy(reader: Client): Promise<ShelfEdition | undefined> {
	const giveUpAt = performance.now() + copyTimeoutMs;
	for (;;) {
		const { editions } = await reader.get<{ editions: ShelfEdition[] }>('/api/shelf');
		const edition = editions.find((one) => one.key === key);
		if (edition?.copy.state !== 'making' || performance.now() > giveUpAt) return edition;
		await sleep(50);
	}
}

/** Opens a copy as the reader's screen does. @returns a fault */
async function findFault(bytes: Buffer, { pageCount }: ShelfEdition): Promise<string | undefined> {
	const task = getDocument({ data: new Uint8Array(bytes), verbosity: VerbosityLevel.ERRORS });
	try {
		const document = await task.promise;
		if (document.numPages !== pageCount) return `${document.numPages} pages in pdf.js, ${pageCount} in the shelf`;
		const page = await document.getPage(1);
		await page.getOperatorList();
		const { items } = await page.getTextContent();
		const text = items.map((item) => ('str' in item ? item.str : '')).join('');
		return text.includes('re…@example.com') ? undefined : 'the first page lacks the watermark of the reader';
	} catch (error) {
		return `pdf.js cannot open the copy: ${error}`;
	} finally {
		await task.destroy();
	}
}
