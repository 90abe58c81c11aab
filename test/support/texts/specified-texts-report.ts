import { appendFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { builtTexts, containsSpecifiedText, rulesTexts, type SpecText, specTexts } from './specified-texts.ts';

/** Reads the texts that a log names. */
export async function readLoggedTexts(file: string): Promise<Set<string>> {
	const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean);
	return new Set(lines.map((line) => (JSON.parse(line) as { text: string }).text));
}

/** Returns a line that says how many of the specified texts were provoked. */
export function describeCoverage(provoked: Set<string>): string {
	return `section 8: ${countOf(specTexts, provoked)}; sections 5 and 6: ${countOf(rulesTexts, provoked)}`;
}

/** Finds specified texts of built screens that were not provoked. */
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
 * Records which of the specified texts occur in a text shown to a user, as one JSON line for each, in the file that
 * SPEC_TEXT_LOG names (set by `npm test -- --ci` and `-- --long`); without that variable, nothing is recorded.
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
