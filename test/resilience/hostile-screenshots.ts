/**
 * Sends hostile screenshots to a built server, four at a time. A file that cannot be an image is refused with a
 * message, and every other file is encoded again. After one ordinary order, the memory of the server grows by at most
 * 200 MB, and by at most 300 MB when ten different screenshots of 50 megapixels arrive at once. Prints how long these
 * take, and how long the landing page takes meanwhile.
 * Control: if the server decodes whole images in memory, the memory grows by more than 200 MB.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { makeHugePng } from '../support/documents/images.ts';
import type { BuiltServer } from '../support/services/built-server.ts';
import { exchange } from '../support/services/server-client.ts';
import { sendCheckout } from './support/purchases.ts';
import { finishTest, isShort, printLine } from './support/report.ts';
import { memoryMb, openServer } from './support/server.ts';
import { type Rewrite, withVariant } from './support/server-variant.ts';

interface Screenshot {
	what: string;
	status: 200 | 422;
	bytes: Buffer;
}

const rounds = isShort ? 2 : 12;
const atOnce = 4;
const maxGrowthMb = 200;
const maxGrowthOfTenMb = 300;

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="90000" height="90000"/>');
const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
const canvas = (width: number, height: number) =>
	sharp({ create: { width, height, channels: 3, background: '#fff', noise } });
const png = await canvas(900, 1800).png().toBuffer();
const frames = await Promise.all(Array.from({ length: 12 }, () => canvas(200, 400).png().toBuffer()));
const plain = (width: number, height: number) => sharp({ create: { width, height, channels: 4, background: '#3b6d' } });
const hostile: Screenshot[] = [
	{ what: 'HTML', status: 422, bytes: Buffer.from('<!doctype html><script>alert(1)</script>') },
	{ what: 'SVG', status: 422, bytes: svg },
	{ what: '0 bytes', status: 422, bytes: Buffer.alloc(0) },
	{ what: '30,000² pixels', status: 422, bytes: makeHugePng(30_000, 30_000) },
	{ what: '11 MB', status: 422, bytes: Buffer.alloc(11 * 1024 * 1024, 1) },
	{ what: 'cut off', status: 422, bytes: png.subarray(0, png.length / 2) },
	{
		what: 'animated',
		status: 200,
		bytes: await sharp(frames, { join: { animated: true } })
			.gif()
			.toBuffer(),
	},
	{ what: 'CMYK', status: 200, bytes: await sharp(png).toColourspace('cmyk').jpeg().toBuffer() },
	{ what: '16 bits', status: 200, bytes: await canvas(400, 800).toColourspace('rgb16').png().toBuffer() },
	{ what: '49 megapixels', status: 200, bytes: makeHugePng(7_000, 7_000) },
	{
		what: '49 megapixels, progressive',
		status: 422,
		bytes: await plain(7_000, 7_000).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
	},
	{
		what: '20 megapixels, interlaced, 16 bits',
		status: 422,
		bytes: await plain(4_000, 5_000).toColourspace('rgb16').png({ progressive: true, compressionLevel: 1 }).toBuffer(),
	},
	{ what: '49 megapixels, GIF', status: 422, bytes: await plain(7_000, 7_000).gif({ effort: 1 }).toBuffer() },
];

const { growthMb, faults } = await runScenario();
const failures = [...faults, ...(await sendTenAtOnce())];
if (growthMb > maxGrowthMb) failures.push(`memory grew by ${growthMb} MB`);

const wholeImages: Rewrite = {
	file: 'platform/images/images.ts',
	find: /return sharp\(source, options\)\.autoOrient\(\);/u,
	replace: `const { data, info } = await sharp(source, options).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
		return sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });`,
};
const control = await withVariant('whole-images', [wholeImages], runScenario);
printLine(`control, each image whole in memory: ${control.growthMb} MB`);
if (control.growthMb <= maxGrowthMb) failures.push('the memory of the control did not grow either');
finishTest(failures);

/** @returns the largest growth of the memory of a server after one ordinary order, and the unexpected answers */
async function runScenario(dist?: string): Promise<{ growthMb: number; faults: string[] }> {
	await using server = await openServer(dist, { RATE_LIMIT_FACTOR: '1000' });
	// A first order loads code and libraries, which must not count as growth.
	const faults = await submit(server, { what: 'an ordinary screenshot', status: 200, bytes: png }, 'first');
	const before = await settledMemoryMb(server);
	const queue = Array.from({ length: rounds * hostile.length }, (_, at) => at);
	const sendNext = async () => {
		for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
			const screenshot = hostile[at % hostile.length] as Screenshot;
			faults.push(...(await submit(server, screenshot, String(at))));
		}
	};
	await Promise.all(Array.from({ length: atOnce }, sendNext));
	const highest = await memoryMb(server, 'VmHWM');
	const after = await memoryMb(server, 'VmRSS');
	printLine(`${rounds * hostile.length} submissions: ${before} MB before, ${highest} MB at most, ${after} MB after`);
	return { growthMb: highest - before, faults };
}

