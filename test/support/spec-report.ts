import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtTexts, rulesTexts, type SpecText, specTexts } from '../spec-texts.ts';

/** Vitest's global setup: gathers the specified texts that the run provokes, and tells at its end which are missing. */
export default async function setup(): Promise<() => Promise<void>> {
	// Whoever named a file gathers the texts of several runs, and tells of them.
	if (process.env.SPEC_TEXT_LOG) return async () => {};
	const folder = await mkdtemp(join(tmpdir(), 'folio-texts-'));
	const file = join(folder, 'texts.jsonl');
	process.env.SPEC_TEXT_LOG = file;
	return async () => {
		const provoked = await readProvoked(file);
		await rm(folder, { recursive: true, force: true });
		// A run of one file says nothing about the whole.
		if (provoked.size > 0) console.log(reportOf(provoked));
	};
}

/** The texts that a log names. */
export async function readProvoked(file: string): Promise<Set<string>> {
	const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean);
	return new Set(lines.map((line) => (JSON.parse(line) as { text: string }).text));
}

/** The line that says how many of the specified texts were provoked. */
export function reportOf(provoked: Set<string>): string {
	return `section 8: ${countOf(specTexts, provoked)}; sections 5 and 6: ${countOf(rulesTexts, provoked)}`;
}

/** Specified texts of built screens that were not provoked. */
export function findMissing(provoked: Set<string>): string[] {
	return builtTexts.filter((text) => !provoked.has(text));
}

function countOf(texts: readonly SpecText[], provoked: Set<string>): string {
	const built = texts.map(({ text }) => text);
	const missing = built.filter((text) => !provoked.has(text));
	const rest = missing.length === 0 ? 'nothing missing' : `missing: ${missing.join(' | ')}`;
	return `provoked ${built.length - missing.length} / total ${built.length}, ${rest}`;
}
