/**
 * `npm run bench`: measures the built product, each comparison in alternating rounds, and prints the medians of five.
 * `-- --only NAME` runs one comparison (page-of-files, users, files, shares, proofs, landing, orders, processes,
 * reader, visits), or all with one prefix (chat); `-- --short` runs one round each. `-- --once` runs each with little
 * data and prints no figures: it checks that all of them run and that both sides give the same answers.
 * Writes the figures to bench/results. Nothing passes or fails by speed; a comparison fails when it cannot run or its
 * two sides do not answer alike, and the others run all the same.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeMachine, printTable, runRounds } from '../bench/measure/rounds.mjs';
import { build } from './build/dist.mjs';
import { copyBuild } from './services/built-server.mjs';
import { prepare } from './setup/prepare.mjs';
import { endTogether, fail, root, secondsSince } from './setup/processes.mjs';

/** Imported only once the packages are installed and the pinned Node runs: comparisons need both. */
const comparisons = {
	'page-of-files': async () => (await import('../bench/comparisons/page-of-files.mjs')).preparePageOfFiles,
	users: async () => (await import('../bench/comparisons/users.mjs')).prepareUsers,
	files: async () => (await import('../bench/comparisons/files.mjs')).prepareFiles,
	shares: async () => (await import('../bench/comparisons/shares.mjs')).prepareShares,
	proofs: async () => (await import('../bench/comparisons/proofs.mjs')).prepareProofs,
	landing: async () => (await import('../bench/comparisons/landing.mjs')).prepareLanding,
	orders: async () => (await import('../bench/comparisons/orders.mjs')).prepareOrders,
	'chat-opening': async () => (await import('../bench/comparisons/chat.mjs')).prepareOpening,
	'chat-delivery': async () => (await import('../bench/comparisons/chat.mjs')).prepareDelivery,
	'chat-idle-clients': async () => (await import('../bench/comparisons/chat.mjs')).prepareWithIdleClients,
	'chat-idle': async () => (await import('../bench/comparisons/chat.mjs')).prepareIdle,
	processes: async () => (await import('../bench/comparisons/processes.mjs')).prepareProcesses,
	reader: async () => (await import('../bench/comparisons/reader.mjs')).prepareReader,
	visits: async () => (await import('../bench/comparisons/visits.mjs')).prepareVisits,
};

const node = await prepare(import.meta.url);
const { values: asked } = parseArgs({
	options: {
		short: { type: 'boolean' },
		once: { type: 'boolean' },
		only: { type: 'string' },
		report: { type: 'string' },
	},
});
const form = asked.once ? 'once' : asked.short ? 'short' : 'full';
const rounds = form === 'full' ? 5 : 1;
const isAsked = (name) => asked.only === undefined || name === asked.only || name.startsWith(`${asked.only}-`);
const chosen = Object.entries(comparisons).filter(([name]) => isAsked(name));
if (chosen.length === 0) fail(`--only takes one of: ${Object.keys(comparisons).join(', ')}.`);
endTogether();
await build(node);
const folder = await mkdtemp(join(tmpdir(), 'folio-bench-'));
const built = await copyBuild();
const results = {};
const outcomes = [];
try {
	for (const [name, load] of chosen) {
		const startedAt = performance.now();
		let problem;
		try {
			results[name] = await runComparison(name, await load());
		} catch (error) {
			problem = error.stack;
		}
		const seconds = secondsSince(startedAt);
		console.error(
			`${problem === undefined ? 'ok    ' : 'FAILED'} ${name} ${seconds} s${problem ? `\n${problem}` : ''}`,
		);
		outcomes.push({ name, seconds, problem });
	}
	if (form !== 'once') await writeResults();
	if (asked.report !== undefined) await writeFile(asked.report, JSON.stringify(outcomes));
} finally {
	await built.remove();
	await rm(folder, { recursive: true, force: true });
}
const failed = outcomes.filter(({ problem }) => problem !== undefined).map(({ name }) => name);
if (failed.length > 0) fail(`Failed: ${failed.join(', ')}`);
process.exit(0);

async function runComparison(name, prepareComparison) {
	console.error(`${name}: making data …`);
	const comparison = await prepareComparison({ node, folder, program: built.program, form });
	try {
		const { medians, measured } = await runRounds(comparison, rounds);
		requireFigures(comparison, medians);
		if (form !== 'once') {
			console.log(`\n${name}: medians of ${rounds} alternating rounds`);
			printTable(comparison, medians);
		}
		return { ...comparison.facts, medians, measured };
	} finally {
		await comparison.close();
	}
}

/** @throws Error when a row of the table has no figure, which would be printed as NaN */
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
