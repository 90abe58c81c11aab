/**
 * Compares one upload of 200 MB, sent by tus in chunks of 32 MB as the browser does, with a baseline that receives one PUT
 * and syncs it, or pipes it to the S3 store. Fails when a side stores other bytes than were sent, or when the two have different durability.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { startServer } from '../../scripts/services/built-server.mjs';
import { root } from '../../scripts/setup/processes.mjs';
import { readCpuMs } from '../measure/event-stream-process.mjs';
import { describeStore, requireDurability, seedForBaseline, stopAll } from '../measure/seed-and-load.mjs';
import { requireStored, uploaders } from '../measure/send-upload.mjs';

export async function prepareLargeUpload(bench) {
	const { node, program, form, service } = bench;
	const megabytes = form === 'once' ? 40 : 200;
	const uploads = { full: service === 's3' ? 2 : 6, short: service === 's3' ? 1 : 3, once: 1 }[form];
	const { seeded, env } = await seedForBaseline(bench, 'large-upload', ['large-file', 0]);
	const cookie = `folio_session=${seeded.token}`;
	const programs = { folio: program, baseline: join(root, 'bench', 'baselines', 'streamed-uploads.mjs') };
	const servers = {};
	for (const side of ['folio', 'baseline']) servers[side] = await startServer(node, env[side], programs[side]);
	await requireDurability(seeded.durability, servers.baseline.url);
	let number = 0;
	return {
		contestants: ['folio', 'baseline'],
		rows: [
			['upload of 200 MB, MB per second', 'perSecond', 0],
			['processor time of the server per GB, seconds', 'cpuSeconds', 2],
		],
		note:
			`${uploads} uploads of ${megabytes} MB, one after the other; folio receives chunks of 32 MB by tus and stores the ` +
			'SHA-256, the baseline receives one PUT and computes no hash; both store the file and commit a row durably before ' +
			`the answer; the stored bytes were read back and are equal; ${describeStore(bench, seeded.durability)}.`,
		async measure(side) {
			const { url, pid } = servers[side];
			let seconds = 0;
			const cpuBeforeMs = await readCpuMs(pid);
			for (let upload = 0; upload < uploads; upload += 1) {
				number += 1;
				const bytes = randomBytes(megabytes * 1024 ** 2);
				const startedAt = performance.now();
				await uploaders[side](url, cookie, `large ${number}.bin`, bytes);
				seconds += (performance.now() - startedAt) / 1000;
				if (upload === 0) await requireStored(side, url, cookie, `large ${number}.bin`, bytes);
			}
			const total = uploads * megabytes;
			// Milliseconds for each MB are seconds for each GB.
			return { perSecond: total / seconds, cpuSeconds: ((await readCpuMs(pid)) - cpuBeforeMs) / total };
		},
		close: () => stopAll(servers),
	};
}
