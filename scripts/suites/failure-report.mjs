/** Builds the end of a failed run's output: a line for each failed test, and the folder with logs, traces and output. */
import { writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { root } from '../setup/processes.mjs';

/**
 * One failed test or step. `place`: file and line, relative to the repository; `title`: the test's full title with its
 * error, or the first error that the step printed.
 * @typedef {{ place: string, title: string }} Failure
 */

const maxTitleLength = 300;

export async function emptyFailureFolder(command) {
	const folder = join(root, 'test-results', command);
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	return folder;
}

export function writeOutput({ name, failed, output }, folder) {
	if (failed > 0 && output !== '') writeFileSync(join(folder, `${fileNameOf(name)}.txt`), withoutColours(output));
}

/** Returns the lines that a failed run prints before its closing line; none when nothing failed. */
export function failureLines(results, folder) {
	const broken = results.filter(({ failed }) => failed > 0);
	if (broken.length === 0) return [];
	const lines = broken.flatMap(({ name, problem, output, failures = [] }) => {
		const known = failures.length > 0 ? failures : [{ place: '', title: problem ?? firstErrorOf(output) }];
		return known.map(({ place, title }) => ['FAILED', name, place, oneLine(title)].filter(Boolean).join('  '));
	});
	return ['', ...lines, `Traces, screenshots, logs and output of what failed: ${relative(root, folder)}/`];
}

/** The failed tests of Vitest's JSON report; `files`: its `testResults`. @returns {Failure[]} */
export function failuresOfVitest(files) {
	return files.flatMap((file) => {
		const path = relative(root, file.name);
		const failed = file.assertionResults.filter(({ status }) => status === 'failed');
		if (failed.length === 0 && file.status === 'failed')
			return [{ place: path, title: file.message || 'could not be loaded' }];
		return failed.map(({ ancestorTitles, title, failureMessages = [] }) => ({
			place: locationIn(failureMessages.join('\n'), path),
			title: [...ancestorTitles, title].join(' > '),
		}));
	});
}

/**
 * The failed tests of Playwright's JSON report, and errors outside of any test. @returns {Failure[]}
 * @param {{ config?: { rootDir?: string }, suites?: object[], errors?: object[] }} report
 */
export function failuresOfPlaywright({ config, suites = [], errors = [] }) {
	const testFolder = config?.rootDir ?? root;
	const outside = errors.map(({ message, location }) => ({
		place: location === undefined ? '' : `${relative(root, location.file)}:${location.line}`,
		title: withoutColours(message ?? 'an error outside of a test'),
	}));
	return [...suites.flatMap((suite) => failuresOfSuite(suite, [], testFolder)), ...outside];
}

function failuresOfSuite({ title, file, specs = [], suites = [] }, above, testFolder) {
	// The outermost suite is the file itself.
	const titles = title === file ? above : [...above, title];
	const own = specs
		.filter(({ tests }) => tests.some(({ status }) => status === 'unexpected' || status === 'flaky'))
		.map((spec) => ({
			place: `${relative(root, join(testFolder, spec.file))}:${spec.line}`,
			title: [[...titles, spec.title].join(' > '), ...errorsOfSpec(spec)].join(' | '),
		}));
	return [...own, ...suites.flatMap((suite) => failuresOfSuite(suite, titles, testFolder))];
}

function errorsOfSpec({ tests }) {
	return tests
		.flatMap(({ results = [] }) => results)
		.flatMap(({ errors = [] }) => errors)
		.map(({ message = '', location }) => {
			const [firstLine = ''] = withoutColours(message).split('\n', 1);
			return location === undefined ? firstLine : `line ${location.line}: ${firstLine}`;
		});
}

/** The first error that a failed program printed, with the line of the file `path`, if the output names one. */
export function failureOfOutput(output, path = '') {
	return { place: path === '' ? '' : locationIn(output, path), title: firstErrorOf(output) };
}

function locationIn(text, path) {
	const at = text.indexOf(`${path}:`);
	const line = at < 0 ? undefined : /^\d+/u.exec(text.slice(at + path.length + 1))?.[0];
	return line === undefined ? path : `${path}:${line}`;
}

/** Patterns of errors, most specific first: of a resilience test, an exception, a checker's file and line, any line. */
const errorPatterns = [
	/^WRONG\s+(.+)$/mu,
	/^(?:Uncaught )?(\w*(?:Error|Exception)\b.*)$/mu,
	/^(\S+[:(]\d+.*)$/mu,
	/^\s*(\S.*)$/mu,
];

function firstErrorOf(output) {
	const text = withoutColours(output);
	for (const pattern of errorPatterns) {
		const error = pattern.exec(text)?.[1];
		if (error !== undefined) return error;
	}
	return 'failed without any output';
}

function oneLine(text) {
	// Removes the checkers' horizontal rules.
	const line = withoutColours(text)
		.replaceAll(/[\s━─]+/gu, ' ')
		.trim();
	return line.length > maxTitleLength ? `${line.slice(0, maxTitleLength)}…` : line;
}

function withoutColours(text) {
	return text.replaceAll(/\u001b\[[\d;]*m/gu, '');
}

/** 'http on PostgreSQL and S3' → 'http-on-postgresql-and-s3'. */
export function fileNameOf(name) {
	return name.toLowerCase().replaceAll(/[^a-z0-9]+/gu, '-');
}
