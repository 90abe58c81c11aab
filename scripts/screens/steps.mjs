// Locators: functions of the page and of the texts (`t`). A step uses the first element that matches.
export const css = (selector) => (page) => page.locator(selector);
export const text = (words) => (page) => page.getByText(words, { exact: true });
export const message = (key, values) => (page, t) => page.getByText(t(key, values));
export const label = (key) => (page, t) => page.getByLabel(t(key));
/** Finds elements by their role and, if a key is given, by their exact name. */
export const role = (kind, key, values) => (page, t) =>
	page.getByRole(kind, key === undefined ? {} : { name: t(key, values), exact: true });
export const rolePart = (kind, key, values) => (page, t) => page.getByRole(kind, { name: t(key, values) });
export const inside = (outer, find) => (page, t) => find(outer(page, t), t);
export const inDialog = (find) => inside(role('dialog'), find);
export const link = (name) => (page) => page.getByRole('link', { name });

// Steps act on the page. A step may return a function that undoes its changes.
export const see = (find) => (page, t) => find(page, t).first().waitFor();
export const click = (find) => (page, t) => find(page, t).first().click();
export const fill = (find, value) => (page, t) => find(page, t).first().fill(value);
export const keys = (name) => (page) => page.keyboard.press(name);
export const press = (key, values) => click(role('button', key, values));
export const pressInDialog = (key, values) => click(inDialog(role('button', key, values)));
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
