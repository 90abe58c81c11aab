import { appendFileSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Texts of the specification by screen: section 8, and the texts of sections 5 and 6 that built screens show. */
const { section8, sections5And6 } = JSON.parse(
	readFileSync(join(import.meta.dirname, 'specified-texts.json'), 'utf8'),
) as Record<'section8' | 'sections5And6', Record<string, string[]>>;

/** All texts of section 8. `{name}` in a text is a placeholder. */
export const specTexts: readonly string[] = Object.values(section8).flat();
const rulesTexts: readonly string[] = Object.values(sections5And6).flat();

export const builtTexts: readonly string[] = [...specTexts, ...rulesTexts];

/** Whether a text shown to a user contains the specified text, with any values for its placeholders. */
export function containsSpecifiedText(text: string, shownText: string): boolean {
	if (!text.includes('{')) return shownText.includes(text);
	const pattern = text.split(/\{\w+\}/u).map((part) => part.replace(/[.*+?^${}()|[\]\\/]/gu, '\\$&'));
	return new RegExp(pattern.join('.+?'), 'u').test(shownText);
}

export async function readLoggedTexts(file: string): Promise<Set<string>> {
	const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean);
	return new Set(lines.map((line) => (JSON.parse(line) as { text: string }).text));
}

export function describeCoverage(shown: Set<string>): string {
	return `section 8: ${countOf(specTexts, shown)}; sections 5 and 6: ${countOf(rulesTexts, shown)}`;
}

function countOf(texts: readonly string[], shown: Set<string>): string {
	const missing = texts.filter((text) => !shown.has(text));
	const rest = missing.length === 0 ? 'nothing missing' : `missing: ${missing.join(' | ')}`;
	return `provoked ${texts.length - missing.length} / total ${texts.length}, ${rest}`;
}

const loggedTexts = new Set<string>();

/** Appends the specified texts in `shownText`, each once, to the file SPEC_TEXT_LOG, which `npm test -- --ci` sets. */
export function logSpecifiedTexts(shownText: string, by: string): void {
	const file = process.env.SPEC_TEXT_LOG;
	if (file === undefined || file === '' || shownText.length > 100_000) return;
	for (const text of builtTexts) {
		if (loggedTexts.has(text) || !containsSpecifiedText(text, shownText)) continue;
		loggedTexts.add(text);
		appendFileSync(file, `${JSON.stringify({ text, by })}\n`);
	}
}
