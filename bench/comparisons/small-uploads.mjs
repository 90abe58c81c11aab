/**
 * Compares uploads of many small files with a minimal node:http server: each file in one request (tus's
 * creation-with-upload; a PUT in the baseline), acknowledged when file and row are durable. Fails when a side did not
 * store all bytes, or when the two sides differ in durability or in the length of an answer.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { startServer } from '../../scripts/services/built-server.mjs';
import { capture, root } from '../../scripts/setup/processes.mjs';
import { connectDatabase, connectStore } from '../baselines/baseline-answers.mjs';
import { readCpuMs } from '../measure/event-stream-process.mjs';
import { describeStore, requireDurability, seedForBaseline } from '../measure/seed-and-load.mjs';

const sizeBytes = 20 * 1024;
const connections = 8;
const folderCount = 4;

export async function prepareSmallUploads(bench) {
	const { node, program, form } = bench;
	const count = { full: 1000, short: 300, once: 24 }[form];
	const protocols = { folio: 'tus', baseline: 'put' };
	const { seeded, env } = await seedForBaseline(bench, 'small-uploads', ['uploads', folderCount], {
		LOG_LEVEL: 'warn',
	});
	const programs = { folio: program, baseline: join(root, 'bench', 'baselines', 'baseline-uploads.mjs') };
	const headers = { cookie: `folio_session=${seeded.token}` };
	let round = 0;
	return {
		contestants: ['folio', 'baseline'],
		rows: [
			['small files uploaded, per second', 'perSecond', 0],
			['one small file, p50, ms', 'p50Ms', 2],
			['one small file, p99, ms', 'p99Ms', 2],
			['processor time of the server for each file, ms', 'cpuMs', 2],
		],
		note:
			`${count} files of ${sizeBytes / 1024} KB a round, ${connections} at a time, in ${folderCount} folders; all bytes read ` +
			`back on both sides; ${describeStore(bench, seeded.durability)}.`,
		async measure(name) {
			round += 1;
			await using server = await startServer(node, env[name], programs[name]);
			if (name === 'baseline') await requireDurability(seeded.durability, server.url);
			const { hostname: host, port } = new URL(server.url);
			const send = async (label, count) => {
				const task = { host, port: Number(port), protocol: protocols[name], paths: seeded.paths, label, count };
				return runUploadLoad(node, { ...task, connections, sizeBytes, headers });
			};
			const warmUp = await send(`${name}-warm-up-${round}`, form === 'once' ? 8 : 200);
			const cpuBeforeMs = await readCpuMs(server.pid);
			const sent = await send(`${name}-${round}`, count);
			const cpuMs = ((await readCpuMs(server.pid)) - cpuBeforeMs) / count;
			if (sent.bodyBytes.length !== 1 || sent.bodyBytes[0] !== 0)
				throw new Error(`${name}: bodies of ${sent.bodyBytes} bytes.`);
			await requireStored(name, env[name], [...warmUp.hashes, ...sent.hashes]);
			return { perSecond: sent.perSecond, p50Ms: sent.p50Ms, p99Ms: sent.p99Ms, cpuMs };
		},
		close: async () => {},
	};
}

const queries = {
	folio: `select blobs.storage_key as key, blobs.sha256 from blobs join nodes on nodes.blob_id = blobs.id
		join uploads on uploads.node_id = nodes.id where uploads.finished_at is not null`,
	baseline: 'select key, sha256 from baseline_files',
};
const folders = { folio: 'storage', baseline: 'baseline' };

/** Requires that each hash has a row, and that the row's file has these bytes. */
async function requireStored(side, env, hashes) {
	const database = await connectDatabase(env);
	const keys = new Map((await database.prepare(queries[side])()).map(({ key, sha256 }) => [sha256, key]));
	await database.close();
	const store = env.S3_BUCKET ? await connectStore(env) : null;
	for (const sha256 of hashes) {
		const key = keys.get(sha256);
		if (key === undefined) throw new Error(`${side} has no row of an acknowledged file.`);
		const file = join(env.DATA_DIR, folders[side], key);
		const bytes = await (store === null ? readFile(file) : buffer(await store.get(key)));
		if (createHash('sha256').update(bytes).digest('hex') !== sha256)
			throw new Error(`${side} has stored other bytes than were sent.`);
	}
}

/** Sends `count` new files and waits for their answers. @returns the figures, and the hashes of the files */
async function runUploadLoad(node, task) {
	const { code, output } = await capture(node, [
		join(root, 'bench', 'measure', 'upload-load.mjs'),
		JSON.stringify(task),
	]);
	if (code !== 0) throw new Error(`The uploads failed.\n${output}`);
	return JSON.parse(output);
}
