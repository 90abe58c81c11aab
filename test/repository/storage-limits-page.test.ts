import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { accessRows, actors, outcomesOf, routesOutsideTheTable } from '../access/access-table.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const page = read('docs/storage-limits.md');
const readMethods = ['GET', 'HEAD', 'OPTIONS'];
const columns = 8;

/**
 * Calls that write and are open to others than admins. The access tests check that every registered route has a row.
 */
const openWrites = [
	...accessRows
		.filter((row) => actors.some((actor) => actor !== 'D' && outcomesOf(row)[actor] === '✓'))
		.flatMap(({ routes }) => routes),
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

const namedTests = /`(?<file>test[^`]+)`: (?<titles>“[^”]+”(?:, “[^”]+”)*)/gu;

/** @returns the test titles in the table that no test file has, and the calls without a test */
function findAbsentTests(text: string): string[] {
	return linesOf(text).flatMap(([call = '', ...cells]) => {
		const named = [...(cells.at(-1) ?? '').matchAll(namedTests)];
		if (named.length === 0 && call.includes('`')) return [`a test of ${call}`];
		return named.flatMap(({ groups: { file = '', titles = '' } = {} }) => {
			const source = read(file);
			const isThere = (title: string) => [`'`, '"', '`'].some((quote) => source.includes(`(${quote}${title}${quote},`));
			return titles
				.slice(1, -1)
				.split('”, “')
				.filter((title) => !isThere(title));
		});
	});
}

describe('docs/storage-limits.md', () => {
	test('names every write that is open to others than admins, and no other call', () => {
		expect(openWrites.length).toBeGreaterThan(20);
		expect([...new Set(callsOf(page))].toSorted()).toEqual(openWrites.toSorted());
	});

	test('has a cell in every column for each call, and names only tests that exist', () => {
		expect(
			linesOf(page)
				.filter((cells) => cells.length !== columns)
				.map(([call]) => call),
		).toEqual([]);
		expect(findAbsentTests(page)).toEqual([]);
	});

	test('fails the checks when it omits a call or names a missing test', () => {
		const cut = page
			.split('\n')
			.filter((line) => !line.startsWith('| `POST /api/visits`'))
			.join('\n');
		expect(callsOf(cut)).not.toContain('POST /api/visits');
		expect(callsOf(page)).toContain('POST /api/visits');
		expect(findAbsentTests(page.replace('five times an hour for one', 'six times an hour for one'))).toEqual([
			'is allowed six times an hour for one account',
		]);
		expect(findAbsentTests(page.replace(/\| `test[^|]+\|$/mu, '| |'))).toEqual(['a test of `POST /purchase`']);
	});
});
