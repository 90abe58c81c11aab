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

// Locators: functions of the page and of the texts (`t`). A step uses the first element that matches.
export const css = (selector) => (page) => page.locator(selector);
export const text = (words) => (page) => page.getByText(words, { exact: true });
export const message = (key, values) => (page, t) => page.getByText(t(key, values));
export const label = (key) => (page, t) => page.getByLabel(t(key));
/** Finds elements by their role and, if a key is given, by their exact name. */
export const role = (kind, key, values) => (page, t) =>
	page.getByRole(kind, key === undefined ? {} : { name: t(key, values), exact: true });
export const rolePart = (kind, key, values) => (page, t) => page.getByRole(kind, { name: t(key, values) });
export const inDialog = (find) => (page, t) => find(page.getByRole('dialog'), t);

// Steps act on the page. A step may return a function that undoes its changes.
export const see = (find) => (page, t) => find(page, t).first().waitFor();
export const click = (find) => (page, t) => find(page, t).first().click();
export const fill = (find, value) => (page, t) => find(page, t).first().fill(value);
export const keys = (name) => (page) => page.keyboard.press(name);
export const press = (key, values) => click(role('button', key, values));
export const pressPart = (key, values) => click(rolePart('button', key, values));
/** Presses the button whose label contains this text, and waits for the dialog that it opens. */
export const openDialog = (key, values) => steps(pressPart(key, values), see(role('dialog')));
export const chooseFile = (name, mimeType, buffer) => (page) =>
	page.locator('input[type=file]').first().setInputFiles({ name, mimeType, buffer });
export const selectAllRows = steps(
	(page) => page.locator('[data-row]').last().focus(),
	keys('Control+a'),
	see(role('region', 'files_selection')),
);

/** Combines steps into one step, which runs them in order and returns the last undo function that a step returned. */
export function steps(...all) {
	return async (page, t) => {
		let undo;
		for (const step of all) {
			const undoStep = await step(page, t);
			if (typeof undoStep === 'function') undo = undoStep;
		}
		return undo;
	};
}

/** Answers the calls with `answer` (default: 503), reloads the page and waits for a text. */
export function answerWith(calls, key, answer = { status: 503, json: { code: 'BUSY', message: '' } }) {
	return async (page, t) => {
		await page.route(calls, (route) => route.fulfill(answer));
		await page.reload();
		await page.getByText(t(key)).waitFor({ timeout: 20_000 });
	};
}

/** Leaves the calls unanswered, reloads the page and waits for an element. */
export function holdCalls(calls, find) {
	return steps((page) => page.route(calls, () => {}).then(() => page.reload()), see(find));
}
