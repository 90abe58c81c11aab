/**
 * Compares for how long 40 concurrent uploads block the event loop: by tus in Folio, by PUT in the baseline. The lag is
 * measured from outside by a request for `/healthz` every 5 ms, and inside by the server's metrics. Fails when a side
 * stores other bytes than were sent.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from '../../scripts/services/built-server.mjs';
import { root } from '../../scripts/setup/processes.mjs';
import { openRawConnection } from '../measure/raw-connection.mjs';
import { quantile } from '../measure/rounds.mjs';
import { requireDurability, seedForBaseline, stopAll } from '../measure/seed-and-load.mjs';
import { requireStored, uploaders } from '../measure/send-upload.mjs';

const mebibyte = 1024 ** 2;
const uploadsAtOnce = 40;
/** Sizes in MiB, in turn. */
const sizes = { full: [1, 2, 4, 8, 25], short: [1, 2, 4, 8, 25], once: [0.1, 0.5, 1] };
const probeEveryMs = 5;

export async function prepareUploadLag(bench) {
	const { node, program, form } = bench;
	const passes = form === 'full' ? 3 : 1;
	const { seeded, env } = await seedForBaseline(bench, 'upload-lag', ['large-file', 0]);
	const cookie = `folio_session=${seeded.token}`;
	const programs = { folio: program, baseline: join(root, 'bench', 'baselines', 'streamed-uploads.mjs') };
	const servers = {};
	for (const side of ['folio', 'baseline']) servers[side] = await startServer(node, env[side], programs[side]);
	await requireDurability(seeded.durability, servers.baseline.url);
	const contents = Array.from({ length: uploadsAtOnce }, (_, index) =>
		randomBytes(sizes[form][index % sizes[form].length] * mebibyte),
	);
	const total = contents.reduce((sum, { length }) => sum + length, 0) / mebibyte;
	let pass = 0;
	return {
		contestants: ['folio', 'baseline'],
		rows: [
			['/healthz while uploads run, p99, ms', 'probeP99Ms', 1],
			['/healthz while uploads run, longest, ms', 'probeWorstMs', 1],
			['event-loop lag (inside), p99, ms', 'lagP99Ms', 1],
			['event-loop lag (inside), longest, ms', 'lagWorstMs', 1],
			['all uploads, MB per second', 'perSecond', 0],
		],
		note:
			`${uploadsAtOnce} uploads at once, ${Math.round(total)} MB together, ${passes} times; the lag inside is Node's ` +
			'monitorEventLoopDelay less its interval of 10 ms; the baseline computes no hash; stored bytes compared.',
		async measure(side) {
			const { url } = servers[side];
			await readLag(url);
			const probing = probe(url);
			let seconds = 0;
			const names = [];
			for (let round = 0; round < passes; round += 1) {
				pass += 1;
				const startedAt = performance.now();
				names.splice(0, Infinity, ...contents.map((_, index) => `lag ${pass} ${index}.bin`));
				await Promise.all(contents.map((bytes, index) => uploaders[side](url, cookie, names[index], bytes)));
				seconds += (performance.now() - startedAt) / 1000;
			}
			const probes = await probing.stop();
			const lag = await readLag(url);
			for (const index of [0, 1, uploadsAtOnce - 1])
				await requireStored(side, url, cookie, names[index], contents[index]);
			return {
				probeP99Ms: quantile(probes, 0.99),
				probeWorstMs: Math.max(...probes),
				...lag,
				perSecond: (passes * total) / seconds,
			};
		},
		close: () => stopAll(servers),
	};
}

/** Asks for `/healthz` every 5 ms, or as soon as the last answer has arrived, until it is stopped. */
function probe(url) {
	const { hostname: host, port } = new URL(url);
	const times = [];
	let isRunning = true;
	const running = (async () => {
		const connection = await openRawConnection({ host, port: Number(port) });
		const request = Buffer.from(`GET /healthz HTTP/1.1\r\nhost: ${host}:${port}\r\n\r\n`);
		while (isRunning) {
			const sentAt = performance.now();
			await connection.request(request);
			const elapsed = performance.now() - sentAt;
			times.push(elapsed);
			await sleep(Math.max(0, probeEveryMs - elapsed));
		}
		connection.end();
	})();
	const stop = async () => {
		isRunning = false;
		await running;
		return times;
	};
	return { stop };
}

/** Reads the lag since the last call: monitorEventLoopDelay counts from its last timer, 10 ms before. */
async function readLag(url) {
	const text = await (await fetch(`${url}/metrics`)).text();
	const read = (name) => Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (\\S+)`, 'm').exec(text)?.[1]) * 1000;
	const intervalMs = 10;
	return { lagP99Ms: Math.max(0, read('p99') - intervalMs), lagWorstMs: Math.max(0, read('max') - intervalMs) };
}
