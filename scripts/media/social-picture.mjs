/**
 * Draws the picture that stands beside a shared link: `node scripts/media/social-picture.mjs` photographs the landing page's
 * title and books, alone on its paper, into `src/web/public/social.png`. Committed, so that a build needs no browser.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from '../build/dist.mjs';
import { requireChromium } from '../services/chromium.mjs';
import { offlineFlags } from '../services/chromium-flags.mjs';
import { prepare } from '../setup/prepare.mjs';
import { root } from '../setup/processes.mjs';

const node = await prepare(import.meta.url);
await build(node);
const { chromium } = await import('@playwright/test');
const { default: sharp } = await import('sharp');
const { renderers } = await import('../../dist/server/landing-renderer.js');
const web = join(root, 'dist', 'web');
const manifest = JSON.parse(await readFile(join(web, '.vite', 'manifest.json'), 'utf8'));

const origin = 'http://folio.test';
const noBank = { name: '', accountNumber: '', ifsc: '', accountHolder: '' };
/** Not seen in the picture. */
const noVideo = { src: '', seconds: 0, captions: [], title: '' };
const html = renderers.renderLanding(
	{
		locale: 'en',
		book: { title: 'Build Your Empire', originalPrice: 0, discountedPrice: 0, bank: noBank, qrCodeUrl: null },
		contact: { socialLinks: [], chatUrl: '', email: '', phone: '' },
		publicUrl: origin,
		year: 2026,
		films: { benefits: noVideo, 'how-to-get': noVideo },
		form: { values: { name: '', phone: '', email: '', upiId: '' }, errors: {}, outcome: 'idle', message: null },
	},
	{ scripts: [], styles: stylesOf('src/web/landing/entry.ts') },
);
/** Its own styles, after those of what it imports. */
function stylesOf(entry) {
	const { imports = [], css = [] } = manifest[entry];
	return [...imports.flatMap(stylesOf), ...css.map((file) => `/${file}`)];
}
const types = { css: 'text/css', woff2: 'font/woff2', svg: 'image/svg+xml' };
/** Title and books, without what is there to be pressed. */
const alone = `
	.top-bar, .hero-offer, .hero-excerpts, .hero ~ *, .footer, .skip-link { display: none !important }
	.hero { display: flex !important; gap: 24px; align-items: center; height: 630px; padding: 0 48px !important }
	.hero-text { flex: 0 0 540px }`;

const browser = await chromium.launch({ executablePath: await requireChromium(), args: offlineFlags });
try {
	const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
	await page.route('**/*', async (route) => {
		const { pathname } = new URL(route.request().url());
		if (pathname === '/') return route.fulfill({ contentType: 'text/html; charset=utf-8', body: html });
		const body = await readFile(join(web, pathname)).catch(() => null);
		if (body === null) return route.fulfill({ status: 404 });
		return route.fulfill({ contentType: types[pathname.split('.').at(-1)], body });
	});
	await page.goto(origin);
	await page.addStyleTag({ content: alone });
	await page.evaluate(() => document.fonts.ready);
	const drawn = await page.screenshot();
	const picture = await sharp(drawn).png({ palette: true, quality: 90, effort: 10 }).toBuffer();
	await writeFile(join(root, 'src', 'web', 'public', 'social.png'), picture);
	console.log(`social.png: ${picture.length} bytes`);
} finally {
	await browser.close();
}
