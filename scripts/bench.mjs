/**
 * `npm run bench`: measures the built product, each comparison in alternating rounds, and prints the medians of five.
 * `-- --only NAME` runs one of `comparisons`, or all whose names begin with NAME (such as chat, download or browser);
 * `-- --short` runs one round each. `-- --once` runs each with little data and prints no figures: it checks that all of
 * them run and that both sides give the same answers.
 * Writes the figures to bench/results. A comparison fails when it cannot run or its two sides give different
 * answers, but never because of its speed. The remaining comparisons run nevertheless.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeMachine, printTable, runRounds } from '../bench/measure/rounds.mjs';
import { build } from './build/dist.mjs';
import { copyBuild } from './services/built-server.mjs';
import { prepare } from './setup/prepare.mjs';
import { endProgramsOnSignal, fail, root, secondsSince } from './setup/processes.mjs';
import { makeTemporaryFolder } from './setup/temporary-folder.mjs';

/** Imports a comparison after `prepare`, because comparisons need the installed packages and the pinned Node. */
const load = (file, name) => async () => (await import(`../bench/comparisons/${file}.mjs`))[name];
/** A comparison on SQLite and a disk, on PostgreSQL and a disk, and on SQLite and an S3 store. */
const onEachService = (name, file, prepareName) =>
	Object.fromEntries(
		[undefined, 'postgres', 's3'].map((service) => {
			const loadOnService = async () => {
				const prepareComparison = await load(file, prepareName)();
				return (bench) => prepareComparison({ ...bench, service });
			};
			return [service === undefined ? name : `${name}-${service}`, loadOnService];
		}),
	);
const moreData = (name) => async () => (await load('more-data', 'prepareMoreData')())(name);
const comparisons = {
	'browser-page-turn': load('reader', 'preparePageTurn'),
	'browser-scroll': load('browser', 'prepareScroll'),
	'browser-uploads': load('browser', 'prepareDroppedFiles'),
	...onEachService('page-of-files', 'page-of-files', 'preparePageOfFiles'),
	...onEachService('large-upload', 'large-upload', 'prepareLargeUpload'),
	'upload-lag': load('upload-lag', 'prepareUploadLag'),
	...onEachService('small-uploads', 'small-uploads', 'prepareSmallUploads'),
	users: moreData('users'),
	files: moreData('files'),
	shares: moreData('shares'),
	'group-shares': moreData('group-shares'),
	landing: load('landing', 'prepareLanding'),
	orders: moreData('orders'),
	'chat-opening': moreData('chat'),
	'chat-delivery': load('chat', 'prepareDelivery'),
	'chat-idle-clients': load('chat', 'prepareWithIdleClients'),
	'chat-idle': load('chat', 'prepareIdle'),
	processes: load('processes', 'prepareProcesses'),
	reader: load('reader', 'prepareReader'),
	...onEachService('download', 'downloads', 'prepareDownload'),
	'download-nginx': load('downloads', 'prepareDownloadNginx'),
	ranges: load('downloads', 'prepareRanges'),
	'ranges-nginx': load('downloads', 'prepareRangesNginx'),
	visits: load('visits', 'prepareVisits'),
	thumbnails: load('thumbnails', 'prepareThumbnails'),
	'watermarked-copies': load('watermarked-copies', 'prepareWatermarkedCopies'),
};

const node = await prepare(import.meta.url);
const { values: options } = parseArgs({
	options: {
		short: { type: 'boolean' },
		once: { type: 'boolean' },
		only: { type: 'string' },
		report: { type: 'string' },
	},
});
const form = options.once ? 'once' : options.short ? 'short' : 'full';
const rounds = form === 'full' ? 5 : 1;
const isSelected = (name) => options.only === undefined || name === options.only || name.startsWith(`${options.only}-`);
const selected = Object.entries(comparisons).filter(([name]) => isSelected(name));
if (selected.length === 0) fail(`--only takes one of: ${Object.keys(comparisons).join(', ')}.`);
endProgramsOnSignal();
await build(node);
const folder = makeTemporaryFolder('folio-bench-');
const { program } = await copyBuild();
const results = {};
const outcomes = [];
for (const [name, loadComparison] of selected) {
	const startedAt = performance.now();
	let problem;
	try {
		results[name] = await runComparison(name, await loadComparison());
	} catch (error) {
		problem = error.stack;
	}
	console.error(
		`${problem ? 'FAILED' : 'ok    '} ${name} ${secondsSince(startedAt)} s${problem ? `\n${problem}` : ''}`,
	);
	outcomes.push({ name, problem });
}
await (await import('../bench/measure/seed-and-load.mjs')).stopServices();
if (form !== 'once') await writeResults();
if (options.report !== undefined) await writeFile(options.report, JSON.stringify(outcomes));
const failed = outcomes.filter(({ problem }) => problem !== undefined).map(({ name }) => name);
if (failed.length > 0) fail(`Failed: ${failed.join(', ')}`);
process.exit(0);

async function runComparison(name, prepareComparison) {
	console.error(`${name}: preparing data …`);
	const comparison = await prepareComparison({ node, folder, program, form });
	try {
		const { medians, measured } = await runRounds(comparison, rounds);
		requireFigures(comparison, medians);
		if (form !== 'once') {
			console.log(`\n${name}: medians of ${rounds} alternating rounds`);
			printTable(comparison, medians);
		}
		return { note: comparison.note, medians, measured };
	} finally {
		await comparison.close();
	}
}

function requireFigures({ rows, contestants }, medians) {
	for (const name of contestants)
		for (const [label, key] of rows)
			if (!Number.isFinite(medians[name][key])) throw new Error(`${name} has no figure for '${label}'.`);
}

async function writeResults() {
	const at = new Date().toISOString();
	const resultsFolder = join(root, 'bench', 'results');
	await mkdir(resultsFolder, { recursive: true });
	const file = join(resultsFolder, `${at.replaceAll(':', '-')}.json`);
	await writeFile(file, `${JSON.stringify({ at, machine: describeMachine(), rounds, ...results }, null, '\t')}\n`);
	console.log(`Written to ${file}`);
}
