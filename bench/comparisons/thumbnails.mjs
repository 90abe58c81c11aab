/**
 * Compares the thumbnails of photographs of 12 megapixels, made by the built product, with sharp alone: when nothing else
 * runs, and while 200 pages of 50 files a second are requested. Both sides make the same bytes.
 */
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from '../../scripts/services/built-server.mjs';
import { capture, root } from '../../scripts/setup/processes.mjs';
import { readPage } from '../../test/support/fixtures/visits.ts';
import { quantile } from '../measure/rounds.mjs';
import { requireDurability, seedForBaseline } from '../measure/seed-and-load.mjs';

const pagesPerSecond = 200;
const pagePath = '/api/spaces/me/nodes?limit=50';
const pollMs = 20;

export async function prepareThumbnails(bench) {
	const { node, program, form, folder } = bench;
	const count = { full: 1000, short: 60, once: 2 }[form];
	const { seeded, env } = await seedForBaseline(bench, 'thumbnails', ['photographs', count]);
	const { folio, baseline } = env;
	const pristine = join(folder, 'thumbnails-pristine.db');
	await cp(join(folio.DATA_DIR, 'folio.db'), pristine);
	const photographs = join(folder, 'thumbnails-photographs');
	await collectPhotographs(baseline.DATA_DIR, photographs);
	const alone = join(folder, 'thumbnails-alone');
	const made = join(folio.DATA_DIR, 'storage', 'thumbnails');
	const agent = new Agent({ keepAlive: true, maxSockets: 20 });
	const cookie = `folio_session=${seeded.token}`;
	const baselineProgram = join(root, 'bench', 'baselines', 'baseline-server.mjs');

	/** Starts the product with all jobs due. @returns the seconds until all thumbnails exist, and the times of pages */
	async function runFolio(isBusy) {
		await rm(made, { recursive: true, force: true });
		for (const ending of ['-wal', '-shm']) await rm(join(folio.DATA_DIR, `folio.db${ending}`), { force: true });
		await cp(pristine, join(folio.DATA_DIR, 'folio.db'));
		const server = await startServer(node, folio, program);
		const startedAt = performance.now();
		const waiting = waitForFiles(made, count);
		const times = isBusy ? await requestPages(server.url, waiting) : [];
		await waiting;
		const seconds = (performance.now() - startedAt) / 1000;
		await server.stop();
		requireThumbnails(folio.DATA_DIR, count);
		return { seconds, times };
	}

	async function runSharp() {
		await rm(alone, { recursive: true, force: true });
		const program = join(root, 'bench', 'baselines', 'sharp-alone.mjs');
		const { code, output } = await capture(node, [program, photographs, alone]);
		if (code !== 0) throw new Error(output);
		return Number(output.trim());
	}

	async function runBaseline() {
		const seconds = await runSharp();
		await using server = await startServer(node, baseline, baselineProgram);
		await requireDurability(seeded.durability, server.url);
		const times = await requestPages(server.url, runSharp());
		return { perSecond: count / seconds, busyPerSecond: count / seconds, p99Ms: quantile(times, 0.99) };
	}

	/** Requests pages at a fixed rate until the work is done. @returns the milliseconds of each */
	async function requestPages(url, work) {
		let isDone = false;
		const done = work.then(() => {
			isDone = true;
		});
		const times = [];
		const startedAt = performance.now();
		const requests = [];
		for (let number = 0; !isDone; number += 1) {
			const waitMs = startedAt + (number / pagesPerSecond) * 1000 - performance.now();
			if (waitMs > 0) await sleep(waitMs);
			requests.push(readPage(agent, url, pagePath, cookie).then(({ status, ms }) => times.push(requireOk(status, ms))));
		}
		await Promise.all([done, ...requests]);
		return times;
	}

	await runFolio(false);
	await runSharp();
	await requireSameFiles(made, alone);
	return {
		contestants: ['folio', 'sharp'],
		rows: [
			['thumbnails per second', 'perSecond', 1],
			[`thumbnails per second beside ${pagesPerSecond} pages a second`, 'busyPerSecond', 1],
			['page of 50 beside thumbnails, p99, ms', 'p99Ms', 1],
		],
		note:
			`${count} photographs of 12 megapixels, the same thumbnails from both. The second row compares with sharp ` +
			'without pages. The third compares with the baseline server beside sharp.',
		async measure(name) {
			if (name === 'sharp') return runBaseline();
			const quiet = await runFolio(false);
			const busy = await runFolio(true);
			return {
				perSecond: count / quiet.seconds,
				busyPerSecond: count / busy.seconds,
				p99Ms: quantile(busy.times, 0.99),
			};
		},
		close: async () => agent.destroy(),
	};
}

/** Copies the stored photographs into one folder for sharp. */
async function collectPhotographs(dataDir, target) {
	await mkdir(target, { recursive: true });
	using database = new DatabaseSync(join(dataDir, 'folio.db'), { readOnly: true });
	const photographs = database.prepare("select id, storage_key from blobs where content_type = 'image/jpeg'").all();
	for (const { id, storage_key: key } of photographs)
		await cp(join(dataDir, 'storage', ...key.split('/')), join(target, `${id}.jpg`));
}

async function waitForFiles(folder, count) {
	while ((await readdir(folder).catch(() => [])).length < count) await sleep(pollMs);
}

function requireThumbnails(dataDir, count) {
	using database = new DatabaseSync(join(dataDir, 'folio.db'), { readOnly: true });
	const { made } = database.prepare('select count(thumb_blob_id) as made from thumbnails').get();
	if (made !== count) throw new Error(`${made} of ${count} thumbnails were made.`);
}

async function requireSameFiles(one, other) {
	const [hashes, otherHashes] = await Promise.all([one, other].map(hashFiles));
	if (hashes !== otherHashes) throw new Error('The two sides make different thumbnails.');
}

async function hashFiles(folder) {
	const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name))));
	return files
		.map((bytes) => createHash('sha256').update(bytes).digest('hex'))
		.sort()
		.join();
}

function requireOk(status, ms) {
	if (status !== 200) throw new Error(`A page answers ${status}.`);
	return ms;
}
