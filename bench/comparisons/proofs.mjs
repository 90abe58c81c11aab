import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { root } from '../../scripts/setup/processes.mjs';
import { checkoutForm } from '../../test/support/app/http-client.ts';
import { exchange } from '../../test/support/services/server-client.ts';
import { median } from '../measure/rounds.mjs';
import { createLengthCheck, serveSeeded, stopAll } from '../measure/seed-and-load.mjs';

const requestEveryMs = 5;

/** Compares a purchase whose screenshot is checked against 100,000 earlier proofs with one against 1,000. */
export async function prepareProofs(bench) {
	const { form } = bench;
	const counts = { many: form === 'once' ? 2000 : 100_000, few: 1000 };
	const purchases = { full: 15, short: 5, once: 1 }[form];
	// Uncounted purchases, after which the image fingerprints are loaded and code is compiled.
	const warmUps = form === 'once' ? 1 : 3;
	const sides = {};
	const lengths = createLengthCheck();
	const buyFrom = async (name) => {
		const { ms, answer } = await buy(sides[name].url);
		lengths.require('answer to a purchase', name, answer);
		return ms;
	};
	for (const [name, count] of Object.entries(counts)) {
		const settings = { RATE_LIMIT_FACTOR: '100000' };
		const { server } = await serveSeeded(bench, `proofs-${name}`, ['seed-proofs.ts', count], settings);
		sides[name] = server;
		for (let i = 0; i < warmUps; i += 1) await buyFrom(name);
	}
	return {
		contestants: Object.keys(counts),
		rows: [
			['a purchase with a screenshot, p50, ms', 'p50Ms', 1],
			['another request meanwhile, p50, ms', 'othersP50Ms', 1],
			['another request meanwhile, longest, ms', 'othersLongestMs', 1],
		],
		note: `${counts.many} earlier proofs compared with ${counts.few}; ${purchases} purchases a round, one after the other; /healthz requested every ${requestEveryMs} ms.`,
		async measure(name) {
			const { url } = sides[name];
			let isOver = false;
			const requests = measureRequests(url, () => isOver);
			const times = [];
			for (let i = 0; i < purchases; i += 1) times.push(await buyFrom(name));
			isOver = true;
			const otherTimes = await requests;
			return { p50Ms: median(times), othersP50Ms: median(otherTimes), othersLongestMs: Math.max(...otherTimes) };
		},
		close: () => stopAll(sides),
	};
}

let bought = 0;
/** Buys as a new buyer with a new receipt. @returns milliseconds and the answer @throws Error when it is refused */
async function buy(url) {
	bought += 1;
	const receipt = join(root, 'demo', 'pictures', 'receipt-01-meera-nair.jpg');
	const digits = `<svg width="300" height="300">${Array.from({ length: 9 }, (_, i) => `<rect x="${Math.random() * 250}" y="${i * 32}" width="50" height="24"/>`).join('')}</svg>`;
	const picture = await sharp(receipt)
		.composite([{ input: Buffer.from(digits), left: 200, top: 200 }])
		.jpeg()
		.toBuffer();
	const email = `buyer.${process.pid}.${String(bought).padStart(6, '0')}@bench.example`;
	const { body, headers } = checkoutForm(email, 'A Buyer', picture);
	const { status, bytes, ms } = await exchange(`${url}/purchase`, { method: 'POST', headers }, body);
	if (status !== 200) throw new Error(`A purchase was answered with ${status}: ${bytes}`);
	return { ms, answer: String(bytes) };
}

async function measureRequests(url, isOver) {
	const times = [];
	while (!isOver()) {
		const startedAt = performance.now();
		await (await fetch(`${url}/healthz`)).arrayBuffer();
		times.push(performance.now() - startedAt);
		await sleep(requestEveryMs);
	}
	return times;
}
