/**
 * Measures what happens when the owner replaces the file of an edition: the time until a reader who opens it at once
 * gets the first bytes of their new copy, the time until all readers have one, and the bytes on disk; then the ranges
 * that a reader fetches. Compares copies that share a base with complete copies. Both are made by the built product:
 * it makes complete copies of a PDF with more than 64 page sizes, so both books have the same pages of pictures, but
 * the second has 70 page sizes that differ by a hundredth of a point.
 */
import { once } from 'node:events';
import { cp, readdir, rm, stat } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from '../../scripts/services/built-server.mjs';
import { demoEnvironment } from '../../scripts/services/demo-data.mjs';
import { median, quantile } from '../measure/rounds.mjs';
import { runSeed } from '../measure/seed-and-load.mjs';

const rangeBytes = 256 * 1024;
/** The number of readers for which the bytes on disk are computed from those of the measured readers. */
const promisedReaders = 500;
const editionPath = '/api/editions/part-1-en/content';

export async function prepareWatermarkedCopies({ node, folder, program, form }) {
	const pages = form === 'once' ? 70 : 300;
	const readers = { full: 10, short: 4, once: 2 }[form];
	const passes = { full: 4, short: 2, once: 1 }[form];
	const sides = { shared: 'same', complete: 'different' };
	const seeds = {};
	for (const [name, sizes] of Object.entries(sides)) {
		const env = { ...demoEnvironment(join(folder, `copies-${name}`)), LOG_LEVEL: 'warn' };
		seeds[name] = {
			env,
			...(await runSeed(node, 'seed-small.ts', env, 'readers', String(pages), sizes, String(readers))),
		};
	}
	return {
		contestants: Object.keys(sides),
		rows: [
			[`bytes on disk for each of ${promisedReaders} readers, KB`, 'kilobytesEach', 1],
			['first open right after the replacement, ms', 'firstOpenMs', 0],
			[`copies of all ${readers} readers, s`, 'allSeconds', 1],
			['256 KB range, p50, ms', 'p50Ms', 2],
			['256 KB range, p99, ms', 'p99Ms', 2],
		],
		note:
			`${pages} pages, ${readers} readers. A book of one page is replaced, and the reader whose copy is made last opens ` +
			`the edition. The bytes on disk are the base divided by ${promisedReaders}, and the mean of each reader's own ` +
			'bytes. Ranges: one connection, all ranges of a copy in order, so that those with own bytes are included.',
		async measure(name) {
			const { env, ...seeded } = seeds[name];
			// A new installation for each measurement, because a base that exists is used again.
			const dataDir = `${env.DATA_DIR}-measured`;
			await cp(env.DATA_DIR, dataDir, { recursive: true });
			try {
				await using server = await startServer(node, { ...env, DATA_DIR: dataDir }, program);
				const replaced = await replaceEdition(server, seeded);
				const stored = await measureStorage(dataDir);
				requireKind(name, stored, readers);
				const times = await measureRanges(server.url, seeded.members[0], passes);
				return {
					...replaced,
					kilobytesEach: (stored.base / promisedReaders + stored.own / readers) / 1024,
					p50Ms: median(times),
					p99Ms: quantile(times, 0.99),
				};
			} finally {
				await rm(dataDir, { recursive: true, force: true });
			}
		},
		close: async () => {},
	};
}

async function replaceEdition(server, { adminToken, members, firstId, secondId }) {
	const call = async (token, method, path, body) => {
		const response = await fetch(server.url + path, {
			method,
			headers: { cookie: `folio_session=${token}`, origin: server.url, 'content-type': 'application/json' },
			...(body && { body: JSON.stringify(body) }),
		});
		if (!response.ok) throw new Error(`${path} answers ${response.status}: ${await response.text()}`);
		return response.json();
	};
	const assign = async (fileId) => {
		const settings = await call(adminToken, 'GET', '/api/settings/book');
		await call(adminToken, 'PUT', '/api/settings/book', { ...settings, editions: [{ key: 'part-1-en', fileId }] });
	};
	const copyOf = async ({ token }) => (await call(token, 'GET', '/api/shelf')).editions[0];
	const waitForCopy = async (member) => {
		for (const until = performance.now() + 120_000; performance.now() < until; await sleep(20)) {
			const edition = await copyOf(member);
			if (edition?.copy.state === 'ready') return edition;
		}
		throw new Error('A watermarked copy was not made.');
	};
	await assign(firstId);
	for (const { id } of members) await call(adminToken, 'PUT', `/api/users/${id}/book-grant`, { isGranted: true });
	for (const member of members) await waitForCopy(member);

	await assign(secondId);
	const startedAt = performance.now();
	// Copies are made in the order of the users' ids.
	const last = members.toSorted((a, b) => (a.id < b.id ? 1 : -1))[0];
	const { url } = await waitForCopy(last);
	await buffer(await request(server.url + url, last.token, `bytes=0-${rangeBytes - 1}`));
	const firstOpenMs = performance.now() - startedAt;
	for (const member of members) await waitForCopy(member);
	return { firstOpenMs, allSeconds: (performance.now() - startedAt) / 1000 };
}

async function measureStorage(dataDir) {
	const sizesIn = async (name) => {
		const path = join(dataDir, 'storage', name);
		const files = await readdir(path).catch(() => []);
		return Promise.all(files.map(async (file) => (await stat(join(path, file))).size));
	};
	const sum = (sizes) => sizes.reduce((total, size) => total + size, 0);
	const [copies, bases] = [await sizesIn('copies'), await sizesIn('copy-bases')];
	// Maintenance, which runs hourly, has not yet deleted the base of the first book.
	return { copies, own: sum(copies), base: Math.max(0, ...bases) };
}

/** Checks that the copies of this side are stored as its name says. */
function requireKind(name, { copies }, readers) {
	const isComplete = copies.map((size) => size > 1024 ** 2);
	if (copies.length !== readers || isComplete.includes(name === 'shared'))
		throw new Error(`The ${readers} copies of '${name}' have ${copies.join(', ')} bytes.`);
}

/** Reads all ranges of a copy in order, and checks that they are those of the whole copy. @returns the times in ms */
async function measureRanges(url, { token }, passes) {
	const whole = await buffer(await request(url + editionPath, token));
	const times = [];
	for (let pass = 0; pass < passes; pass += 1) {
		for (let start = 0; start < whole.length; start += rangeBytes) {
			const end = Math.min(start + rangeBytes, whole.length) - 1;
			const sentAt = performance.now();
			const bytes = await buffer(await request(url + editionPath, token, `bytes=${start}-${end}`));
			times.push(performance.now() - sentAt);
			if (!bytes.equals(whole.subarray(start, end + 1))) throw new Error(`The range from ${start} differs.`);
		}
	}
	return times;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

async function request(url, token, range) {
	const headers = { cookie: `folio_session=${token}`, ...(range && { range }) };
	const [response] = await once(get(url, { agent, headers }), 'response');
	if (response.statusCode !== (range ? 206 : 200)) throw new Error(`${url} answers ${response.statusCode}.`);
	return response;
}
