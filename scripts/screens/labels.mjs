import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup/processes.mjs';

const folder = join(root, 'src', 'messages');

/** Reads the product's messages in one language, so that controls are found by their labels. */
export function readLabels(language) {
	const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(`.${language}.json`));
	const words = Object.assign({}, ...files.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8'))));
	return (key, values = {}) => {
		if (typeof words[key] !== 'string') throw new Error(`There is no message ${key} in ${language}.`);
		return words[key].replace(/\{(\w+)\}/gu, (_all, name) => String(values[name]));
	};
}
