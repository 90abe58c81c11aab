/** Status of a visitor's request for the current user; Chromium reports every refused request as an error. */
export const asked = 401;
export const owner = 'rohan@folio.example';
export const member = 'asha.verma@example.com';

/** Presses the first button with this label. */
export function press(key, values) {
	return (page, say) => pressFirst(page, { name: say(key, values), exact: true });
}

/** Presses the first button whose label contains this text. */
export function pressPart(key, values) {
	return (page, say) => pressFirst(page, { name: say(key, values) });
}

async function pressFirst(page, label) {
	await page.getByRole('button', label).first().click();
}

/** Presses the first button whose label contains this text, and waits for the dialog that it opens. */
export function openDialog(key, values) {
	return async (page, say) => {
		await pressPart(key, values)(page, say);
		await page.getByRole('dialog').waitFor();
	};
}

/** Loads the page again with another answer to some calls, and waits for a text: by default with the refusal 503. */
export function answerWith(calls, text, answer = { status: 503, json: { code: 'BUSY', message: '' } }) {
	return async (page, say) => {
		await page.route(calls, (route) => route.fulfill(answer));
		await page.reload();
		await page.getByText(say(text)).waitFor({ timeout: 20_000 });
	};
}

/** Loads the page again with calls that are never answered, and waits for what it shows meanwhile. */
export function holdCalls(calls, find) {
	return async (page, say) => {
		await page.route(calls, () => {});
		await page.reload();
		await find(page, say).first().waitFor();
	};
}
