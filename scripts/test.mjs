/**
 * `npm test`: the set-up of `npm start`, then the suites, two at a time where none measures time; ends with
 * `N passed, N failed`. In less than ten minutes: all checks, all unit and HTTP tests on the embedded database and a folder,
 * on the other pairs of database and storage what may differ there, the journeys, and the drills that guard the most.
 * `npm test -- --ci`, in less than 25: whole installations on PostgreSQL too, most drills in short form, each comparison of
 * `npm run bench` once, and some long journeys;
 * `npm test -- --long`: all HTTP tests on PostgreSQL and S3, all long journeys, with nothing beside them, and the longest HTTP
 * tests.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runMessages, runPrograms, runTests } from './checks.mjs';
import { requireChromium } from './chromium.mjs';
import { build } from './dist.mjs';
import { emptyFailureFolder, failureLines, writeOutput } from './failures.mjs';
import { requireNginx } from './nginx.mjs';
import { endRunning, endTogether, root, secondsSince } from './processes.mjs';
import { prepare } from './setup.mjs';
import { closingLine, listDrills, nameOfRun, runBench, runDrill, runJourneys, runVitest } from './suites.mjs';
import { requireSwift } from './swift.mjs';

/** Of the long journeys, those that guard the most: `npm test -- --ci` runs them. */
const guards = ['axe', 'storefront-measures', 'three-browsers'];
/** What runs on all four pairs of a database and a storage. */
const pairFiles = ['test/http/access.test.ts', 'test/http/uploads.test.ts'];
/** Whole installations, there and back: on a store the drill `backup` does it, and `npm test -- --long`. */
const installationFiles = ['test/http/backup.test.ts', 'test/http/move.test.ts'];
/** Drills of the plain run. */
const firstDrills = ['purchases', 'upload'];
/** Drills that only `node scripts/drill.mjs NAME` runs: they need services of their own, or more time than `npm test` has. */
const byNameOnly = ['failover', 'database-restart'];
/** Drills that judge how quick an answer is: nothing else may run beside them. */
const timedDrills = ['locked-database', 'enumeration', 'storage-limits'];

// The set-up may start this script again in the pinned Node: the time counts from the first.
process.env.FOLIO_TEST_STARTED_AT ??= String(Date.now());
const startedAt = performance.now() - (Date.now() - Number(process.env.FOLIO_TEST_STARTED_AT));
const node = await prepare(import.meta.url);
endTogether();
// A build that fails ends this process, and must not leave the tests beside it running.
process.once('exit', () => endRunning());

// Every suite notes here which of the specified texts it heard.
const heardTexts = join(root, '.stamp', `spoken-${process.pid}.jsonl`);
process.env.SPEC_TEXT_LOG = heardTexts;
const isLong = process.argv.includes('--long');
const isForLanding = process.argv.includes('--ci');
const isWhole = isLong || isForLanding;
if (isLong) process.env.FOLIO_TEST_LONG = '1';
const folder = await emptyFailureFolder('test');
await rm(heardTexts, { force: true });

console.log(`Set up after ${secondsSince(startedAt)} s.`);
const results = await runMessages();
for (const result of results) writeOutput(result, folder);
// Once, before several suites want it at the same moment; where it cannot be had, each of them says so.
await requireSwift().catch(() => {});
const areOthersSought = requireNginx()
	.catch(() => {})
	.then(requireChromium)
	.catch(() => {});
