import { describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { findRows, getRow } from '../../support/app/database-rows.ts';
import { createHttpClient } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { listMailsTo, tokenIn } from '../../support/app/test-app.ts';

const { testApp, deps, admin } = await openTestApp();

const importCsv = (csv: unknown) => admin.call('POST', '/api/users-import', { csv });
const findUser = (email: string) => getRow(deps, 'users', { email_key: email });
const countUsers = async () => (await findRows(deps, 'users')).length;

test('imports valid rows, and returns line, value and reason of each invalid row', async () => {
	const csv = [
		'Name;EMAIL;Role',
		'Asha Rao; Asha.Rao@example.com ;Admin',
		'<script>alert(1)</script>;xss@example.com;',
		';half@address;user',
		'Twin;ASHA.rao@example.com;user',
		'Known;admin@example.com;user',
		'Odd role;odd@example.com;owner',
		`${'x'.repeat(limits.userNameMaxLength + 1)};long@example.com;user`,
		'A;B;more@example.com;user',
		'',
		'=1+1;formula@example.com;USER',
	].join('\r\n');
	const answer = (await importCsv(csv)).json();
	expect(answer.added).toBe(3);
	expect(answer.problems).toEqual([
		{ line: 4, value: 'half@address', reason: 'Please enter a full email address.' },
		{ line: 5, value: 'ASHA.rao@example.com', reason: 'The same address is already in line 2.' },
		{ line: 6, value: 'admin@example.com', reason: 'Email already in use.' },
		{ line: 7, value: 'odd@example.com', reason: 'The role must be user or admin, not “owner”.' },
		{ line: 8, value: 'x'.repeat(limits.userNameMaxLength + 1), reason: 'The name is longer than 200 characters.' },
		expect.objectContaining({ line: 9 }),
	]);
	const lines = csv.split('\r\n');
	expect(answer.rest).toBe(`${[lines[0], ...lines.slice(3, 9)].join('\n')}\n`);
	const asha = { email: 'Asha.Rao@example.com', name: 'Asha Rao', role: 'admin' };
	const unused = { active: 1, login_count: 0, password_hash: null };
	expect(await findUser('asha.rao@example.com')).toMatchObject({ ...asha, ...unused });
	expect(await findUser('xss@example.com')).toMatchObject({ name: '<script>alert(1)</script>', role: 'user' });
	expect(await findUser('formula@example.com')).toMatchObject({ name: '=1+1', role: 'user' });
	expect((await findUser('admin@example.com')).role).toBe('admin');

	expect(await findRows(deps, 'audit', { action: 'user-registered' })).toHaveLength(3);
	expect((await getRow(deps, 'audit', { action: 'people-imported' })).detail).toBe('{"count":3}');
	// A second import of the same file creates no user.
	const before = await countUsers();
	expect((await importCsv(csv)).json()).toMatchObject({ added: 0 });
	expect(await countUsers()).toBe(before);
});

test('mails each imported user a link to set the password, and does not send all these mails at once', async () => {
	await importCsv('email,name\nmailed-1@example.com,One\nmailed-2@example.com,Two');
	const client = createHttpClient(testApp.app, '203.0.113.50');
	for (const password of ['', 'abcdef', 'null'])
		expect((await client.call('POST', '/api/sign-in', { email: 'mailed-1@example.com', password })).statusCode).toBe(
			401,
		);
	const countMails = async () =>
		(await testApp.runDueWork()).filter(({ to }) => to?.[0]?.address?.startsWith('mailed-')).length;
	expect(await countMails()).toBeLessThan(2);
	testApp.clock.advance(60);
	expect(await countMails()).toBe(2);
	const [mail] = await listMailsTo(testApp, 'mailed-1@example.com');
	const token = tokenIn(mail);
	expect((await client.call('POST', '/api/password/set', { token, password: 'one of my own' })).statusCode).toBe(200);
	await client.signIn('mailed-1@example.com', 'one of my own');
});

describe('the line endings of an import', () => {
	test.each([
		['Windows first', 'email,name\r\nends-1@x.com,Anna\nends-2@x.com\rends-3@x.com,Cy\r\n'],
		['Unix first', 'email,name\nends-4@x.com,Anna\r\nends-5@x.com\r\nends-6@x.com,Cy\r'],
		['old Mac first', 'email,name\rends-7@x.com,Anna\nends-8@x.com\r\nends-9@x.com,Cy'],
	])('are recognised when a file mixes several kinds: %s', async (_what, csv) => {
		expect((await importCsv(csv)).json()).toEqual({ added: 3, problems: [], rest: '' });
		const [one = '', two = '', three = ''] = csv.match(/[\w-]+@x\.com/gu) ?? [];
		expect(await findUser(one)).toMatchObject({ name: 'Anna' });
		expect(await findUser(two)).toMatchObject({ name: null });
		expect(await findUser(three)).toMatchObject({ name: 'Cy' });
	});

	test('are reported as control characters inside a name, with the same line number as in a text editor', async () => {
		const csv =
			'email,name\r\nctl-1@x.com,"Anna\r\nctl-2@x.com,Bo"\r\nctl-3@x.com,\u0007Di\nctl-4@x.com,Two\u2028lines';
		const reason = 'The name contains a line break or another control character.';
		expect((await importCsv(csv)).json()).toEqual({
			added: 0,
			problems: [
				{ line: 2, value: 'Anna\r\nctl-2@x.com,Bo', reason },
				{ line: 4, value: '\u0007Di', reason },
				{ line: 5, value: 'Two\u2028lines', reason },
			],
			rest: expect.stringContaining('ctl-2@x.com'),
		});
	});
});

const tooMany = `email\n${'a@example.com\n'.repeat(limits.userImportMaxRows + 1)}`;
test.each([
	['without a header', 'asha@example.com,Asha', 'The first line must name the columns: email.'],
	['that is empty', '', 'The first line must name the columns: email.'],
	['with too many rows', tooMany, 'Too many rows at once: 2000 at most.'],
	['with an unclosed quote', 'email\n"open@example.com', 'The text cannot be read from line 2 on'],
])('an import file %s is refused with an error message and creates no user', async (_what, csv, message) => {
	const before = await countUsers();
	const answer = await importCsv(csv);
	expect(answer.statusCode).toBe(422);
	expect(answer.json().message).toContain(message);
	expect(await countUsers()).toBe(before);
});
