import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { readTextAt } from './file-chunks.ts';

/** Why a PDF cannot be processed: it needs a password, has no pages, is damaged, or exceeds a resource limit. */
export type PdfFailure = 'locked' | 'empty' | 'broken' | 'heavy';

/** The compiled qpdf module; its own types are incomplete. */
interface QpdfModule {
	callMain(args: string[]): number;
	NODEFS: unknown;
	FS: {
		mkdir(path: string): void;
		mount(kind: unknown, options: { root: string }, path: string): void;
		writeFile(path: string, text: string): void;
		readFile(path: string): Uint8Array;
	};
}

/** Path of the mounted folder in qpdf's virtual file system. */
export const scratch = '/scratch';

export class QpdfError extends Error {
	readonly reason: PdfFailure;
	constructor(reason: PdfFailure, why: string) {
		super(why);
		this.reason = reason;
	}
}

/** Result of a run of qpdf. Codes: 0 success, 2 errors, 3 warnings. Source: qpdf's manual, "Exit Status". */
interface Run {
	code: number;
	outputLines: string[];
	errorLines: string[];
}

export interface Qpdf {
	/** @param onLine called with each line of output, which is then not in `outputLines` */
	run(args: string[], onLine?: (line: string) => void): Run;
	readText(path: string): string;
	writeText(path: string, text: string): void;
}

/** Loads qpdf with a folder of the system mounted as {@link scratch}. `file` is the path of the compiled module. */
export async function openQpdf(file: string, folder: string): Promise<Qpdf> {
	// Emscripten reads the flags of open(2) from `process.binding`, which the permission model does not allow.
	Object.assign(process, { binding: () => ({ fs: constants }) });
	const create = createRequire(import.meta.url)(file) as (options: object) => Promise<QpdfModule>;
	let run: Run = { code: 0, outputLines: [], errorLines: [] };
	let onOutputLine: (line: string) => void = () => {};
	// qpdf can print only to the console.
	Object.assign(console, {
		log: (line: string) => onOutputLine(line),
		error: (line: string) => run.errorLines.push(line),
	});
	const qpdf = await create({ noInitialRun: true });
	qpdf.FS.mkdir(scratch);
	qpdf.FS.mount(qpdf.NODEFS, { root: folder }, scratch);
	return {
		run(args, onLine) {
			run = { code: 2, outputLines: [], errorLines: [] };
			const { outputLines: lines } = run;
			onOutputLine = onLine ?? ((line) => lines.push(line));
			// Passed in a file, because thousands of arguments do not fit on the stack of the module.
			qpdf.FS.writeFile('/arguments', `${args.join('\n')}\n`);
			run.code = qpdf.callMain(['@/arguments']);
			return run;
		},
		readText: (path) => Buffer.from(qpdf.FS.readFile(path)).toString(),
		writeText: (path, text) => qpdf.FS.writeFile(path, text),
	};
}

/** Returns the run if it succeeded, with or without warnings. @throws QpdfError locked, broken */
export function requireSuccess(run: Run): Run {
	if (run.code === 0 || run.code === 3) return run;
	const isLocked = run.errorLines.some((line) => line.endsWith('invalid password'));
	throw new QpdfError(isLocked ? 'locked' : 'broken', run.errorLines.slice(0, 3).join(' '));
}

/**
 * Returns JSON about a PDF. qpdf writes it to a file, because after writing JSON to its standard output, qpdf prints
 * all later output as errors.
 */
export function readJson(qpdf: Qpdf, source: string, options: string[]): unknown {
	requireSuccess(qpdf.run(['--json=2', ...options, source, '/result.json']));
	return JSON.parse(qpdf.readText('/result.json'));
}

/** Returns the reason of an error; `heavy` if deeply nested objects exhausted the stack of qpdf. */
export function failureOf(error: unknown): PdfFailure {
	if (error instanceof QpdfError) return error.reason;
	return error instanceof WebAssembly.RuntimeError || error instanceof RangeError ? 'heavy' : 'broken';
}

const headerBytes = '%PDF-1.7'.length;
/** Number of bytes searched for the header and the last `startxref` (ISO 32000-1, Annex H, notes 13 and 18). */
const searchedBytes = 1024;

/**
 * Moves the header of a PDF to the first byte and fills the gap with spaces, if the file's offsets count from the first
 * byte. qpdf always counts offsets from the header.
 */
export function moveHeaderToFront(path: string): void {
	const file = openSync(path, 'r+');
	try {
		const { size } = fstatSync(file);
		const read = (position: number, length: number) => readTextAt(file, position, length);
		const headerAt = read(0, searchedBytes).indexOf('%PDF-');
		if (headerAt <= 0) return;
		const end = read(Math.max(0, size - searchedBytes), searchedBytes);
		const tableAt = /startxref\s+(\d{1,15})/u.exec(end.slice(Math.max(0, end.lastIndexOf('startxref'))))?.[1];
		if (tableAt === undefined || !/^\s*(?:xref\b|\d+\s+\d+\s+obj\b)/u.test(read(Number(tableAt), 64))) return;
		const header = read(headerAt, headerBytes);
		writeSync(file, Buffer.from(header + ' '.repeat(headerAt), 'latin1'), 0, header.length + headerAt, 0);
	} finally {
		closeSync(file);
	}
}
