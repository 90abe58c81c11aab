import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { requireChromium } from '../services/chromium.mjs';
import { capture, root, secondsSince } from '../setup/processes.mjs';
import { failureOfOutput, failuresOfPlaywright, failuresOfVitest, fileNameOf } from './failure-report.mjs';

/**
 * Result of one suite. `problem`: why it counts as failed although no test failed; `failures`: the failed tests.
 * @typedef {{
 *   name: string, passed: number, failed: number, skipped: number, seconds: string, problem?: string, output: string,
 *   failures?: import('./failure-report.mjs').Failure[]
 * }} Result
 */

const reports = join(root, '.stamp', 'reports');
const resilienceFolder = join(root, 'test', 'resilience');

/** The services of each kind of HTTP tests, as in vitest.config.ts. */
export const httpServices = {
	http: 'SQLite with disk storage',
	'http-postgres': 'PostgreSQL with disk storage',
	'http-s3': 'SQLite with S3 storage',
	'http-postgres-s3': 'PostgreSQL with S3 storage',
};

/** Makes the result of a step that counts as one test. `problem`: why it has failed. @returns {Result} */
export function resultOfStep(name, startedAt, output, problem) {
	const failed = problem === undefined ? 0 : 1;
	return { name, passed: 1 - failed, failed, skipped: 0, seconds: secondsSince(startedAt), output, problem };
}

/**
 * Runs projects of vitest.config.ts, all on the same services, or only files whose path contains one of `filters`.
 * Returns one result for the unit tests and one for the HTTP tests, if `projects` includes such tests.
 */
