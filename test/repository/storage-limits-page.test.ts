import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { actors } from '../access/access-fixture.ts';
import { accessTable, outcomesOf, routesOutsideTheTable } from '../access/access-table.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const page = read('docs/storage-limits.md');
const readMethods = ['GET', 'HEAD', 'OPTIONS'];
const columns = 8;

/** The routes that can write data and can be called without the role admin. */
const openWrites = [
	...accessTable
		.filter((row) => actors.some((actor) => actor !== 'D' && outcomesOf(row)[actor] === '✓'))
		.flatMap(({ calls }) => Object.keys(calls)),
	...routesOutsideTheTable,
].filter((route) => !readMethods.includes(route.split(' ')[0] ?? ''));

function linesOf(text: string): string[][] {
	return text
		.split('\n')
		.filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
		.map((line) =>
			line
				.slice(1, -1)
				.split('|')
				.map((cell) => cell.trim()),
		)
		.slice(1);
}

const callsOf = (text: string) =>
	linesOf(text).flatMap(([call = '']) => call.match(/(?<=`)[A-Z]+ \/[^`]*(?=`)/gu) ?? []);

/** Matches a test file in the list of tests, and the test titles below it. */
const namedTests = /`(?<file>test[^`]+)`(?<titles>(?:[^`“]*“[^”]+”)+)/gu;

/** Returns the test titles that are not in their test file, and the calls without a test. */
function findAbsentTests(text: string): string[] {
	return linesOf(text).flatMap(([call = '', ...cells]) => {
		const numbers = (cells.at(-1) ?? '').split(', ').filter(Boolean);
		if (numbers.length === 0 && call.includes('`')) return [`a test of ${call}`];
		return numbers.flatMap((number) => {
			const item = text.split(`\n${number}. `)[1]?.split(/\n\d+\. /u)[0] ?? '';
			const named = [...item.matchAll(namedTests)];
			if (named.length === 0) return [`number ${number} in the list of tests`];
			return named.flatMap(({ groups: { file = '', titles = '' } = {} }) => {
				const source = read(file);
				const exists = (title: string) =>
					[`'`, '"', '`'].some((quote) => source.includes(`(${quote}${title}${quote},`));
				return (titles.match(/(?<=“)[^”]+/gu) ?? []).filter((title) => !exists(title));
			});
		});
	});
}

describe('docs/storage-limits.md', () => {
	test('contains exactly the writing calls that do not require the role admin', () => {
		expect(openWrites.length).toBeGreaterThan(20);
		expect([...new Set(callsOf(page))].toSorted()).toEqual(openWrites.toSorted());
	});

	test('has every cell for each call, and contains only titles of existing tests', () => {
		expect(
			linesOf(page)
				.filter((cells) => cells.length !== columns)
				.map(([call]) => call),
		).toEqual([]);
		expect(findAbsentTests(page)).toEqual([]);
	});

	test('findAbsentTests reports a missing call and a missing test', () => {
		const withoutVisits = page
			.split('\n')
			.filter((line) => !line.startsWith('| `POST /api/visits`'))
			.join('\n');
		expect(callsOf(withoutVisits)).not.toContain('POST /api/visits');
		expect(callsOf(page)).toContain('POST /api/visits');
		expect(findAbsentTests(page.replace('five times an hour for one', 'six times an hour for one'))).toEqual([
			'is allowed six times an hour for one account',
		]);
		expect(findAbsentTests(page.replace(/\| [\d, ]+ \|$/mu, '| |'))).toEqual(['a test of `POST /purchase`']);
		expect(findAbsentTests(page.replace('\n1. ', '\n100. ')).at(0)).toBe('number 1 in the list of tests');
	});
});
