import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Why a PDF cannot be marked: it is locked by a password, has no pages, is damaged, or takes more of the machine than it may. */
export type QpdfFailure = 'locked' | 'empty' | 'broken' | 'heavy';

/** qpdf as it was compiled; its own types leave half of it out. */
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

/** Where the files lie for qpdf. */
export const scratch = '/scratch';

/** A PDF that nothing can be done with. */
export class QpdfError extends Error {
	readonly reason: QpdfFailure;
	constructor(reason: QpdfFailure, why: string) {
		super(why);
		this.reason = reason;
	}
}

/** The result of one run of qpdf. Exit codes: 0, 2 with errors, 3 with warnings only. Source: qpdf's manual, "Exit Status". */
interface Run {
	code: number;
	outputLines: string[];
	errorLines: string[];
}

/** qpdf, opened on a folder. */
export interface Qpdf {
	run(args: string[], hear?: (line: string) => void): Run;
	readText(path: string): string;
	writeText(path: string, text: string): void;
}

/** Opens qpdf on a folder of the system, which it sees as {@link scratch}. `file`: the compiled module. */
export async function openQpdf(file: string, folder: string): Promise<Qpdf> {
	// Emscripten asks for the flags of open(2) by a way that is closed here.
	Object.assign(process, { binding: () => ({ fs: constants }) });
	const create = createRequire(import.meta.url)(file) as (options: object) => Promise<QpdfModule>;
	let run: Run = { code: 0, outputLines: [], errorLines: [] };
	let hear: (line: string) => void = () => {};
	// It was compiled to write there and nowhere else; nobody reads what this process prints.
	Object.assign(console, {
		log: (line: string) => hear(line),
		error: (line: string) => run.errorLines.push(line),
	});
	const qpdf = await create({ noInitialRun: true });
	qpdf.FS.mkdir(scratch);
	qpdf.FS.mount(qpdf.NODEFS, { root: folder }, scratch);
	return {
		run(args, listen) {
			run = { code: 2, outputLines: [], errorLines: [] };
			const { outputLines: lines } = run;
			hear = listen ?? ((line) => lines.push(line));
			// By a file: its stack holds no thousands of arguments.
			qpdf.FS.writeFile('/arguments', `${args.join('\n')}\n`);
			run.code = qpdf.callMain(['@/arguments']);
			return run;
		},
		readText: (path) => Buffer.from(qpdf.FS.readFile(path)).toString(),
		writeText: (path, text) => qpdf.FS.writeFile(path, text),
	};
}

/** A run that went well. @throws QpdfError locked, broken */
export function requireSuccess(run: Run): Run {
	if (run.code === 0 || run.code === 3) return run;
	const isLocked = run.errorLines.some((line) => line.endsWith('invalid password'));
	throw new QpdfError(isLocked ? 'locked' : 'broken', run.errorLines.slice(0, 3).join(' '));
}

/** What qpdf tells of a file; by a file: once something went to its output, it tells everything else as a complaint. */
export function readJson(qpdf: Qpdf, source: string, choice: string[]): unknown {
	requireSuccess(qpdf.run(['--json=2', ...choice, source, '/answer.json']));
	return JSON.parse(qpdf.readText('/answer.json'));
}

/** Why nothing could be done; qpdf runs out of its stack on what is nested too deeply. */
export function failureOf(error: unknown): QpdfFailure {
	if (error instanceof QpdfError) return error.reason;
	return error instanceof WebAssembly.RuntimeError || error instanceof RangeError ? 'heavy' : 'broken';
}

const headerBytes = '%PDF-1.7'.length;
/** Where readers look for the header and for the last `startxref` (ISO 32000-1, Annex H, notes 13 and 18). */
const searchedBytes = 1024;

/**
 * A PDF may have other bytes before its header. qpdf then counts offsets from the header and finds nothing in a file whose
 * offsets count from its first byte. In such a file, overwrites those bytes with the header and blanks.
 */
export function moveHeaderToFront(path: string): void {
	const file = openSync(path, 'r+');
	try {
		const { size } = fstatSync(file);
		const read = (position: number, length: number) => {
			const bytes = Buffer.alloc(length);
			return bytes.subarray(0, readSync(file, bytes, 0, length, position)).toString('latin1');
		};
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
