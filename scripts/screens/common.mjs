import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup/processes.mjs';

/** Status of `GET /api/me` for a visitor. Chromium reports it as an error, so visitors' screens list it in `fails`. */
export const notSignedIn = 401;
export const owner = 'rohan@folio.example';
export const member = 'asha.verma@example.com';
export const demoPassword = 'build-your-empire';

/** @returns {import('./screens.mjs').Screen[]} screens of one account, from rows of name, path, `act` and other properties */
export function screensOf(who, rows) {
	return rows.map(([name, path, act, rest]) => ({ name, who, path, act, ...rest }));
}

/** Reads the messages in one language, to find controls by their labels. @returns a function that translates a key */
export function readLabels(language) {
	const folder = join(root, 'src', 'messages');
	const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(`.${language}.json`));
	const messages = Object.assign({}, ...files.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8'))));
	return (key, values = {}) => {
		if (typeof messages[key] !== 'string') throw new Error(`There is no message ${key} in ${language}.`);
		return messages[key].replace(/\{(\w+)\}/gu, (_all, name) => String(values[name]));
	};
}
