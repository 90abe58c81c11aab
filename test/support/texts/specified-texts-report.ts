import { appendFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtTexts, containsSpecifiedText, rulesTexts, type SpecText, specTexts } from './specified-texts.ts';

/** Vitest's global setup: gathers the specified texts that the run provokes, and tells at its end which are missing. */
export default async function setup(): Promise<() => Promise<void>> {
	// Whoever named a file gathers the texts of several runs, and tells of them.
	if (process.env.SPEC_TEXT_LOG) return async () => {};
	const folder = await mkdtemp(join(tmpdir(), 'folio-texts-'));
	const file = join(folder, 'texts.jsonl');
	process.env.SPEC_TEXT_LOG = file;
	return async () => {
		const provoked = await readLoggedTexts(file);
		await rm(folder, { recursive: true, force: true });
		// A run of one file says nothing about the whole.
		if (provoked.size > 0) console.log(describeCoverage(provoked));
	};
}

/** The texts that a log names. */
export async function readLoggedTexts(file: string): Promise<Set<string>> {
	const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean);
	return new Set(lines.map((line) => (JSON.parse(line) as { text: string }).text));
}

/** The line that says how many of the specified texts were provoked. */
export function describeCoverage(provoked: Set<string>): string {
	return `section 8: ${countOf(specTexts, provoked)}; sections 5 and 6: ${countOf(rulesTexts, provoked)}`;
}

/** Specified texts of built screens that were not provoked. */
export function findMissingTexts(provoked: Set<string>): string[] {
	return builtTexts.filter((text) => !provoked.has(text));
}

function countOf(texts: readonly SpecText[], provoked: Set<string>): string {
	const built = texts.map(({ text }) => text);
	const missing = built.filter((text) => !provoked.has(text));
	const rest = missing.length === 0 ? 'nothing missing' : `missing: ${missing.join(' | ')}`;
	return `provoked ${built.length - missing.length} / total ${built.length}, ${rest}`;
}

const loggedTexts = new Set<string>();

/**
 * Notes which of the specified texts stand in something that a person was told, one JSON line for each, in the file
 * that SPEC_TEXT_LOG names; without it nothing is noted.
 */
export function logSpecifiedTexts(said: string, by: string): void {
	const file = process.env.SPEC_TEXT_LOG;
	if (file === undefined || file === '' || said.length > 100_000) return;
	for (const text of builtTexts) {
		if (loggedTexts.has(text) || !containsSpecifiedText(text, said)) continue;
		loggedTexts.add(text);
		appendFileSync(file, `${JSON.stringify({ text, by })}\n`);
	}
}
