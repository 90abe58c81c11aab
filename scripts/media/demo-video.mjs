/**
 * Records the sample video: `node scripts/media/demo-video.mjs` draws a sunrise over the book's pyramid on a canvas in
 * Chromium and writes `demo/media/morning-routine.mp4`. Committed, so that `npm run demo` needs no browser.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../setup/processes.mjs';
import { withPage } from './record-video.mjs';

const bytes = Buffer.from(await withPage((page) => page.evaluate(record)), 'base64');
await writeFile(join(root, 'demo', 'media', 'morning-routine.mp4'), bytes);
console.log(`morning-routine.mp4: ${bytes.length} bytes`);

/** Runs in the page. */
async function record() {
	const canvas = document.createElement('canvas');
	canvas.width = 640;
	canvas.height = 360;
	document.body.append(canvas);
	const pen = canvas.getContext('2d');
	const seconds = 6;
	const tiers = 6;
	const draw = (part) => {
		const sky = pen.createLinearGradient(0, 0, 0, 360);
		sky.addColorStop(0, `hsl(228 48% ${14 + part * 42}%)`);
		sky.addColorStop(1, `hsl(${30 + part * 6} 86% ${26 + part * 44}%)`);
		pen.fillStyle = sky;
		pen.fillRect(0, 0, 640, 360);
		pen.fillStyle = '#f6dfae';
		pen.beginPath();
		pen.arc(320, 300 - part * 210, 44, 0, Math.PI * 2);
		pen.fill();
		for (let tier = 0; tier < tiers; tier += 1) {
			const half = 250 - tier * 40;
			const top = 320 - tier * 34;
			pen.fillStyle = '#b03a20';
			pen.fillRect(320 - half, top, half, 34);
			pen.fillStyle = '#7a2414';
			pen.fillRect(320, top, half, 34);
			pen.fillStyle = '#f2c46d';
			pen.fillRect(320 - half, top, half * 2, 6);
		}
	};
	draw(0);
	const recorder = new MediaRecorder(canvas.captureStream(15), {
		mimeType: 'video/mp4;codecs=avc1.42001f',
		videoBitsPerSecond: 250_000,
	});
	const chunks = [];
	recorder.ondataavailable = (event) => chunks.push(event.data);
	const ended = new Promise((resolve) => {
		recorder.onstop = resolve;
	});
	recorder.start();
	const startedAt = performance.now();
	await new Promise((resolve) => {
		const step = () => {
			const part = Math.min(1, (performance.now() - startedAt) / (seconds * 1000));
			draw(part);
			if (part < 1) requestAnimationFrame(step);
			else resolve();
		};
		step();
	});
	recorder.stop();
	await ended;
	const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer());
	let text = '';
	for (const byte of bytes) text += String.fromCharCode(byte);
	return btoa(text);
}
