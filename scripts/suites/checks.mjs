import { join } from 'node:path';
import { compileMessages, findMessageErrors } from '../build/messages.mjs';
import { capture, endRunning, root, secondsSince } from '../setup/processes.mjs';
import { runVitest } from './suites.mjs';

const bin = (...path) => join(root, 'node_modules', ...path);

/** The check programs, fastest first, so that most errors are reported early. */
const programs = [
	['format and lint', bin('@biomejs', 'biome', 'bin', 'biome'), ['ci', '--colors=off', '--diagnostic-level=error']],
	[
		'import rules',
		bin('dependency-cruiser', 'bin', 'dependency-cruiser.mjs'),
		['--config', '.dependency-cruiser.cjs', 'src'],
	],
	// Single-threaded, because each further thread checks the shared types again and takes CPU time from the tests.
	['types', bin('typescript', 'bin', 'tsc'), ['-p', '.', '--pretty', 'false', '--singleThreaded']],
];

/**
 * Runs all checks that need no build, browser or server, two at a time for two cores. Prints a line for each step. When
 * a program fails, prints its output and ends the other programs. @returns {Promise<import('./suites.mjs').Result[]>}
 */
export async function runChecks() {
	const [format, ...others] = programs;
	// Only format and lint may run beside the messages: all other steps read the compiled messages.
	const failures = (await Promise.all([runMessages(), runPrograms([format])])).flat();
	if (failures.length > 0) return failures;
	let hasFailed = false;
	const rest = runPrograms(others).then((broken) => {
		hasFailed = broken.length > 0;
		if (hasFailed) endRunning();
		return broken;
	});
	const tests = runVitest(['unit', 'http']).then((results) => {
		if (hasFailed) return [];
		for (const { name, passed, failed, seconds, problem, output } of results) {
			report(failed === 0, name, seconds, `${passed} passed, ${failed} failed${problem ? `: ${problem}` : ''}`);
			if (failed > 0) console.log(output);
		}
		return results;
	});
	return (await Promise.all([tests, rest])).flat();
}

/** Compiles and checks the messages. Must run before all steps that read messages. @returns empty, or one failure */
export async function runMessages() {
	const failure = await step('messages', checkMessages);
	return failure === null ? [] : [failure];
}

/** Checks format, lint, import rules and types up to the first that fails. @returns empty, or one failure */
export async function runPrograms(chosen = programs) {
	for (const [name, file, args] of chosen) {
		const failure = await step(name, () => runProgram(file, args));
		if (failure !== null) return [failure];
	}
	return [];
}

async function runProgram(file, args) {
	// With these settings TypeScript's Go runtime collects garbage only above 2 GiB, which the check does not reach. The
	// check then takes a third less time and an eighth more memory.
	const env = { ...process.env, GOGC: 'off', GOMEMLIMIT: '2GiB' };
	const { code, output } = await capture(process.execPath, [file, ...args], { env });
	return code === 0 ? '' : output || `exit code ${code}`;
}

async function checkMessages() {
	await compileMessages();
	return (await findMessageErrors()).join('\n');
}

/** Runs one step. Returns null, or one failure with the step's output. */
async function step(name, work) {
	const startedAt = performance.now();
	const problem = await work().catch((error) => error.message);
	const seconds = secondsSince(startedAt);
	report(problem === '', name, seconds);
	if (problem === '') return null;
	console.log(problem);
	return { name, passed: 0, failed: 1, skipped: 0, seconds, output: problem };
}

function report(hasPassed, name, seconds, note = '') {
	console.log(`${hasPassed ? 'ok    ' : 'FAILED'} ${name.padEnd(16)} ${seconds.padStart(5)} s  ${note}`.trimEnd());
}
