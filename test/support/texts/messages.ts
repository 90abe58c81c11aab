import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..', '..', '..', 'src', 'messages');

/** Reads the texts of one message file. Specified texts are written out in the tests instead. */
export function readMessages(area: string, locale: 'en' | 'hi'): (key: string) => string {
	const words: Record<string, unknown> = JSON.parse(readFileSync(join(folder, `${area}.${locale}.json`), 'utf8'));
	return (key) => {
		const sentence = words[key];
		if (typeof sentence !== 'string') throw new Error(`${area}.${locale}.json has no sentence ${key}.`);
		return sentence;
	};
}