/** @returns the unexpected answers, and a sentence if the memory of the server has grown too much */
async function sendTenAtOnce(): Promise<string[]> {
	const large = await Promise.all(
		Array.from({ length: 10 }, async (_, number): Promise<Screenshot> => {
			const size = { width: 7_300, height: 6_800, fit: 'fill' } as const;
			const noisy = async (width: number, height: number) => sharp(await canvas(width, height).png().toBuffer());
			const scaled =
				number % 2 === 0
					? (await noisy(900, 800)).resize(size).jpeg({ quality: 60 })
					: (await noisy(90, 80)).resize({ ...size, kernel: 'nearest' }).png();
			const bytes = await scaled.toBuffer();
			return { what: '50 megapixels at once', status: 200, bytes };
		}),
	);
	await using server = await openServer(undefined, { RATE_LIMIT_FACTOR: '1000' });
	const failures = await submit(server, { what: 'an ordinary screenshot', status: 200, bytes: png }, 'first');
	const before = await settledMemoryMb(server);
	const startedAt = performance.now();
	const pagesMs: number[] = [];
	let isRunning = true;
	const readPages = async () => {
		for (; isRunning; await sleep(10)) pagesMs.push((await exchange(`${server.url}/`, {})).ms);
	};
	const reading = readPages();
	const answers = await Promise.all(large.map((screenshot, number) => submit(server, screenshot, String(number))));
	isRunning = false;
	await reading;
	const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
	const growth = (await memoryMb(server, 'VmHWM')) - before;
	const p99 = pagesMs.toSorted((a, b) => a - b)[Math.floor(pagesMs.length * 0.99)]?.toFixed(0);
	const megabytes = (large.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1_000_000).toFixed(0);
	printLine(`ten of 50 megapixels (${megabytes} MB): ${growth} MB, ${seconds} s, landing page p99 ${p99} ms`);
	failures.push(...answers.flat());
	if (growth > maxGrowthOfTenMb) failures.push(`memory grew by ${growth} MB with ten screenshots at once`);
	return failures;
}

async function submit(server: BuiltServer, { what, status, bytes }: Screenshot, name: string): Promise<string[]> {
	const email = `${what.replace(/\W/gu, '')}-${name}@example.com`.toLowerCase();
	const answer = await sendCheckout(server, email, { screenshot: bytes });
	const { fields } = JSON.parse(answer.body) as { fields?: { screenshot?: string } };
	const hasMessage = status === 200 || (fields?.screenshot ?? '') !== '';
	return answer.status === status && hasMessage ? [] : [`${what}: ${answer.status} ${answer.body}`];
}

/** Waits until two successive measurements of the memory of the server are equal. */
async function settledMemoryMb(server: BuiltServer): Promise<number> {
	for (let last = Number.NaN; ; ) {
		const now = await memoryMb(server, 'VmRSS');
		if (now === last) return now;
		last = now;
		await sleep(500);
	}
}