export async function runVitest(projects, filters = []) {
	const { code, output, seconds, report } = await runWithReport(projects.join('-'), (file) => ({
		args: [
			join(root, 'node_modules', 'vitest', 'vitest.mjs'),
			...['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
			...projects.flatMap((project) => ['--project', project]),
			...filters,
		],
		env: { NODE_ENV: 'test', NO_COLOR: '1' },
	}));
	const files = report?.testResults ?? [];
	const httpProject = projects.find((project) => project.startsWith('http'));
	const suites = [
		...(projects.includes('unit') ? ['unit'] : []),
		...(httpProject === undefined ? [] : [nameOfHttpRun(httpProject)]),
	];
	const results = suites.map((name) => {
		const own = files.filter((file) => /[\\/]test[\\/]http[\\/]/u.test(file.name) === (name !== 'unit'));
		return { name, ...countVitest(own), seconds, output, failures: failuresOfVitest(own) };
	});
	return results.map((result) => withProblem(result, code, results));
}

export function nameOfHttpRun(project) {
	return `http on ${httpServices[project] ?? httpServices.http}`;
}

function countVitest(files) {
	const count = { passed: 0, failed: 0, skipped: 0 };
	for (const file of files) {
		const states = file.assertionResults.map((test) => test.status);
		count.passed += states.filter((state) => state === 'passed').length;
		count.skipped += states.filter((state) => state !== 'passed' && state !== 'failed').length;
		// A file that cannot be loaded fails without a failed test.
		const failed = states.filter((state) => state === 'failed').length;
		count.failed += file.status === 'failed' ? Math.max(failed, 1) : failed;
	}
	return count;
}

/**
 * Runs the browser journeys against the built product: those of `projects` (playwright.config.ts) whose path matches one
 * of `filters`, by default all. Logs and traces of a failed journey are kept in a subfolder of `folder`.
 * @returns {Promise<Result & { figures?: string[] }>} `figures`: the measurements of the journeys, one line each
 */
export async function runJourneys(filters, { folder, projects = [], isShellEnough = false }) {
	const startedAt = performance.now();
	const name = projects.includes('long') ? 'long journeys' : 'journeys';
	let chromium;
	try {
		chromium = await requireChromium({ isShellEnough });
	} catch (error) {
		return resultOfStep(name, startedAt, '', error.message);
	}
	const { code, output, seconds, report } = await runWithReport('playwright', (file) => ({
		args: [
			join(root, 'node_modules', '@playwright', 'test', 'cli.js'),
			...['test', '--reporter=list,json'],
			// Come before `--project`, which reads all following words as projects.
			...filters,
			...['--output', join(folder, fileNameOf(name))],
			...projects.flatMap((project) => ['--project', project]),
		],
		env: {
			CHROMIUM_PATH: chromium,
			FOLIO_TEST_LOGS: join(folder, 'servers'),
			PLAYWRIGHT_JSON_OUTPUT_FILE: file,
			PLAYWRIGHT_SKIP_VALIDATE_HOST_REQUIREMENTS: '1',
			NO_COLOR: '1',
		},
	}));
	const { stats, suites = [], ...rest } = report ?? {};
	const { expected: passed = 0, unexpected = 0, flaky = 0, skipped = 0 } = stats ?? {};
	const failures = failuresOfPlaywright({ suites, ...rest });
	const counts = { passed, failed: unexpected + flaky, skipped, seconds };
	const result = { name, ...counts, output, failures, figures: suites.flatMap(figuresOf) };
	return withProblem(result, code, [result]);
}

function figuresOf({ specs = [], suites = [] }) {
	const notes = specs.flatMap(({ tests }) => tests.flatMap(({ annotations }) => annotations));
	return [...notes.map(({ type, description }) => `${type}: ${description}`), ...suites.flatMap(figuresOf)];
}

export async function listResilienceTests() {
	const files = existsSync(resilienceFolder) ? await readdir(resilienceFolder) : [];
	return files.flatMap((file) => /^(.+)\.ts$/u.exec(file)?.[1] ?? []).sort();
}

/**
 * Runs one resilience test, with `isShown` printing its output meanwhile. The argument `--short` selects the short form,
 * which `npm test -- --ci` runs. The logs of its servers stay in `folder` when it fails. @returns {Promise<Result>}
 */
export async function runResilienceTest(name, args, { folder, isShown = false }) {
	const startedAt = performance.now();
	const file = join('test', 'resilience', `${name}.ts`);
	const logs = join(folder, `resilience-${name}`);
	const env = { ...process.env, FOLIO_TEST_LOGS: logs };
	const { code, output } = await capture(process.execPath, [join(root, file), ...args], { env, isShown });
	if (code === 0) await rm(logs, { recursive: true, force: true });
	const problem = code === 0 ? undefined : `ended with exit code ${code}`;
	const failures = code === 0 ? [] : [failureOfOutput(output, file)];
	return { ...resultOfStep(`resilience ${name}`, startedAt, output, problem), failures };
}

/**
 * Runs every comparison of `npm run bench` once with little data, to check that it runs and that both sides give the
 * same answers. Does not check any speed. @returns {Promise<Result>} counts each comparison as a test
 */
export async function runBench() {
	const { code, output, seconds, report } = await runWithReport('bench', (file) => ({
		args: [join(root, 'scripts', 'bench.mjs'), ...['--once', '--report', file]],
	}));
	const comparisons = report ?? [];
	const failures = comparisons
		.filter(({ problem }) => problem !== undefined)
		.map(({ name, problem }) => ({
			place: 'scripts/bench.mjs',
			title: `${name}: ${problem.split('\n', 2).join(' ')}`,
		}));
	const failed = failures.length;
	const result = { name: 'bench', passed: comparisons.length - failed, failed, skipped: 0, seconds, output, failures };
	return withProblem(result, code, [result]);
}

export function closingLine(results) {
	const sum = (key) => results.reduce((total, result) => total + result[key], 0);
	const skipped = sum('skipped');
	return `${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** Marks a run as failed if it exited with an error or ran no test, even if no test failed. */
function withProblem(result, code, all) {
	if (result.passed + result.failed === 0) return { ...result, failed: 1, problem: 'no test ran' };
	const isAnyFailed = all.some(({ failed }) => failed > 0);
	if (code !== 0 && !isAnyFailed) return { ...result, failed: 1, problem: `the run ended with exit code ${code}` };
	return result;
}

/** Runs a program that writes a JSON report into `file`; `report` is undefined if it did not write one. */
async function runWithReport(name, optionsFor) {
	const startedAt = performance.now();
	await mkdir(reports, { recursive: true });
	const file = join(reports, `${name}-${process.pid}.json`);
	const { args, env } = optionsFor(file);
	const { code, output } = await capture(process.execPath, args, { env: { ...process.env, ...env } });
	const report = existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : undefined;
	await rm(file, { force: true });
	return { code, output, seconds: secondsSince(startedAt), report };
}
