import { buffer } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { createCsvStream, escapeFormula } from './csv.ts';

async function* rowsOf(rows: readonly (readonly string[])[]) {
	yield* rows;
}

test.each([
	['=HYPERLINK("http://evil.example")', true],
	['+91 98230 55512', true],
	['-1+1', true],
	['@SUM(A1:A9)', true],
	['\t=1', true],
	['\r=1', true],
	['\n=1', true],
	['＝1+1', true],
	['plain', false],
	['a=b', false],
	["it's", false],
	['', false],
	[' =1', false],
])('escapeFormula puts an apostrophe before %j: %s', (cell, isFormula) => {
	expect(escapeFormula(cell)).toBe(isFormula ? `'${cell}` : cell);
});

const specialCells = [
	'=1+1',
	'a,b;c\td',
	'said "so"',
	'two\r\nlines',
	'',
	'पासवर्ड ₹',
	'\u0000',
	"'",
	'=cmd|"/c calc"!A1,x',
];

test('createCsvStream writes cells that a CSV parser reads back, with an apostrophe before formulas', async () => {
	const csv = String(await buffer(createCsvStream(['one', '=two'], rowsOf([specialCells, specialCells.toReversed()]))));
	expect(csv.startsWith('\uFEFF"one","\'=two"\r\n')).toBe(true);
	const rows = parse(csv, { bom: true, relax_column_count: true });
	expect(rows).toEqual([
		['one', "'=two"],
		specialCells.map(escapeFormula),
		specialCells.toReversed().map(escapeFormula),
	]);
	// Every cell is quoted, so that a spreadsheet that splits rows at semicolons does not split a cell.
	expect(csv).toContain('"a,b;c\td"');
});

test('createCsvStream requests rows only on demand and closes the source of the rows when the stream is closed', async () => {
	let yieldedRows = 0;
	let isSourceClosed = false;
	async function* endless() {
		try {
			for (;;) {
				yieldedRows += 1;
				yield ['x'.repeat(1000)];
			}
		} finally {
			isSourceClosed = true;
		}
	}
	const csv = createCsvStream(['head'], endless());
	for await (const _chunk of csv) break;
	await expect.poll(() => isSourceClosed).toBe(true);
	expect(yieldedRows).toBeLessThan(500);
});

test('createCsvStream fails when the source of its rows fails', async () => {
	async function* failing() {
		yield ['one'];
		throw new Error('the database is gone');
	}
	await expect(buffer(createCsvStream(['head'], failing()))).rejects.toThrow('the database is gone');
});
