/**
 * `npm test`: does the set-up of `npm start`, then runs the suites, two at a time unless one measures time; ends with
 * `N passed, N failed`. In less than eight minutes: all checks, all unit tests, all but the heaviest HTTP tests on the embedded database
 * and a folder, those of access and uploads on PostgreSQL and S3, and the most important journeys.
 * `npm test -- --ci`: also the heavy HTTP tests, uploads and whole installations on the other pairs of database and storage, most
 * resilience tests in short form, each comparison of `npm run bench` once, and all but the long journeys;
 * `npm test -- --long`: all HTTP tests on PostgreSQL and S3, all long journeys, with nothing beside them, and the
 * longest HTTP tests.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from './build/dist.mjs';
import { requireChromium } from './services/chromium.mjs';
import { requireNginx } from './services/nginx.mjs';
import { requireSwift } from './services/swift.mjs';
import { prepare } from './setup/prepare.mjs';
import { endRunning, endTogether, root, secondsSince } from './setup/processes.mjs';
import { runMessages, runPrograms, runTests } from './suites/checks.mjs';
import { emptyFailureFolder, failureLines, writeOutput } from './suites/failure-report.mjs';
import {
	closingLine,
	listResilienceTests,
	nameOfRun,
	runBench,
	runJourneys,
	runResilienceTest,
	runVitest,
} from './suites/suites.mjs';

/** The most important long journeys, which `npm test -- --ci` runs. */
const longJourneysOfCi = ['accessibility', 'landing-page-weight', 'shared-course'];
const accessFile = 'test/http/access/access.test.ts';
const uploadsFile = 'test/http/files/uploads.test.ts';
/** Tests that move, restore or migrate whole installations; on S3, the test `backup` and `npm test -- --long` do. */
const installationFiles = [
	'test/http/maintenance/backup.test.ts',
	'test/http/maintenance/move-installation.test.ts',
	'test/http/maintenance/upgrade.test.ts',
];
/** Resilience tests run only by name: they need services of their own, or more time than `npm test` has. */
const byNameOnly = ['failover', 'database-restart'];
/** Resilience tests that judge response times: nothing else may run beside them. */
const timedResilienceTests = ['locked-database', 'enumeration', 'storage-limits'];

// The set-up may start this script again in the pinned Node: time is measured from the first start.
process.env.FOLIO_TEST_STARTED_AT ??= String(Date.now());
const startedAt = performance.now() - (Date.now() - Number(process.env.FOLIO_TEST_STARTED_AT));
const node = await prepare(import.meta.url);
endTogether();
// A build that fails ends this process, and must not leave the tests beside it running.
process.once('exit', () => endRunning());

// Every suite records in this file which of the specified texts were shown.
const loggedTexts = join(root, '.stamp', `spoken-${process.pid}.jsonl`);
process.env.SPEC_TEXT_LOG = loggedTexts;
const isLong = process.argv.includes('--long');
const isForLanding = process.argv.includes('--ci');
const isWhole = isLong || isForLanding;
if (isLong) process.env.FOLIO_TEST_LONG = '1';
const folder = await emptyFailureFolder('test');
await rm(loggedTexts, { force: true });

console.log(`Set up after ${secondsSince(startedAt)} s.`);
const results = await runMessages();
for (const result of results) writeOutput(result, folder);
// Installed once, before several suites need it at the same time; if that fails, each of them reports it.
await requireSwift().catch(() => {});
const areOthersSought = findBrowsersAndProxy().catch(() => {});
const resilienceTests = isWhole ? (await listResilienceTests()).filter((name) => !byNameOnly.includes(name)) : [];
const untimedResilienceTests = resilienceTests.filter((name) => !timedResilienceTests.includes(name));
const isBuilt = build(node).then(reportBuild);
// Each of the parallel chains, once done with its suites, runs resilience tests from one shared list.
await Promise.all([
	runTests({ isWhole })
		.then(reportAll)
		.then(runOtherPairs)
		.then(reportAll)
		.then(() => Promise.all([isBuilt, areOthersSought]))
		.then(() => runResilienceTests(untimedResilienceTests)),
	isBuilt
		.then(runPrograms)
		.then(reportAll)
		.then(runScaled)
		.then(reportAll)
		.then(() => areOthersSought)
		.then(() => runJourneys([], { folder, projects: isWhole ? ['core', 'other'] : ['core'] }))
		.then(report)
		.then(runComparisons)
		.then(reportAll)
		.then(() => runResilienceTests(untimedResilienceTests)),
]);
await runResilienceTests(resilienceTests.filter((name) => timedResilienceTests.includes(name)));
if (isLong) report(await runJourneys([], { folder, projects: ['long', 'long forms'] }));
else if (isForLanding) report(await runJourneys(longJourneysOfCi, { folder, projects: ['long', 'long forms'] }));
// Only all journeys together show every text.
if (isWhole) report(await checkSpecifiedTexts());

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

/** Runs the HTTP tests on PostgreSQL and S3: all of them, or those that may differ there. */
function runScaled() {
	const projects = ['http', ...(isLong ? ['http-heavy'] : [])];
	return runVitest(projects, 'postgres', { storage: 's3', files: isLong ? [] : [accessFile, uploadsFile] });
}

/**
 * Runs the tests of uploads on the less common pairs of database and storage; those of access, which PostgreSQL with S3
 * has shown, in the long run only.
 */
async function runOtherPairs() {
	if (!isWhole) return [];
	const pairFiles = isLong ? [accessFile, uploadsFile] : [uploadsFile];
	return [
		...(await runVitest(['http', 'http-heavy'], 'postgres', { files: [...pairFiles, ...installationFiles] })),
		...(await runVitest(['http'], 'sqlite', { storage: 's3', files: pairFiles })),
	];
}

/** Runs the benchmarks, beside the resilience tests that do not judge time. */
async function runComparisons() {
	return isWhole ? [await runBench()] : [];
}

/** Removes resilience tests from the shared list and runs them, one after another, until it is empty. */
async function runResilienceTests(names) {
	for (let name = names.shift(); name !== undefined; name = names.shift()) {
		const result = await runResilienceTest(name, ['--short'], { folder });
		if (result.failed === 0) console.log(result.output.trimEnd());
		report(result);
	}
}

async function findBrowsersAndProxy() {
	await requireChromium({ isShellEnough: true });
	if (!isWhole) return;
	await requireChromium();
	await requireNginx();
}

function reportBuild() {
	console.log(`Built after ${secondsSince(startedAt)} s.`);
}

/** Checks that the suites of this run have shown every specified text of a built screen. */
async function checkSpecifiedTexts() {
	const { readLoggedTexts, describeCoverage, findMissingTexts } = await import(
		'../test/support/texts/specified-texts-report.ts'
	);
	const provoked = await readLoggedTexts(loggedTexts);
	await rm(loggedTexts, { force: true });
	const isWhole = findMissingTexts(provoked).length === 0;
	console.log(`All suites together: ${describeCoverage(provoked)}`);
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

function reportAll(each) {
	for (const result of each) report(result);
}

function report(result) {
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
