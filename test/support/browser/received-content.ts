import type { Page, Response } from '@playwright/test';
import { eventsPath } from '#contract/core/events.ts';

export interface ReceivedContent {
	source: string;
	text: string;
}

const textTypes = /^(?:text\/|application\/(?:json|manifest\+json|xml|javascript|ld\+json)|image\/svg)/u;
const scriptTypes = /javascript/u;
/** The event stream does not end. The answer to a visit's report has no text, and is lost if the page is left at once. */
const endlessOrLost = [eventsPath, '/api/visits'];

/** Records the texts, and with `withScripts` the scripts, that the server sends to pages that are opened later. */
export function recordResponses(
	page: Page,
	{ withScripts }: { withScripts: boolean },
): () => Promise<ReceivedContent[]> {
	const reading: Array<Promise<ReceivedContent>> = [];
	page.context().on('response', (response) => {
		const type = response.headers()['content-type'] ?? '';
		const isRedirect = response.status() >= 300 && response.status() < 400;
		if (isRedirect || !textTypes.test(type) || (!withScripts && scriptTypes.test(type))) return;
		if (endlessOrLost.includes(new URL(response.url()).pathname)) return;
		reading.push(readBody(page, response).then((text) => ({ source: response.url(), text })));
	});
	return () => Promise.all(reading);
}

/** The browser drops the body of a response when the page is left. Then the same address is read once more. */
async function readBody(page: Page, response: Response): Promise<string> {
	return response.text().catch(async () => {
		const isRead = response.request().method() === 'GET';
		if (!isRead) throw new Error(`The response to ${response.request().method()} ${response.url()} was lost.`);
		return (await page.context().request.get(response.url())).text();
	});
}

/** What a page says: its title, its visible text, and the texts of inputs and those that are read aloud. */
export async function readScreen(page: Page): Promise<ReceivedContent> {
	const text = await page.evaluate(() => {
		const attributes = ['alt', 'aria-label', 'title', 'placeholder'];
		const values = [...document.querySelectorAll('*')].flatMap((element) =>
			attributes.map((name) => element.getAttribute(name)).filter(Boolean),
		);
		const inputs = [...document.querySelectorAll('input, textarea')].map((input) => (input as HTMLInputElement).value);
		const options = [...document.querySelectorAll('option')].map((option) => option.textContent);
		return [document.title, document.body.innerText, ...values, ...inputs, ...options].join('\n');
	});
	return { source: `the screen ${new URL(page.url()).pathname}`, text };
}
