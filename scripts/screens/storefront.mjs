import * as ui from './steps.mjs';

const storefront = { path: '/', isAlwaysLight: true };
const order = { isFullPage: true, isAlwaysLight: true };

/** Screens of visitors and buyers: the storefront and an order's pages. `links`: addresses that differ in each run. */
export const storefrontScreens = (links) => [
	{ ...storefront, name: 'storefront', isFullPage: true },
	{ ...storefront, name: 'storefront-top' },
	{ ...storefront, name: 'storefront-errors', act: (page) => page.locator('form button[type=submit]').last().click() },
	{ ...storefront, name: 'storefront-bought', act: buy },
	{ ...storefront, name: 'storefront-excerpt', act: ui.click(ui.css('[data-excerpt]')) },
	{ ...storefront, name: 'storefront-film', act: playVideo },
	{ ...storefront, name: 'storefront-film-failed', act: failVideo },
	{ ...storefront, name: 'storefront-film-page', path: '/film/benefits', isFullPage: true },
	{ ...order, name: 'order-page', path: links.orderPending },
	{ ...order, name: 'order-page-sent', path: '/#submit-details', act: buyAndOpenOrder },
	{ ...order, name: 'order-page-complete', path: links.orderReceipt.replace('/receipt', '') },
	{ ...order, name: 'order-page-receipt', path: links.orderReceipt },
	{ name: 'order-page-gone', path: '/order/gone', isAlwaysLight: true, fails: [404] },
	{ ...storefront, name: 'storefront-privacy', path: '/privacy', isFullPage: true },
];

const doneLink = ui.rolePart('link', 'landing_done_status');

async function buy(page, t) {
	const values = { name: 'Leela Kulkarni', phone: '98230 55500', upiId: 'leela@examplebank' };
	for (const [field, value] of Object.entries({ ...values, email: `leela-${Date.now()}@example.com` }))
		await page.locator(`#purchase-${field}`).fill(value);
	await page.locator('#purchase-screenshot').setInputFiles('demo/pictures/receipt-02-arjun-patil.jpg');
	await page.locator('#purchase-submit').click();
	await ui.see(doneLink)(page, t);
}

async function buyAndOpenOrder(page, t) {
	await ui.steps(buy, ui.click(doneLink), ui.see(ui.css('#order-email')))(page, t);
}

/** Plays the video and stops it at the third benefit, with captions. */
async function playVideo(page) {
	await page.locator('.video-play').first().click();
	const film = page.locator('video');
	await film.evaluate(
		(video) =>
			new Promise((resolve) => {
				video.addEventListener('seeked', resolve, { once: true });
				const pauseAtThirdBenefit = () => {
					video.pause();
					video.currentTime = 17;
				};
				if (video.currentTime > 0) pauseAtThirdBenefit();
				else video.addEventListener('timeupdate', pauseAtThirdBenefit, { once: true });
			}),
	);
	await film.scrollIntoViewIfNeeded();
}

async function failVideo(page) {
	await page.route(/\/films\/.*mp4$/u, (route) => route.abort('connectionrefused'));
	await page.locator('.video-play').first().click();
	await page.locator('.video-failed').waitFor();
}
