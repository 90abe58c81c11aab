import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
	failureLines,
	failureOfOutput,
	failuresOfPlaywright,
	failuresOfVitest,
	writeOutput,
} from '../../scripts/suites/failure-report.mjs';

const folder = resolve('test-results', 'test');
const passedSuite = { name: 'types', passed: 3, failed: 0, skipped: 0, seconds: '1.0', output: 'all well' };

test('failuresOfVitest returns the file, line and full title of each failed test, and files that could not be loaded', () => {
	const file = resolve('test/http/orders/order-management.test.ts');
	const passed = { ancestorTitles: ['orders'], title: 'are kept', status: 'passed', failureMessages: [] };
	const failed = {
		ancestorTitles: ['orders', 'of a buyer'],
		title: 'are listed',
		status: 'failed',
		failureMessages: [`AssertionError: expected 1 to be 2\n    at inner (/x/other.ts:3:4)\n    at ${file}:12:7`],
	};
	const report = [
		{ name: file, status: 'failed', message: '', assertionResults: [passed, failed] },
		{ name: resolve('src/a.test.ts'), status: 'failed', message: 'Cannot find module', assertionResults: [] },
	];
	expect(failuresOfVitest(report)).toEqual([
		{ place: 'test/http/orders/order-management.test.ts:12', title: 'orders > of a buyer > are listed' },
		{ place: 'src/a.test.ts', title: 'Cannot find module' },
	]);
});

test('failuresOfPlaywright returns each failed test with its first line of error, and errors outside of tests', () => {
	const file = 'chat/chat.spec.ts';
	const config = { rootDir: resolve('test/e2e') };
	const location = { file: resolve('test/e2e/chat/chat.spec.ts'), line: 12, column: 3 };
	const specOf = (title: string, line: number, status: string, errors?: object[]) => {
		return { title, line, file, tests: [{ status, results: [{ errors }] }] };
	};
	const message = '\u001b[31mError\u001b[39m: locator.click: Test ended.\nCall log:\n  - waiting';
	const nested = specOf('fails', 9, 'unexpected', [{ message, location }]);
	const specs = [specOf('goes well', 3, 'expected'), specOf('was left out', 5, 'skipped'), specOf('too', 7, 'flaky')];
	const suites = [{ title: file, file, specs, suites: [{ title: 'on a phone', file, specs: [nested], suites: [] }] }];
	const errors = [{ message: 'SyntaxError: no', location }];
	expect(failuresOfPlaywright({ config, suites, errors })).toEqual([
		{ place: 'test/e2e/chat/chat.spec.ts:7', title: 'too' },
		{ place: 'test/e2e/chat/chat.spec.ts:9', title: 'on a phone > fails | line 12: Error: locator.click: Test ended.' },
		{ place: 'test/e2e/chat/chat.spec.ts:12', title: 'SyntaxError: no' },
	]);
});

test.each([
	[
		'the first fault of a resilience test',
		undefined,
		'round 1: 100 purchases\nWRONG  order 3 has no mail\nWRONG  and 2 more\n2 faults',
		{ place: '', title: 'order 3 has no mail' },
	],
	[
		'the exception that ended a program, with the line of its file',
		'test/resilience/a.ts',
		'round 1\nfile:///r/test/resilience/a.ts:12\n  throw\n\nTypeError: no server\n    at x (y.ts:1:1)',
		{ place: 'test/resilience/a.ts:12', title: 'TypeError: no server' },
	],
	[
		'the first line of a checker that names a position in a file',
		undefined,
		'\nChecking.\nsrc/a.ts(3,4): error TS2322: no\n',
		{ title: 'src/a.ts(3,4): error TS2322: no' },
	],
])('failureOfOutput returns %s', (_what, file, output, found) => {
	expect(failureOfOutput(output, file)).toMatchObject(found);
});

describe('failureLines and writeOutput', () => {
	test('failureLines returns nothing when all tests have passed', () => {
		expect(failureLines([passedSuite], folder)).toEqual([]);
	});

	test('failureLines returns a line for each failed test, and a last line with the folder of the results', () => {
		const failures = [
			{ place: 'test/e2e/chat/chat.spec.ts:9', title: 'fails' },
			{ place: 'test/e2e/chat/chat.spec.ts:20', title: 'fails\n  too' },
		];
		const journeys = { ...passedSuite, name: 'journeys', failed: 2, failures };
		const problem = 'ended with exit code 1';
		const resilience = { ...passedSuite, name: 'resilience upload', failed: 1, problem, failures: [] };
		const types = { ...passedSuite, failed: 1, output: 'src/a.ts(3,4): error TS2322: no ━━━━━━' };
		expect(failureLines([passedSuite, journeys, resilience, types], folder)).toEqual([
			'',
			'FAILED  journeys  test/e2e/chat/chat.spec.ts:9  fails',
			'FAILED  journeys  test/e2e/chat/chat.spec.ts:20  fails too',
			'FAILED  resilience upload  ended with exit code 1',
			'FAILED  types  src/a.ts(3,4): error TS2322: no',
			'Traces, screenshots, logs and output of what failed: test-results/test/',
		]);
	});

	test('writeOutput writes the output of a failed suite to a file, without colour codes', async () => {
		const outputFolder = await mkdtemp(join(tmpdir(), 'folio-failures-'));
		onTestFinished(() => rm(outputFolder, { recursive: true, force: true }));
		const output = 'a\u001b[31mred\u001b[0m line';
		writeOutput({ ...passedSuite, name: 'http on PostgreSQL and S3', failed: 1, output }, outputFolder);
		writeOutput(passedSuite, outputFolder);
		expect(await readdir(outputFolder)).toEqual(['http-on-postgresql-and-s3.txt']);
		expect(await readFile(join(outputFolder, 'http-on-postgresql-and-s3.txt'), 'utf8')).toBe('ared line');
	});
});
