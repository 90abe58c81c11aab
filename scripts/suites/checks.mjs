import { join } from 'node:path';
import { compileMessages, findMessageErrors } from '../build/messages.mjs';
import { capture, endRunning, root, secondsSince } from '../setup/processes.mjs';
import { runVitest } from './suites.mjs';

const bin = (...path) => join(root, 'node_modules', ...path);

/** Quick to slow, so that the likeliest fault is told first. */
const programs = [
	['format and lint', bin('@biomejs', 'biome', 'bin', 'biome'), ['ci', '--colors=off', '--diagnostic-level=error']],
	[
		'import rules',
		bin('dependency-cruiser', 'bin', 'dependency-cruiser.mjs'),
		['--config', '.dependency-cruiser.cjs', 'src'],
	],
	// One checker: more would each check the shared types again, for cores that the tests use meanwhile.
	['types', bin('typescript', 'bin', 'tsc'), ['-p', '.', '--pretty', 'false', '--singleThreaded']],
];

/**
 * Everything that is checked without a build, a browser or a server, in two lanes for two cores; a line for each step.
 * The first program that fails prints its output and ends the rest.
 * @returns {Promise<import('./suites.mjs').Result[]>} counts of the test suites; a failed step counts as one failed
 */
export async function runChecks() {
	const [format, ...others] = programs;
	// The formatter does not read the compiled messages; all else does.
	const failures = (await Promise.all([runMessages(), runPrograms([format])])).flat();
	if (failures.length > 0) return failures;
	let hasFailed = false;
	const rest = runPrograms(others).then((broken) => {
		hasFailed = broken.length > 0;
		if (hasFailed) endRunning();
		return broken;
	});
	const tests = runTests({ isShort: true }).then((results) => {
		if (hasFailed) return [];
		for (const { name, passed, failed, seconds, problem, output } of results) {
			report(failed === 0, name, seconds, `${passed} passed, ${failed} failed${problem ? `: ${problem}` : ''}`);
			if (failed > 0) console.log(output);
		}
		return results;
	});
	return (await Promise.all([tests, rest])).flat();
}

/**
 * Compiles the messages and looks for what one language lacks; comes before all else, for the rest reads them.
 * @returns {Promise<import('./suites.mjs').Result[]>} nothing, or one failure
 */
export async function runMessages() {
	const failure = await step('messages', checkMessages);
	return failure === null ? [] : [failure];
}

/**
 * Format, lint, import rules and types, one after another, up to the first that fails.
 * @returns {Promise<import('./suites.mjs').Result[]>} nothing, or the step that failed as one failed
 */
export async function runPrograms(chosen = programs) {
	const steps = chosen.map(([name, file, args]) => [name, () => runProgram(file, args)]);
	for (const [name, work] of steps) {
		const failure = await step(name, work);
		if (failure !== null) return [failure];
	}
	return [];
}

/** Unit and HTTP tests on SQLite; `isShort` as in runVitest. @returns {Promise<import('./suites.mjs').Result[]>} */
export async function runTests({ isShort = false } = {}) {
	return runVitest(['unit', 'http'], 'sqlite', { isShort });
}

async function runProgram(file, args) {
	// TypeScript's memory is swept only from 2 GB on, which it does not reach: a third of its time for an eighth more memory.
	const env = { ...process.env, GOGC: 'off', GOMEMLIMIT: '2GiB' };
	const { code, output } = await capture(process.execPath, [file, ...args], { env });
	return code === 0 ? '' : output || `exit code ${code}`;
}

async function checkMessages() {
	await compileMessages();
	return (await findMessageErrors()).join('\n');
}

/** Runs one step; its result is null, or one failure with what the step said. */
async function step(name, work) {
	const startedAt = performance.now();
	const fault = await work().catch((error) => error.message);
	const seconds = secondsSince(startedAt);
	report(fault === '', name, seconds);
	if (fault === '') return null;
	console.log(fault);
	return { name, passed: 0, failed: 1, skipped: 0, seconds, output: fault };
}

function report(isGood, name, seconds, note = '') {
	console.log(`${isGood ? 'ok    ' : 'FAILED'} ${name.padEnd(16)} ${seconds.padStart(5)} s  ${note}`.trimEnd());
}
