/**
 * `node bench/growth.mjs [files|orders|users]`: measures for docs/performance.md how cost grows with the number of rows in
 * one process of the built product with SQLite: each page of the comparisons of more-data.mjs at 1,000 to 1,000,000 rows
 * (users: 100,000), bytes of the database, memory and start. Takes about 20 minutes, in which nothing else should run.
 * Never fails because of a speed.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from '../scripts/build/dist.mjs';
import { copyBuild, startServer } from '../scripts/services/built-server.mjs';
import { demoEnvironment } from '../scripts/services/demo-data.mjs';
import { prepare } from '../scripts/setup/prepare.mjs';
import { endProgramsOnSignal } from '../scripts/setup/processes.mjs';
import { makeTemporaryFolder } from '../scripts/setup/temporary-folder.mjs';
import { comparisons } from './comparisons/more-data.mjs';
import { median } from './measure/rounds.mjs';
import { readMemory, runHttpLoad, runSeed } from './measure/seed-and-load.mjs';

const counts = {
	files: [1000, 10_000, 100_000, 1_000_000],
	orders: [1000, 10_000, 100_000, 1_000_000],
	users: [1000, 10_000, 100_000],
};
const secondsPerPage = 3;
const starts = 5;

const node = await prepare(import.meta.url);
endProgramsOnSignal();
await build(node);
const folder = makeTemporaryFolder('folio-growth-');
const { program } = await copyBuild();
const [only] = process.argv.slice(2);
for (const [area, sizes] of Object.entries(counts))
	if (only === undefined || only === area) await measureArea(area, sizes);
process.exit(0);

async function measureArea(area, sizes) {
	const columns = [];
	for (const count of sizes) {
		columns.push(await measureCount(area, count));
		console.error(`${area}: ${count} measured.`);
	}
	printRow([`${area}, p50 / p99 in ms`, ...sizes.map((count) => count.toLocaleString('en'))]);
	printRow(['---', ...sizes.map(() => '---')]);
	for (const label of Object.keys(columns[0])) printRow([label, ...columns.map((figures) => figures[label])]);
	console.log('');
}

async function measureCount(area, count) {
	const env = { ...demoEnvironment(join(folder, `${area}-${count}`)), LOG_LEVEL: 'warn' };
	const seeded = await runSeed(node, `seed-${area}.ts`, env, String(count));
	const cookie = `folio_session=${seeded.token}`;
	const startTimes = [];
	for (let start = 0; start < starts; start += 1) {
		await using server = await startServer(node, env, program);
		startTimes.push(server.startMs);
	}
	await using server = await startServer(node, env, program);
	const pages = await comparisons[area].findPages({ url: server.url, cookie, seeded, count });
	const figures = {};
	for (const [page, path] of Object.entries(pages)) {
		const body = await (await fetch(server.url + path, { headers: { cookie } })).arrayBuffer();
		const task = { url: server.url, path, headers: { cookie }, connections: 1, bodyBytes: body.byteLength };
		await runHttpLoad(node, { ...task, seconds: 0.5 });
		const { p50Ms, p99Ms } = await runHttpLoad(node, { ...task, seconds: secondsPerPage });
		figures[comparisons[area].rows[page]] = `${p50Ms.toFixed(2)} / ${p99Ms.toFixed(2)}`;
	}
	const { size } = await stat(join(env.DATA_DIR, 'folio.db'));
	figures['database, MB'] = (size / 1024 ** 2).toFixed(1);
	figures['memory (RSS) after this, MB'] = (await readMemory(server.pid)).toFixed(0);
	figures['start to the first answer, ms'] = median(startTimes).toFixed(0);
	return figures;
}

function printRow(cells) {
	console.log(`| ${cells.join(' | ')} |`);
}
