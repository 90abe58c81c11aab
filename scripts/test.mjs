/**
 * `npm test`: sets up like `npm start`, runs the suites, two at a time except those that measure time, and ends with
 * `N passed, N failed`. It runs all checks and unit tests, the HTTP tests on SQLite with a disk except the heavy ones,
 * the access and upload tests on PostgreSQL with S3, and the journeys of `core`, in less than eight minutes.
 * `npm test -- --ci` adds the heavy HTTP tests, the tests of the S3 store, the upload tests on all pairs of database and
 * storage, whole installations on PostgreSQL, all other journeys except most long ones, most resilience tests in short
 * form, and each benchmark once.
 * `npm test -- --long` adds all HTTP tests on PostgreSQL with S3, all long journeys, and the slowest HTTP tests.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from './build/dist.mjs';
import { requireChromium } from './services/chromium.mjs';
import { requireNginx } from './services/nginx.mjs';
import { requireSwift } from './services/swift.mjs';
import { prepare } from './setup/prepare.mjs';
import { endProgramsOnSignal, endRunning, root, secondsSince } from './setup/processes.mjs';
import { runMessages, runPrograms } from './suites/checks.mjs';
import { emptyFailureFolder, failureLines, writeOutput } from './suites/failure-report.mjs';
import {
	closingLine,
	httpServices,
	listResilienceTests,
	nameOfHttpRun,
	resultOfStep,
	runBench,
	runJourneys,
	runResilienceTest,
	runVitest,
} from './suites/suites.mjs';

/** The only long journeys of `--ci`. They measure fonts, which the headless shell draws differently. */
const longJourneysOfCi = ['landing-page-weight'];
const accessFile = 'test/http/access/access.slow.test.ts';
const uploadsFile = 'test/http/files/uploads.slow.test.ts';
/**
 * Tests that back up, restore or upgrade whole installations. They run on S3 only with `--long`; the resilience test
 * `backup` covers S3 otherwise.
 */
const installationFiles = [
	'test/http/maintenance/backup.heavy.test.ts',
	'test/http/maintenance/restore-elsewhere.heavy.test.ts',
	'test/http/maintenance/upgrade.heavy.test.ts',
];
/**
 * Resilience tests that run only by name: they need further services, a loop device, strace, or more time than `npm test`
 * may take.
 */
const byNameOnly = ['failover', 'database-restart', 'power-cuts', 'sync-errors'];
/** Resilience tests that check response times, which parallel tests would slow down. */
const timedResilienceTests = ['locked-database', 'enumeration', 'storage-limits'];

// The set-up may restart this script in the pinned Node, so the time of the first start is passed on.
process.env.FOLIO_TEST_STARTED_AT ??= String(Date.now());
const startedAt = performance.now() - (Date.now() - Number(process.env.FOLIO_TEST_STARTED_AT));
const node = await prepare(import.meta.url);
endProgramsOnSignal();
// If the build fails, this process exits, and tests that are still running must end too.
process.once('exit', () => endRunning());

const isLong = process.argv.includes('--long');
const isCi = process.argv.includes('--ci');
const isCiOrLong = isLong || isCi;
// All suites record in this file which specified texts they have shown. A run without --ci or --long shows too few.
const loggedTexts = join(root, '.stamp', `shown-texts-${process.pid}.jsonl`);
if (isCiOrLong) process.env.SPEC_TEXT_LOG = loggedTexts;
const folder = await emptyFailureFolder('test');
await rm(loggedTexts, { force: true });

console.log(`Set up after ${secondsSince(startedAt)} s.`);
const results = await runMessages();
for (const result of results) writeOutput(result, folder);
// Services are installed once, before parallel suites need them. A failed installation is reported by the suites.
await requireSwift().catch(() => {});
const installed = installBrowserAndNginx().catch(() => {});
const resilienceTests = isCiOrLong ? (await listResilienceTests()).filter((name) => !byNameOnly.includes(name)) : [];
const untimedResilienceTests = resilienceTests.filter((name) => !timedResilienceTests.includes(name));
const built = build(node).then(reportBuild);
// Each of the two chains runs its suites and resilience tests from one shared list.
const runUntimedResilienceTests = () => runResilienceTests(untimedResilienceTests);
await Promise.all([
	runVitest(projectsOnSqlite())
		.then(reportAll)
		.then(runOtherPairs)
		.then(reportAll)
		.then(() => Promise.all([built, installed]))
		.then(runUntimedResilienceTests),
	built
		.then(runPrograms)
		.then(reportAll)
		.then(runOnPostgresAndS3)
		.then(reportAll)
		.then(() => installed)
		.then(() => runJourneys([], { folder, projects: isCiOrLong ? ['core', 'other'] : ['core'], isShellEnough: true }))
		.then(report)
		.then(runLongJourneysOfCi)
		// The benchmarks use one core at a time.
		.then(() => Promise.all([runBenchmarks().then(reportAll), runUntimedResilienceTests()])),
]);
await runResilienceTests(resilienceTests.filter((name) => timedResilienceTests.includes(name)));
if (isLong) report(await runJourneys([], { folder, projects: ['long', 'variants'] }));
if (isCiOrLong) report(await checkSpecifiedTexts());

