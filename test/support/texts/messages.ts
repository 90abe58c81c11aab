import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..', '..', '..', 'src', 'messages');

export function readMessages(area: string, locale: 'en' | 'hi'): (key: string) => string {
	const texts: Record<string, unknown> = JSON.parse(readFileSync(join(folder, `${area}.${locale}.json`), 'utf8'));
	return (key) => {
		const text = texts[key];
		if (typeof text !== 'string') throw new Error(`${area}.${locale}.json has no text ${key}.`);
		return text;
	};
}
