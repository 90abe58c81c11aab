/**
 * Draws the sample pictures: `node scripts/media/demo-pictures.mjs [NAME…]`, from the repository's root; with names, those
 * whose file begins with one.
 *
 * Reads `demo/pictures/source/` and writes into `demo/pictures/` a payment screenshot for each entry
 * of `receipts.json` (all apps, banks, people and numbers are invented), the UPI QR code of the
 * sample shop, and four plain drawings. CHROMIUM_PATH names the browser when it is not in the usual place.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { escapeHtml } from '../demo-book/chapters.mjs';
import { renderFontFaces } from '../demo-book/fonts.mjs';
import { requireChromium } from '../services/chromium.mjs';
import { offlineFlags } from '../services/chromium-flags.mjs';

const PICTURES = join('demo', 'pictures');
const SOURCE = join(PICTURES, 'source');
const UPI_ADDRESS = 'upi://pay?pa=buildyourempire@examplebank&pn=Build%20Your%20Empire%20Books&am=499&cu=INR';
const DRAWINGS = [
	{ source: 'cover-sketch.svg', file: 'cover-sketch.jpg', width: 900, height: 1200, quality: 80 },
	{ source: 'shop-front.svg', file: 'shop-front.jpg', width: 1200, height: 800, quality: 82 },
	{ source: 'office-plan.svg', file: 'office-plan.png', width: 1240, height: 880 },
	{ source: 'worksheet.svg', file: 'worksheet.png', width: 1000, height: 1414 },
];

const require = createRequire(join(process.cwd(), 'package.json'));
const { chromium } = require('@playwright/test');
const QRCode = require('qrcode');

const fontFaces = await renderFontFaces();
const receiptStyles = await readFile(join(SOURCE, 'receipts.css'), 'utf8');
const receipts = JSON.parse(await readFile(join(SOURCE, 'receipts.json'), 'utf8'));
const browser = await chromium.launch({
	executablePath: await requireChromium(),
	args: offlineFlags,
});
try {
	for (const receipt of receipts.filter(isWanted)) await save(receipt.file, await photographReceipt(receipt));
	for (const drawing of DRAWINGS.filter(isWanted)) {
		const svg = await readFile(join(SOURCE, drawing.source), 'utf8');
		await save(
			drawing.file,
			await photograph(`<style>${fontFaces} body { margin: 0 } svg { display: block }</style>${svg}`, drawing),
		);
	}
} finally {
	await browser.close();
}
const qr = 'upi-qr-499.png';
if (isWanted({ file: qr }))
	await save(qr, await QRCode.toBuffer(UPI_ADDRESS, { errorCorrectionLevel: 'M', margin: 4, scale: 12 }));

function isWanted({ file }) {
	const names = process.argv.slice(2);
	return names.length === 0 || names.some((name) => file.startsWith(name));
}

async function photographReceipt(receipt) {
	const template = await readFile(join(SOURCE, receipt.source), 'utf8');
	const styles = `<style>${fontFaces}\n${receiptStyles}</style>`;
	const picture = await photograph(`<!doctype html>${styles}${fillTemplate(template, receipt)}`, receipt);
	return receipt.recompress ? compressAgain(picture, receipt) : picture;
}

/** Puts a receipt's values in place of `{{name}}`; an unknown name throws, so that no blank is photographed. */
function fillTemplate(template, receipt) {
	const paidAt = new Date(receipt.paidAt);
	const values = {
		name: receipt.name,
		upiId: receipt.upiId,
		reference: receipt.reference,
		reference4: receipt.reference.replace(/(\d{4})(?=\d)/g, '$1 '),
		date: new Intl.DateTimeFormat('en-IN', { dateStyle: 'medium', timeZone: 'Asia/Kolkata' }).format(paidAt),
		accent: receipt.accent,
		bank: receipt.bank,
		time: new Intl.DateTimeFormat('en-IN', { timeStyle: 'short', timeZone: 'Asia/Kolkata' }).format(paidAt),
	};
	return template.replace(/\{\{(\w+)\}\}/g, (_, name) => {
		if (values[name] === undefined) throw new Error(`${receipt.source}: no value for ${name}`);
		return escapeHtml(values[name]);
	});
}

/** What a messenger does to a picture: smaller, and through JPEG a second time. */
function compressAgain(picture, { width, height, recompress }) {
	const size = { width: recompress.width, height: Math.round((recompress.width * height) / width) };
	const image = `<style>body { margin: 0 } img { display: block; width: 100% }</style>
    <img src="data:image/jpeg;base64,${picture.toString('base64')}">`;
	return photograph(image, { ...size, quality: recompress.quality });
}

/** A JPEG of the given quality, or a PNG without one; `scale` is device pixels per CSS pixel. */
async function photograph(html, { width, height, scale = 1, quality }) {
	const page = await browser.newPage({ viewport: { width, height }, deviceScaleFactor: scale });
	await page.setContent(html);
	await page.evaluate(() => document.fonts.ready);
	const picture = await page.screenshot(quality ? { type: 'jpeg', quality } : { type: 'png' });
	await page.close();
	return picture;
}

async function save(file, bytes) {
	await writeFile(join(PICTURES, file), bytes);
	console.log(`${file}: ${bytes.length} bytes`);
}
