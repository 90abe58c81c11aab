const storefront = { path: '/', isAlwaysLight: true };
const order = { isWhole: true, isAlwaysLight: true };

/**
 * What visitors and buyers see: the storefront and an order's own pages. `links`: addresses that only this run knows.
 * @returns {import('./screens.mjs').Screen[]}
 */
export function storefrontScreens(links) {
	return [
		{ ...storefront, name: 'storefront', isWhole: true },
		{ ...storefront, name: 'storefront-top' },
		{ ...storefront, name: 'storefront-errors', act: sendEmptyForm },
		{ ...storefront, name: 'storefront-bought', act: buy },
		{ ...storefront, name: 'storefront-excerpt', act: (page) => page.locator('[data-excerpt]').first().click() },
		{ ...storefront, name: 'storefront-film', act: playVideo },
		{ ...storefront, name: 'storefront-film-failed', act: failVideo },
		{ ...storefront, name: 'storefront-film-page', path: '/film/benefits', isWhole: true },
		{ ...order, name: 'order-page', path: links.orderPending },
		{ ...order, name: 'order-page-sent', path: '/#submit-details', act: buyAndLook },
		{ ...order, name: 'order-page-complete', path: links.orderReceipt.replace('/receipt', '') },
		{ ...order, name: 'order-page-receipt', path: links.orderReceipt },
		{ name: 'order-page-gone', path: '/order/gone', isAlwaysLight: true, fails: [404] },
		{ ...storefront, name: 'storefront-privacy', path: '/privacy', isWhole: true },
	];
}

/** Buys through the form, opens the order's own page, and enters a correction that is refused. */
async function buyAndLook(page, say) {
	await buy(page, say);
	await page.getByRole('link', { name: say('landing_done_status') }).click();
	await page.locator('#order-email').waitFor();
}

async function buy(page, say) {
	for (const [field, value] of Object.entries({
		name: 'Leela Kulkarni',
		phone: '98230 55500',
		email: `leela-${Date.now()}@example.com`,
		upiId: 'leela@examplebank',
	}))
		await page.locator(`#purchase-${field}`).fill(value);
	await page.locator('#purchase-screenshot').setInputFiles('demo/pictures/receipt-02-arjun-patil.jpg');
	await page.locator('#purchase-submit').click();
	await page.getByRole('link', { name: say('landing_done_status') }).waitFor();
}

async function sendEmptyForm(page) {
	await page.locator('form button[type=submit]').last().click();
}

/** Plays the video and stops it at the third benefit, with captions. */
async function playVideo(page) {
	await page.locator('.video-play').first().click();
	const film = page.locator('video');
	await film.evaluate(
		(video) =>
			new Promise((resolve) => {
				video.addEventListener('seeked', resolve, { once: true });
				const rest = () => {
					video.pause();
					video.currentTime = 17;
				};
				if (video.currentTime > 0) rest();
				else video.addEventListener('timeupdate', rest, { once: true });
			}),
	);
	await film.scrollIntoViewIfNeeded();
}

async function failVideo(page) {
	await page.route(/\/films\/.*mp4$/u, (route) => route.abort('connectionrefused'));
	await page.locator('.video-play').first().click();
	await page.locator('.video-failed').waitFor();
}
