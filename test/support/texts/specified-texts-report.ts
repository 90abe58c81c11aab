import { appendFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { builtTexts, containsSpecifiedText, rulesTexts, type SpecText, specTexts } from './specified-texts.ts';

/** Reads the specified texts that a file of {@link logSpecifiedTexts} contains. */
export async function readLoggedTexts(file: string): Promise<Set<string>> {
	const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean);
	return new Set(lines.map((line) => (JSON.parse(line) as { text: string }).text));
}

/** Returns a line with the number of specified texts that the tests have shown. */
export function describeCoverage(shown: Set<string>): string {
	return `section 8: ${countOf(specTexts, shown)}; sections 5 and 6: ${countOf(rulesTexts, shown)}`;
}

/** Returns the specified texts of built screens that the tests have not shown. */
export function findMissingTexts(shown: Set<string>): string[] {
	return builtTexts.filter((text) => !shown.has(text));
}

function countOf(texts: readonly SpecText[], shown: Set<string>): string {
	const built = texts.map(({ text }) => text);
	const missing = built.filter((text) => !shown.has(text));
	const rest = missing.length === 0 ? 'nothing missing' : `missing: ${missing.join(' | ')}`;
	return `provoked ${built.length - missing.length} / total ${built.length}, ${rest}`;
}

const loggedTexts = new Set<string>();

/**
 * Writes the specified texts that occur in a text shown to a user to the file SPEC_TEXT_LOG, each as a JSON line. Does
 * nothing without that variable, which `npm test -- --ci` and `-- --long` set.
 */
export function logSpecifiedTexts(shownText: string, by: string): void {
	const file = process.env.SPEC_TEXT_LOG;
	if (file === undefined || file === '' || shownText.length > 100_000) return;
	for (const text of builtTexts) {
		if (loggedTexts.has(text) || !containsSpecifiedText(text, shownText)) continue;
		loggedTexts.add(text);
		appendFileSync(file, `${JSON.stringify({ text, by })}\n`);
	}
}
