/**
 * `npm test`: the set-up of `npm start`, then every suite, two at a time where none measures time; ends with
 * `N passed, N failed`. `npm test -- --long`: the long journeys too, with nothing beside them, and the longest HTTP tests.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runMessages, runPrograms, runTests } from './checks.mjs';
import { build } from './dist.mjs';
import { endRunning, endTogether, root, secondsSince } from './processes.mjs';
import { prepare } from './setup.mjs';
import { closingLine, listDrills, runDrill, runJourneys, runVitest } from './suites.mjs';

/** Drills that judge how quick an answer is: nothing else may run beside them. */
const timedDrills = ['locked-database', 'enumeration', 'big-folder', 'visits'];

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
if (isLong) process.env.FOLIO_TEST_LONG = '1';
await rm(heardTexts, { force: true });

console.log(`Set up after ${secondsSince(startedAt)} s.`);
const results = await runMessages();
await Promise.all([
	runTests().then(tellAll),
	build(node).then(tellOfBuild).then(runPrograms).then(tellAll).then(runOnPostgres).then(tell),
]);

const drills = await listDrills();
const besideJourneys = drills.filter((name) => !timedDrills.includes(name));
await Promise.all([
	// When the journeys are done, they take one drill after the other off the same list.
	runJourneys([], { project: 'short' })
		.then(tell)
		.then(() => runDrills(besideJourneys)),
	runDrills(besideJourneys),
]);
await runDrills(drills.filter((name) => timedDrills.includes(name)));
if (isLong) tell(await runJourneys([], { project: 'long*' }));
tell(await judgeTexts());

console.log('');
for (const { name, passed, failed, skipped, seconds, problem } of results) {
	console.log(
		`${name.padEnd(24)} ${closingLine([{ passed, failed, skipped }])} in ${seconds} s${problem ? `: ${problem}` : ''}`,
	);
}
console.log(`HTTP tests on SQLite with disk storage: ${countOf('http on SQLite')}`);
console.log(`HTTP tests on PostgreSQL with disk storage: ${countOf('http on PostgreSQL')}`);
console.log(`npm test took ${secondsSince(startedAt)} s.`);
console.log(closingLine(results));
process.exitCode = results.some(({ failed }) => failed > 0) ? 1 : 0;

async function runOnPostgres() {
	const [result] = await runVitest(['http'], 'postgres');
	return { ...result, name: 'http on PostgreSQL' };
}

/** Takes the drills off the list and runs them, one after the other. */
async function runDrills(names) {
	for (let name = names.shift(); name !== undefined; name = names.shift())
		tell(await runDrill(name, ['--short'], { isToldAtEnd: true }));
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
	console.log(result.output);
	console.log(`FAILED ${result.name} ${result.seconds} s ${result.problem ?? ''}`);
}

function countOf(name) {
	const result = results.find((each) => each.name === name);
	return result === undefined ? 0 : result.passed + result.failed;
}
