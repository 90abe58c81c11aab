/**
 * Compares downloads of a member's own file of 200 MB, and random ranges of it: the built product, a minimal node:http
 * server that checks the session and the owner by one query, and nginx, which sends the file without a check. In
 * `ranges-nginx` the product is behind nginx and hands the bytes over to it (X_ACCEL_REDIRECT); the third side is a server
 * behind nginx that hands over without a check, which is the limit of this way. Checks that all sides send the same bytes.
 */
import { createHash } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { startServer } from '../../scripts/services/built-server.mjs';
import { demoEnvironment } from '../../scripts/services/demo-data.mjs';
import { freePort } from '../../scripts/services/free-port.mjs';
import { capture, root } from '../../scripts/setup/processes.mjs';
import { createNginx, prepareNginx } from '../../test/support/services/nginx.ts';
import { readCpuMs } from '../measure/event-stream-process.mjs';
import { createServiceSettings, runSeed } from '../measure/seed-and-load.mjs';

const rangeBytes = 256 * 1024;
const handOverLocation = '/stored-files';
/** Functions that start a contestant. Each returns its URL, its process ids, a function that ends it, and its path. */
const contestants = {
	folio: startFolio,
	baseline: startBaseline,
	nginx: startNginx,
	'folio+nginx': startFolioAndNginx,
	'unchecked+nginx': startUncheckedHandOver,
};

export const prepareDownload = (bench) => prepareComparison(bench, 'download', ['folio', 'baseline']);
export const prepareDownloadNginx = (bench) => prepareComparison(bench, 'download-nginx', ['folio', 'nginx']);
export const prepareRanges = (bench) => prepareComparison(bench, 'ranges', ['folio', 'baseline'], rangeBytes);
export const prepareRangesNginx = (bench) =>
	prepareComparison(bench, 'ranges-nginx', ['folio+nginx', 'nginx', 'unchecked+nginx'], rangeBytes);

async function prepareComparison(bench, name, names, ranges) {
	const { node, folder, form, service } = bench;
	const seconds = { full: 6, short: 2, once: 0.2 }[form];
	const megabytes = form === 'once' ? 4 : 200;
	const path = join(folder, [name, service].filter(Boolean).join('-'));
	const env = { ...demoEnvironment(path), ...(await createServiceSettings(service)) };
	const seeded = await runSeed(node, 'seed-small.ts', env, 'download', String(megabytes));
	const servers = {};
	for (const side of names) servers[side] = await contestants[side]({ ...bench, env, seeded });
	const close = async () => {
		for (const { stop } of Object.values(servers)) await stop();
	};
	const cookie = `folio_session=${seeded.token}`;
	const load = async ({ url, path }, forSeconds) => {
		const { hostname: host, port } = new URL(url);
		const connections = ranges === undefined ? 1 : 8;
		const { sizeBytes } = seeded;
		const task = { host, port, path, cookie, sizeBytes, rangeBytes: ranges, connections, seconds: forSeconds };
		const script = join(root, 'bench', 'measure', 'byte-load.mjs');
		const { code, output } = await capture(node, [script, JSON.stringify(task)]);
		if (code !== 0) throw new Error(`The load failed.\n${output}`);
		return JSON.parse(output);
	};
	try {
		await requireSameBytes(servers, cookie, seeded.sizeBytes);
	} catch (error) {
		await close();
		throw error;
	}
	const what = ranges === undefined ? `download of ${megabytes} MB` : 'range of 256 KB';
	return {
		contestants: names,
		rows: [
			...(ranges === undefined
				? [[`${what}, MB per second`, 'megabytesPerSecond', 0]]
				: [
						[`${what}, requests per second`, 'perSecond', 0],
						[`${what}, p99, ms`, 'p99Ms', 2],
					]),
			[`${what}, processor time, ms`, 'cpuMs', 3],
		],
		note: `${ranges === undefined ? 'One connection' : '8 connections'} for ${seconds} s; the same bytes from all.`,
		async measure(side) {
			const server = servers[side];
			if (form !== 'once') await load(server, 1);
			const readCpu = async () => (await Promise.all(server.pids.map(readCpuMs))).reduce((a, b) => a + b);
			const cpuBefore = await readCpu();
			const figures = await load(server, seconds);
			return { ...figures, cpuMs: ((await readCpu()) - cpuBefore) / figures.requests };
		},
		close,
	};
}

