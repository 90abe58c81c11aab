import { expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { findRows } from '../../support/app/database-rows.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';

const { testApp, admin } = await openTestApp({ RATE_LIMIT_FACTOR: '1000' });

const importCsv = (csv: unknown, headers = {}) => admin.call('POST', '/api/credentials-import', { csv }, headers);
const search = async (username: string, state: string) =>
	(await admin.call('POST', '/api/insta-credentials/search', { username, state })).json().data;
const countRows = async () => (await findRows(testApp.deps, 'credentials')).length;

test.each([
	['commas', 'username,state,id,password\nasha1,Goa,1,p"q\n'],
	['columns in another order and case, and spaces in the header', 'Password, ID ,STATE,UserName\np"q,1,Goa,ASHA2'],
	['a byte-order mark and Windows lines', '\uFEFFusername,state,id,password\r\nasha3,Goa,1,p"q\r\n\r\n'],
	['semicolons', 'username;state;id;password\nasha4;Goa;1;p"q'],
	['tabs', 'username\tstate\tid\tpassword\nasha5\tGoa\t1\tp"q'],
	['quotation marks', 'username,"state",id,password\n"asha6",Goa,"1","p""q"'],
	['more columns', 'note,username,state,id,password,note\nx,asha7,Goa,1,p"q,y'],
	['a separator at the end of each line', 'username,state,id,password,\nasha8,Goa,1,p"q,\n'],
])('imports a file with %s', async (_what, csv) => {
	const name = /asha\d/iu.exec(csv)?.[0] ?? '';
	expect((await importCsv(csv)).json()).toEqual({ added: 1, problems: [], rest: '' });
	expect(await search(name, 'goa')).toEqual({ username: name.toLowerCase(), state: 'goa', id: '1', password: 'p"q' });
});

test('keeps separators, line ends and spaces inside quoted fields', async () => {
	const csv = '\uFEFFusername;state;id;password\nkept;Goa;"a;b,c";" two\nlines "\nnext;गोवा;"1\n2";';
	const answer = (await importCsv(csv)).json();
	expect(answer).toMatchObject({ added: 1, problems: [{ line: 4, username: 'next' }] });
	expect(answer.rest).toBe('username;state;id;password\nnext;गोवा;"1\n2";\n');
	expect(await search('kept', 'goa')).toMatchObject({ id: 'a;b,c', password: ' two\nlines ' });
});

test('imports valid rows, and returns line and reason of each invalid row', async () => {
	await admin.call('POST', '/api/insta-credentials/add', { username: 'known', state: 'goa', id: '1', password: 'old' });
	const csv = [
		'username,state,id,password',
		'first,Goa,1,a',
		'FIRST ,goa,2,b',
		',Goa,3,c',
		'',
		'nothing,Goa',
		'known,GOA,5,new',
		'comma,Goa,6,d,e',
		`long,Goa,${'x'.repeat(limits.credentialFieldMaxLength + 1)},f`,
		'nul,Goa,7,a\0b',
		'<script>alert(1)</script>,Goa,8,<img src=x onerror=alert(1)>',
		'last,Goa,9,g',
	].join('\n');
	const expected = {
		added: 3,
		problems: [
			{ line: 3, username: 'first', state: 'goa', reason: 'The same username and state are already in line 2.' },
			{ line: 4, username: '', state: 'goa', reason: 'Missing: Username.' },
			{ line: 6, username: 'nothing', state: 'goa', reason: 'Missing: ID, Password.' },
			{ line: 7, username: 'known', reason: 'Credentials with this username and state exist already.' },
			{ line: 8, reason: expect.stringContaining('More fields than the first line names.') },
			{ line: 9, reason: 'A field is longer than 1000 characters.' },
			{ line: 10, reason: 'A field contains a character that cannot be stored.' },
		],
	};
	expect((await importCsv(csv)).json()).toMatchObject(expected);
	expect(await search('known', 'goa')).toMatchObject({ password: 'old' });
	expect(await search('last', 'goa')).toMatchObject({ password: 'g' });
	expect(await search('comma', 'goa')).toBeNull();
	const again = (await importCsv(csv, { cookie: `${admin.cookie()}; lang=hi` })).json();
	expect(again).toMatchObject({ added: 0 });
	expect(again.problems).toHaveLength(10);
	expect(again.problems[0].reason).toBe('इस यूज़रनेम और राज्य के क्रेडेंशियल पहले से हैं।');
	const details = (await findRows(testApp.deps, 'audit', { action: 'credentials-imported' })).map(
		({ detail }) => detail,
	);
	expect(details).toContain('{"count":3}');
});

test('two simultaneous imports of the same rows add each row only once', async () => {
	const names = Array.from({ length: 400 }, (_, i) => `twice${i}`);
	const csv = (rows: string[]) => ['username,state,id,password', ...rows.map((name) => `${name},Goa,1,x`)].join('\n');
	const answers = await Promise.all([importCsv(csv(names)), importCsv(csv(names.toReversed()))]);
	const [first, second] = answers.map((answer) => answer.json());
	expect(first.added + second.added).toBe(400);
	expect(first.problems.length + second.problems.length).toBe(400);
});

test.each([
	['an empty file', '', 'CSV_HEADER', 'The first line must name the columns: username, state, id, password.'],
	['a missing column', 'username,state,id\na,b,c', 'CSV_HEADER', undefined],
	['no header', 'asha,goa,1,p', 'CSV_HEADER', undefined],
	[
		'an open quotation mark',
		'username,state,id,password\nopen1,goa,1,p\nopen2,"goa,2,q\nopen3,goa,3,r',
		'CSV_BROKEN',
		'The text cannot be read from line 3 on: a quotation mark is not closed.',
	],
	['a list', ['a'], 'INVALID_INPUT', undefined],
	['no text', undefined, 'INVALID_INPUT', undefined],
])('returns an error for %s and adds nothing', async (_what, csv, code, message) => {
	const before = await countRows();
	const answer = await importCsv(csv);
	expect(answer.json()).toMatchObject({ status: 422, code, ...(message !== undefined && { message }) });
	expect(await countRows()).toBe(before);
});

test('accepts a header without rows', async () => {
	expect((await importCsv('username,state,id,password\n')).json()).toEqual({ added: 0, problems: [], rest: '' });
});

test('imports the maximum number of rows, and refuses an additional row', async () => {
	const row = (i: number) => `bulk${i},Goa,${i},secret ${i}`;
	const lines = Array.from({ length: limits.credentialImportMaxRows + 1 }, (_, i) => row(i));
	const csv = (count: number) => ['username,state,id,password', ...lines.slice(0, count)].join('\n');
	const before = await countRows();
	expect((await importCsv(csv(limits.credentialImportMaxRows + 1))).json()).toMatchObject({
		code: 'CSV_TOO_LONG',
		message: 'Too many rows at once: 10000 at most.',
	});
	expect(await countRows()).toBe(before);
	expect((await importCsv(csv(limits.credentialImportMaxRows))).json()).toEqual({
		added: 10_000,
		problems: [],
		rest: '',
	});
	expect(await search('bulk9999', 'goa')).toMatchObject({ id: '9999' });
});
