/**
 * `npm run bench`: measures the built product, each comparison in alternating rounds, and prints the medians of five.
 * `-- --only NAME` runs one comparison (page-of-files, people, files, shares, proofs, landing, orders, processes, reader), or all of one name (chat), `-- --short` one round each.
 * Writes the figures to bench/results. Nothing here passes or fails by speed; it fails when two contestants do not answer alike.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { prepareBystanders, prepareDelivery, prepareIdle, prepareOpening } from '../bench/chat.mjs';
import { prepareFiles } from '../bench/files.mjs';
import { prepareLanding } from '../bench/landing.mjs';
import { prepareOrders } from '../bench/orders.mjs';
import { preparePageOfFiles } from '../bench/page-of-files.mjs';
import { preparePeople } from '../bench/people.mjs';
import { prepareProcesses } from '../bench/processes.mjs';
import { prepareProofs } from '../bench/proofs.mjs';
import { prepareReader } from '../bench/reader.mjs';
import { describeMachine, printTable, runRounds } from '../bench/rounds.mjs';
import { prepareShares } from '../bench/shares.mjs';
import { copyBuild } from './built-server.mjs';
import { build } from './dist.mjs';
import { endTogether, fail, root } from './processes.mjs';
import { prepare } from './setup.mjs';

/** A later issue adds its own here, in a file of its own. */
const comparisons = {
	'page-of-files': preparePageOfFiles,
	people: preparePeople,
	files: prepareFiles,
	shares: prepareShares,
	proofs: prepareProofs,
	landing: prepareLanding,
	orders: prepareOrders,
	'chat-opening': prepareOpening,
	'chat-delivery': prepareDelivery,
	'chat-bystanders': prepareBystanders,
	'chat-idle': prepareIdle,
	processes: prepareProcesses,
	reader: prepareReader,
};

const node = await prepare(import.meta.url);
const { values: asked } = parseArgs({ options: { short: { type: 'boolean' }, only: { type: 'string' } } });
const isShort = asked.short === true;
const rounds = isShort ? 1 : 5;
const isAsked = (name) => asked.only === undefined || name === asked.only || name.startsWith(`${asked.only}-`);
const chosen = Object.entries(comparisons).filter(([name]) => isAsked(name));
if (chosen.length === 0) fail(`--only takes one of: ${Object.keys(comparisons).join(', ')}.`);
endTogether();
await build(node);
const folder = await mkdtemp(join(tmpdir(), 'folio-bench-'));
const built = await copyBuild();
const results = {};
try {
	for (const [name, prepareComparison] of chosen) {
		console.error(`${name}: making data …`);
		const comparison = await prepareComparison({ node, folder, program: built.program, isShort });
		try {
			const { medians, measured } = await runRounds(comparison, rounds);
			console.log(`\n${name}: medians of ${rounds} alternating rounds`);
			printTable(comparison, medians);
			results[name] = { ...comparison.facts, medians, measured };
		} finally {
			await comparison.close();
		}
	}
	await keepResults();
} finally {
	await built.remove();
	await rm(folder, { recursive: true, force: true });
}
process.exit(0);

async function keepResults() {
	const at = new Date().toISOString();
	const resultsFolder = join(root, 'bench', 'results');
	await mkdir(resultsFolder, { recursive: true });
	const file = join(resultsFolder, `${at.replaceAll(':', '-')}.json`);
	await writeFile(file, `${JSON.stringify({ at, machine: describeMachine(), rounds, ...results }, null, '\t')}\n`);
	console.log(`Written to ${file}`);
}
