import { Buffer } from 'node:buffer';

const running = '05 First sale, role play.mp4';
const paused = '06 Evening review.wav';
const done = '07 Ledger, worked example.pdf';
const failed = 'Office plan.jpg';
const heldBytes = 700_000;
const chooser = 'input[type=file]:not([webkitdirectory])';
const file = (name, size) => ({ name, mimeType: 'application/octet-stream', buffer: Buffer.alloc(size, 'folio') });

/** Shows the upload panel with a running, a paused, a finished and a refused upload. */
export async function showUploads(page, t) {
	// The previous page may have completed uploads while it was being closed.
	await removeFiles(page);
	const refusal = { status: 507, json: { code: 'STORAGE_FULL', message: t('error_storage_full') } };
	const names = new Map();
	const unansweredRoutes = [];
	await page.route('**/api/uploads**', async (route) => {
		const request = route.request();
		const name = nameIn(request.headers()['upload-metadata']);
		if (request.method() === 'POST' && name === failed) return route.fulfill(refusal);
		if (request.method() === 'POST') {
			const response = await route.fetch();
			names.set(new URL(response.headers().location, request.url()).pathname, name);
			return route.fulfill({ response });
		}
		const isHeld = [running, paused].includes(names.get(new URL(request.url()).pathname));
		if (request.method() === 'PATCH' && isHeld && request.headers()['upload-offset'] !== '0')
			return unansweredRoutes.push(route);
		return route.continue();
	});
	const input = page.locator(chooser).first();
	await input.setInputFiles([file(running, heldBytes), file(paused, heldBytes), file(done, 90_000)]);
	await unfoldUploads(page, t);
	await page.getByText(done).last().waitFor();
	await page.waitForTimeout(1500);
	await input.setInputFiles([file(failed, 5000)]);
	await page.getByRole('button', { name: t('files_pause_of', { name: paused }) }).click();
	await page.waitForTimeout(1500);
	await page.mouse.move(10, 400);
	return async () => {
		await Promise.all(unansweredRoutes.map((route) => route.abort().catch(() => {})));
		// Unfinished uploads would be offered for resuming on later screens.
		for (const path of names.keys()) await page.request.delete(path, { headers: { 'tus-resumable': '1.0.0' } });
		await removeFiles(page);
	};
}

/** Expands the upload panel, which is collapsed into a bar on a phone. */
export async function unfoldUploads(page, t) {
	const fold = page.getByRole('button', { name: t('files_collapse_uploads') });
	const unfold = page.getByRole('button', { name: t('files_expand_uploads') });
	await fold.or(unfold).waitFor();
	if (await unfold.isVisible()) await unfold.click();
}

/** Answers an upload with 401, as after the end of the session, and waits for the dialog that asks to sign in again. */
export async function expireSession(page, t) {
	const refusal = { status: 401, json: { code: 'UNAUTHORIZED', message: t('error_unauthorized') } };
	await page.route('**/api/uploads**', (route) =>
		route.request().method() === 'GET' ? route.continue() : route.fulfill(refusal),
	);
	await page
		.locator(chooser)
		.first()
		.setInputFiles([file(running, heldBytes)]);
	await page.getByRole('dialog', { name: t('account_sign_in_again_title') }).waitFor();
}

function nameIn(metadata = '') {
	const packed = /(?:^|,)filename ([^,]+)/u.exec(metadata)?.[1];
	return packed === undefined ? '' : Buffer.from(packed, 'base64').toString('utf8');
}

async function removeFiles(page) {
	const owner = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1));
	const listing = await page.request.get(`/api/spaces/${encodeURIComponent(owner)}/nodes`);
	const { items } = await listing.json();
	for (const item of items) await page.request.delete(`/api/nodes/${item.id}`);
}
