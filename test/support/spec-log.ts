import { appendFileSync } from 'node:fs';
import { builtTexts, isSpoken } from '../spec-texts.ts';

const heard = new Set<string>();

/**
 * Notes which of the specified texts stand in something that a person was told, one JSON line for each, in the file
 * that SPEC_TEXT_LOG names; without it nothing is noted.
 */
export function noteSpokenTexts(said: string, by: string): void {
	const file = process.env.SPEC_TEXT_LOG;
	if (file === undefined || file === '' || said.length > 100_000) return;
	for (const text of builtTexts) {
		if (heard.has(text) || !isSpoken(text, said)) continue;
		heard.add(text);
		appendFileSync(file, `${JSON.stringify({ text, by })}\n`);
	}
}
