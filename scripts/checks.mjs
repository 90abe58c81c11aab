import { join } from 'node:path';
import { compileMessages, findMessageFaults } from './messages.mjs';
import { capture, endRunning, root, secondsSince } from './processes.mjs';
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
	['types', bin('typescript', 'bin', 'tsc'), ['-p', '.', '--pretty', 'false']],
];

/**
 * Everything that is checked without a build, a browser or a server: a line for each step. The first
 * step that fails prints its output and ends the rest.
 * @returns {Promise<import('./suites.mjs').Result[]>} counts of the test suites; a failed step counts as one failed
 */
export async function runChecks() {
	const messages = await step('messages', checkMessages);
	if (messages !== null) return [messages];
	// Two lanes for two cores: the programs one after another beside the tests.
	const first = { failure: null };
	const lanes = [runPrograms(first), runTests(first)];
	const [, results] = await Promise.all(lanes);
	return first.failure === null ? results : [...results.filter(({ failed }) => failed > 0), first.failure];
}

async function runPrograms(first) {
	for (const [name, file, args] of programs) {
		if (first.failure !== null) return;
		first.failure ??= await step(name, async () => {
			const { code, output } = await capture(process.execPath, [file, ...args]);
			return code === 0 || first.failure !== null ? '' : output || `exit code ${code}`;
		});
	}
	if (first.failure !== null) endRunning();
}

async function runTests(first) {
	const results = await runVitest(['unit', 'http'], 'sqlite');
	if (first.failure !== null) return [];
	for (const result of results) {
		const counts = `${result.passed} passed, ${result.failed} failed`;
		report(
			result.failed === 0,
			`${result.name} tests`,
			result.seconds,
			`${counts}${result.problem ? `: ${result.problem}` : ''}`,
		);
	}
	if (results.some(({ failed }) => failed > 0)) console.log(results[0].output);
	return results.map((result) => ({ ...result, name: `${result.name} on SQLite` }));
}

async function checkMessages() {
	await compileMessages();
	return (await findMessageFaults()).join('\n');
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
