/** `npm test`: the set-up of `npm start`, then every suite; ends with `N passed, N failed`. */
import { runChecks } from './checks.mjs';
import { build } from './dist.mjs';
import { endTogether, secondsSince } from './processes.mjs';
import { prepare } from './setup.mjs';
import { closingLine, listDrills, runDrill, runJourneys, runVitest } from './suites.mjs';

// The set-up may start this script again in the pinned Node: the time counts from the first.
process.env.FOLIO_TEST_STARTED_AT ??= String(Date.now());
const startedAt = performance.now() - (Date.now() - Number(process.env.FOLIO_TEST_STARTED_AT));
const node = await prepare(import.meta.url);
endTogether();

await build(node);
console.log(`Set up and built after ${secondsSince(startedAt)} s.`);

const results = await runChecks();

const [onPostgres] = await runVitest(['http'], 'postgres');
tell({ ...onPostgres, name: 'http on PostgreSQL' });

tell(await runJourneys());

const drills = await listDrills();
if (drills.length === 0) console.log('There are no drills yet.');
for (const name of drills) tell(await runDrill(name, ['--short']));

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
