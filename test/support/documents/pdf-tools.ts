import { execFile } from 'node:child_process';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { requireProgram } from '../../../scripts/services/debian-packages.mjs';

const run = promisify(execFile);

const poppler = { name: 'pdftotext', packages: ['poppler-utils'], purpose: 'Tests read the text of PDFs with poppler' };
const qpdf = { name: 'qpdf', packages: ['qpdf'], purpose: 'Tests check and encrypt PDFs with qpdf' };

async function withFile<T>(pdf: Buffer, work: (file: string, folder: string) => Promise<T>): Promise<T> {
	await using folder = await mkdtempDisposable(join(tmpdir(), 'folio-pdf-'));
	const file = join(folder.path, 'file.pdf');
	await writeFile(file, pdf);
	return await work(file, folder.path);
}

async function pdfToText(pdf: Buffer, ...options: string[]): Promise<string> {
	const program = await requireProgram(poppler);
	return withFile(pdf, async (file) => {
		const { stdout } = await run(program, [...options, file, '-'], { maxBuffer: 256 * 1024 * 1024 });
		return stdout;
	});
}

/** Returns the text of each page, ordered by layout or by content stream (`raw`). */
export async function readPages(pdf: Buffer, order: 'layout' | 'raw' = 'layout'): Promise<string[]> {
	return (await pdfToText(pdf, `-${order}`)).split('\f').slice(0, -1);
}

export type PositionedWord = Awaited<ReturnType<typeof readWordPositions>>[number]['words'][number];

/** Reads the words of each page, with their positions on the displayed page in points from the top left corner. */
export async function readWordPositions(pdf: Buffer) {
	const [, ...pages] = (await pdfToText(pdf, '-bbox', '-cropbox')).split('<page ');
	return pages.map((page) => {
		const [width = 0, height = 0] = numbersOf(page.slice(0, page.indexOf('>')));
		const words = [...page.matchAll(/<word (?<edges>[^>]+)>(?<text>[^<]*)</gu)].map(({ groups }) => {
			const [left = 0, top = 0, right = 0, bottom = 0] = numbersOf(groups?.edges ?? '');
			return { text: groups?.text ?? '', left, top, right, bottom };
		});
		return { width, height, words };
	});
}

function numbersOf(attributes: string): number[] {
	return [...attributes.matchAll(/="([-\d.]+)"/gu)].map(([, value]) => Number(value));
}

/** Finds the first position of a word on each page; null for a page without the word. */
export async function findWordPositions(pdf: Buffer, word: string): Promise<Array<PositionedWord | null>> {
	const pages = await readWordPositions(pdf);
	return pages.map(({ words }) => words.find(({ text }) => text === word) ?? null);
}

/** Checks a PDF with qpdf. @returns the messages of qpdf; '' for a valid PDF */
export async function findPdfErrors(pdf: Buffer): Promise<string> {
	const program = await requireProgram(qpdf);
	return withFile(pdf, async (file) => {
		const checked = await run(program, ['--check', file]).catch((error: { stdout: string; stderr: string }) => error);
		const isClean = checked.stdout.includes('No syntax or stream encoding errors found') && checked.stderr === '';
		return isClean ? '' : `${checked.stdout}${checked.stderr}`;
	});
}

/** Rewrites a PDF with options of qpdf, such as `--linearize`. */
export async function rewritePdf(pdf: Buffer, ...options: string[]): Promise<Buffer> {
	const program = await requireProgram(qpdf);
	return withFile(pdf, async (file, folder) => {
		const out = join(folder, 'out.pdf');
		await run(program, [...options, file, out]);
		return readFile(out);
	});
}

/** Encrypts a PDF. With the password '', anybody can open the PDF, but copying text is forbidden. */
export function encryptPdf(pdf: Buffer, password: string): Promise<Buffer> {
	return rewritePdf(pdf, '--encrypt', password, 'owner', '256', '--extract=n', '--');
}