const contentPath = ({ fileId }) => `/api/files/${fileId}/content`;

async function startFolio({ node, program, env, seeded }, settings = {}) {
	const { url, pid, stop } = await startServer(node, { ...env, ...settings }, program);
	return { url, pids: [pid], path: contentPath(seeded), stop };
}

/** Starts the baseline on a copy of the data. */
async function startBaseline({ node, env, seeded }) {
	const folder = `${env.DATA_DIR}-baseline`;
	await cp(env.DATA_DIR, folder, { recursive: true });
	const program = join(root, 'bench', 'baselines', 'file-bytes-server.mjs');
	const { url, pid, stop } = await startServer(node, { ...env, DATA_DIR: folder }, program);
	return { url, pids: [pid], path: contentPath(seeded), stop };
}

async function startNginx({ env, seeded }) {
	const port = await freePort();
	const nginx = await createNginx(
		port,
		`server {
			listen 127.0.0.1:${port};
			sendfile on;
			tcp_nopush on;
			location = /healthz { return 200; }
			location / { root ${storageFolder(env)}; }
		}`,
	);
	await nginx.start();
	return { url: nginx.url, pids: [nginx.pid()], path: `/${seeded.storageKey}`, stop: nginx.close };
}

async function startFolioAndNginx(bench) {
	return putBehindNginx(bench, await startFolio(bench, { X_ACCEL_REDIRECT: handOverLocation }));
}

async function startUncheckedHandOver(bench) {
	const { node, env, seeded } = bench;
	const program = join(root, 'bench', 'baselines', 'hand-over-server.mjs');
	const settings = { ...env, HAND_OVER_PATH: `${handOverLocation}/${seeded.storageKey}` };
	const { url, pid, stop } = await startServer(node, settings, program);
	return putBehindNginx(bench, { url, pids: [pid], path: contentPath(seeded), stop });
}

async function putBehindNginx({ env }, { url, pids, path, stop }) {
	const nginx = await prepareNginx(await freePort(), [Number(new URL(url).port)], storageFolder(env));
	await nginx.start();
	return { url: nginx.url, pids: [...pids, nginx.pid()], path, stop: () => nginx.close().finally(stop) };
}

function storageFolder({ DATA_DIR }) {
	return join(DATA_DIR, 'storage');
}

/** Sides that check no access. */
const openSides = ['nginx', 'unchecked+nginx'];

/** Compares the hash of the file and of three ranges, and checks that only `openSides` answer without a session. */
async function requireSameBytes(servers, cookie, sizeBytes) {
	const starts = [0, Math.floor(sizeBytes / 3), sizeBytes - rangeBytes];
	const ranges = [undefined, ...starts.map((start) => `bytes=${start}-${start + rangeBytes - 1}`)];
	const hashes = {};
	for (const [side, { url, path }] of Object.entries(servers)) {
		if (!openSides.includes(side)) await requireSignIn(url + path);
		hashes[side] = [];
		for (const range of ranges) hashes[side].push(await hashOf(url + path, { cookie, ...(range && { range }) }));
	}
	if (new Set(Object.values(hashes).map(String)).size > 1) throw new Error('The sides send different bytes.');
}

async function requireSignIn(url) {
	const { status } = await fetch(url);
	if (status !== 401) throw new Error(`${url} answers ${status} without a session.`);
}

async function hashOf(url, headers) {
	const response = await fetch(url, { headers });
	if (!response.ok) throw new Error(`${url} answers ${response.status}.`);
	const hash = createHash('sha256');
	for await (const chunk of response.body) hash.update(chunk);
	return `${response.status} ${hash.digest('hex')}`;
}