const drills = isWhole ? (await listDrills()).filter((name) => !byNameOnly.includes(name)) : firstDrills;
const untimedDrills = drills.filter((name) => !timedDrills.includes(name));
const isBuilt = build(node).then(tellOfBuild);
// Whoever is done with the rest takes one drill after the other off the same list.
await Promise.all([
	runTests()
		.then(tellAll)
		.then(runOtherPairs)
		.then(tellAll)
		.then(() => Promise.all([isBuilt, areOthersSought]))
		.then(() => runDrills(untimedDrills)),
	isBuilt
		.then(runPrograms)
		.then(tellAll)
		.then(runScaled)
		.then(tellAll)
		.then(() => areOthersSought)
		.then(() => runJourneys([], { folder, project: 'short' }))
		.then(tell)
		.then(runComparisons)
		.then(tellAll)
		.then(() => runDrills(untimedDrills)),
]);
await runDrills(drills.filter((name) => timedDrills.includes(name)));
if (isLong) tell(await runJourneys([], { folder, project: 'long*' }));
else if (isForLanding) tell(await runJourneys(guards, { folder, project: 'long*' }));
tell(await judgeTexts());

console.log('');
for (const { name, passed, failed, skipped, seconds, problem } of results) {
	console.log(
		`${name.padEnd(24)} ${closingLine([{ passed, failed, skipped }])} in ${seconds} s${problem ? `: ${problem}` : ''}`,
	);
}
for (const [database, databaseName] of [
	['sqlite', 'SQLite'],
	['postgres', 'PostgreSQL'],
]) {
	for (const [storage, storageName] of [
		['disk', 'disk'],
		['s3', 'S3'],
	])
		console.log(
			`HTTP tests on ${databaseName} with ${storageName} storage: ${countOf(nameOfRun('http', database, storage))}`,
		);
}
console.log(`npm test took ${secondsSince(startedAt)} s.`);
for (const line of failureLines(results, folder)) console.log(line);
console.log(closingLine(results));
process.exitCode = results.some(({ failed }) => failed > 0) ? 1 : 0;

/** The other shape: all of it, or what may differ there. */
function runScaled() {
	return runVitest(['http'], 'postgres', { storage: 's3', files: isLong ? [] : pairFiles });
}

/** Who may call what, and uploads, where a database and a storage meet that seldom do. */
async function runOtherPairs() {
	const ofPostgres = isWhole ? [...pairFiles, ...installationFiles] : pairFiles;
	return [
		...(await runVitest(['http'], 'postgres', { files: ofPostgres })),
		...(await runVitest(['http'], 'sqlite', { storage: 's3', files: pairFiles })),
	];
}

/** The benchmarks, beside the drills that judge no time. */
async function runComparisons() {
	return isWhole ? [await runBench()] : [];
}

/** Takes the drills off the list and runs them, one after the other. */
async function runDrills(names) {
	for (let name = names.shift(); name !== undefined; name = names.shift()) {
		const result = await runDrill(name, ['--short'], { folder });
		if (result.failed === 0) console.log(result.output.trimEnd());
		tell(result);
	}
}

function tellOfBuild() {
	console.log(`Built after ${secondsSince(startedAt)} s.`);
}

/** Every specified text of a built screen must have been provoked by a suite of this run. */
async function judgeTexts() {
	const { readProvoked, reportOf, findMissing } = await import('../test/support/spec-report.ts');
	const provoked = await readProvoked(heardTexts);
	await rm(heardTexts, { force: true });
	const isWhole = findMissing(provoked).length === 0;
	console.log(`All suites together: ${reportOf(provoked)}`);
	return {
		name: 'specified texts',
		passed: isWhole ? 1 : 0,
		failed: isWhole ? 0 : 1,
		skipped: 0,
		seconds: '0.0',
		output: '',
		...(isWhole ? {} : { problem: 'a specified text was not provoked' }),
	};
}

function tellAll(each) {
	for (const result of each) tell(result);
}

function tell(result) {
	results.push(result);
	if (result.failed === 0) return console.log(`ok     ${result.name} ${result.seconds} s`);
	writeOutput(result, folder);
	console.log(result.output);
	console.log(`FAILED ${result.name} ${result.seconds} s ${result.problem ?? ''}`);
}

function countOf(name) {
	const result = results.find((each) => each.name === name);
	return result === undefined ? 0 : result.passed + result.failed;
}