console.log('');
for (const { name, passed, failed, skipped, seconds, problem } of results) {
	console.log(
		`${name.padEnd(24)} ${closingLine([{ passed, failed, skipped }])} in ${seconds} s${problem ? `: ${problem}` : ''}`,
	);
}
for (const [project, where] of Object.entries(httpServices))
	console.log(`HTTP tests on ${where}: ${countOf(nameOfHttpRun(project))}`);
console.log(`npm test took ${secondsSince(startedAt)} s.`);
for (const line of failureLines(results, folder)) console.log(line);
console.log(closingLine(results));
process.exitCode = results.some(({ failed }) => failed > 0) ? 1 : 0;

function projectsOnSqlite() {
	const slow = ['unit', 'unit-slow', 'http', 'http-slow'];
	if (isLong) return [...slow, 'http-heavy', 'http-long'];
	return isCi ? [...slow, 'http-heavy'] : slow;
}

/** Runs HTTP tests on PostgreSQL with S3: all with `--long`, otherwise only access, uploads and the store. */
function runOnPostgresAndS3() {
	if (isLong) return runVitest(['http-postgres-s3']);
	return runVitest(['http-postgres-s3'], [accessFile, uploadsFile, ...(isCi ? ['.scaled.test.ts'] : [])]);
}

/**
 * Runs the upload tests on PostgreSQL with a disk and on SQLite with S3, and tests of whole installations on PostgreSQL
 * with a disk. The access tests run here only with `--long`, because the run on PostgreSQL with S3 includes them.
 */
async function runOtherPairs() {
	if (!isCiOrLong) return [];
	const pairFiles = isLong ? [accessFile, uploadsFile] : [uploadsFile];
	return [
		...(await runVitest(['http-postgres'], [...pairFiles, ...installationFiles])),
		...(await runVitest(['http-s3'], pairFiles)),
	];
}

async function runLongJourneysOfCi() {
	if (isCi && !isLong) report(await runJourneys(longJourneysOfCi, { folder, projects: ['long'] }));
}

/** Runs the benchmarks, beside the resilience tests that do not check response times. */
async function runBenchmarks() {
	return isCiOrLong ? [await runBench()] : [];
}

/** Takes resilience tests from the shared list and runs them, one after another, until the list is empty. */
async function runResilienceTests(names) {
	for (let name = names.shift(); name !== undefined; name = names.shift()) {
		const result = await runResilienceTest(name, ['--short'], { folder });
		if (result.failed === 0) console.log(result.output.trimEnd());
		report(result);
	}
}

async function installBrowserAndNginx() {
	await requireChromium({ isShellEnough: !isCiOrLong });
	if (isCiOrLong) await requireNginx();
}

function reportBuild() {
	console.log(`Built after ${secondsSince(startedAt)} s.`);
}

async function checkSpecifiedTexts() {
	const { builtTexts, describeCoverage, readLoggedTexts } = await import('../test/support/texts/specified-texts.ts');
	const startedAt = performance.now();
	const shownTexts = await readLoggedTexts(loggedTexts);
	await rm(loggedTexts, { force: true });
	console.log(`All suites together: ${describeCoverage(shownTexts)}`);
	const areAllShown = builtTexts.every((text) => shownTexts.has(text));
	return resultOfStep('specified texts', startedAt, '', areAllShown ? undefined : 'a specified text was not shown');
}

function reportAll(newResults) {
	for (const result of newResults) report(result);
}

function report(result) {
	results.push(result);
	if (result.failed === 0) return console.log(`ok     ${result.name} ${result.seconds} s`);
	writeOutput(result, folder);
	console.log(result.output);
	console.log(`FAILED ${result.name} ${result.seconds} s ${result.problem ?? ''}`);
}

function countOf(name) {
	const result = results.find((candidate) => candidate.name === name);
	return result === undefined ? 0 : result.passed + result.failed;
}
