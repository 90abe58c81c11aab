import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { collectGarbage } from '#server/features/maintenance/tasks/tasks.service.ts';
import { createSecrets } from '#server/platform/auth/secrets.ts';
import { dumpDatabase } from '../../support/app/database-dump.ts';
import { findRows, getRow } from '../../support/app/database-rows.ts';
import { listen, openEventStream } from '../../support/app/event-streams.ts';
import { createHttpClient } from '../../support/app/http-client.ts';
import { readAllItems } from '../../support/app/lists.ts';
import { openSecondProcess, openTestApp } from '../../support/app/shared-test-app.ts';
import { listAuditEntries } from '../../support/app/test-app.ts';
import { makeSignedInUser, makeUser, testPassword } from '../../support/app/users.ts';
import { testDatabase } from '../../support/services/test-database.ts';

const { testApp, deps, admin, adminId } = await openTestApp();
const url = await listen(testApp.app);

let ipCount = 0;
/** Returns a search function that sends its requests from a new IP address. */
function searchAsVisitor(headers: Record<string, string> = {}) {
	ipCount += 1;
	const client = createHttpClient(testApp.app, `198.51.100.${ipCount}`);
	return (username: unknown, state: unknown) =>
		client.call('POST', '/api/insta-credentials/search', { username, state }, headers);
}
const add = (body: Record<string, unknown>) => admin.call('POST', '/api/insta-credentials/add', body);
const list = async (query = '') => (await admin.call('GET', `/api/credentials${query}`)).json();
const find = async (username: string, state: string) =>
	(await list(`?username=${encodeURIComponent(username)}&state=${encodeURIComponent(state)}`)).items[0];
const lookups = async (query = '') => (await admin.call('GET', `/api/credential-lookups${query}`)).json();
const countRows = async () => (await findRows(deps, 'credentials')).length;
const record = (username: string, more: Record<string, unknown> = {}) => {
	return { username, state: 'Goa', id: `id of ${username}`, password: 'p', ...more };
};

test('an admin can add a record, and a visitor can find the record in any case and with surrounding spaces', async () => {
	const added = await add({
		username: ' Plain.Caller ',
		state: ' Tamil Nadu',
		id: 'TN-001',
		password: ' keeps Blanks ',
	});
	expect([added.statusCode, added.json()]).toEqual([200, { success: true, error: null }]);
	const search = searchAsVisitor();
	const found = await search('PLAIN.caller', 'tamil nadu ');
	const data = { username: 'plain.caller', state: 'tamil nadu', id: 'TN-001', password: ' keeps Blanks ' };
	expect([found.statusCode, found.json()]).toEqual([200, { found: true, data }]);
	const missed = await search('plain.caller', 'kerala');
	expect([missed.statusCode, missed.json()]).toEqual([200, { found: false, data: null }]);
});

describe('Add Credentials', () => {
	test.each(['username', 'state', 'id', 'password'])('adds nothing when %s is empty or missing', async (field) => {
		const before = await countRows();
		for (const missing of ['', '   ', undefined]) {
			const answer = await add(record('halfway', { [field]: missing }));
			expect(answer.json()).toEqual({ success: false, error: '❌ Please fill all fields.' });
		}
		expect(await countRows()).toBe(before);
	});

	test('refuses a second record with the same username and state, also when both are sent at the same time', async () => {
		const answers = await Promise.all([add(record('twin')), add(record('TWIN ', { id: 'other' }))]);
		expect(answers.map((answer) => answer.json().success).sort()).toEqual([false, true]);
		const again = await add(record('twin', { id: 'third' }));
		const error = 'Credentials with this username and state exist already.';
		expect(again.json()).toEqual({ success: false, error });
		expect((await list('?username=twin&state=goa')).total).toBe(1);
	});

	test('ignores additional fields, and writes an audit entry with the admin but without the values', async () => {
		await add(record('audited', { record: 'mine', createdAt: '2000', lookup_key: 'x', password: 'unheard-of' }));
		const row = await find('audited', 'goa');
		expect(row.record).not.toBe('mine');
		expect(row.createdAt).toBe(testApp.clock.now().toISOString());
		const audit = await listAuditEntries(testApp, row.record);
		expect(audit).toMatchObject([{ action: 'credential-added', actor_id: adminId, ip: '203.0.113.7', detail: '{}' }]);
	});

	test.each([
		['a script', '<script>alert(1)</script>'],
		['an attribute', '"><img src=x onerror=alert(1)>'],
		['SQL', `'; drop table credentials; --`],
		['a pattern', '%_\\'],
		['Devanagari', 'श्रीमती कृष्णा'],
		['an emoji and a right-to-left override', '😀\u202Eabc'],
		['a lone surrogate', 'a\uD800b'],
		['a Hindi name in another Unicode normalisation', 'क\u093C\u0932म', '\u0958\u0932म'],
	])('stores and finds %s as plain text', async (_what, text, searched = text) => {
		expect((await add(record(text, { id: text, password: text }))).json()).toEqual({ success: true, error: null });
		const { found, data } = (await searchAsVisitor()(searched, 'GOA')).json();
		expect(found).toBe(true);
		expect(data).toMatchObject({ id: text, password: text });
	});

	test('does not confuse username ab and state c with username a and state bc', async () => {
		await add({ username: 'ab', state: 'c', id: '1', password: 'p' });
		for (const [username, state] of [
			['a', 'bc'],
			['abc', ''],
			['', 'abc'],
			['ab"', 'c'],
			['ab","c', ''],
		] as const)
			expect((await searchAsVisitor()(username, state)).json()).toEqual({ found: false, data: null });
		expect((await add({ username: 'a', state: 'bc', id: '2', password: 'p' })).json().success).toBe(true);
		expect((await searchAsVisitor()('ab', 'c')).json().data.id).toBe('1');
	});

	test.each([
		['10,000 characters', 'x'.repeat(10_000), 'this is too long.'],
		['NUL', 'a\0b', 'this cannot be stored. Only plain text can.'],
		['a list', ['a'], 'this cannot be stored. Only plain text can.'],
		['an object', { $ne: '' }, 'this cannot be stored. Only plain text can.'],
		['a number', 1, 'this cannot be stored. Only plain text can.'],
		['null', null, 'this cannot be stored. Only plain text can.'],
	])('refuses %s with a message in each field, and with 422 in a search', async (_what, value, message) => {
		const before = await countRows();
		const labels = { username: 'Username', state: 'State', id: 'ID', password: 'Password' };
		for (const [field, label] of Object.entries(labels)) {
			const answer = await add(record('refused', { [field]: value }));
			expect(answer.statusCode).toBe(200);
			expect(answer.json()).toEqual({ success: false, error: `${label}: ${message}` });
		}
		const search = searchAsVisitor();
		expect((await search(value, 'goa')).statusCode).toBe(422);
		expect((await search('refused', value)).statusCode).toBe(422);
		expect(await countRows()).toBe(before);
	});
});

describe('POST /api/insta-credentials/search', () => {
	test('returns the same response for an unknown username as for a wrong state, and records both lookups', async () => {
		await add(record('alike'));
		const search = searchAsVisitor({ 'user-agent': '' });
		const before = (await lookups()).total;
		const unknown = await search('nobody at all', 'goa');
		const wrong = await search('alike', 'kerala');
		expect(wrong.body).toBe(unknown.body);
		const headersOf = ({ headers }: typeof wrong) => ({ ...headers, date: undefined });
		expect(headersOf(wrong)).toEqual(headersOf(unknown));
		expect((await lookups()).total).toBe(before + 2);
	});

	test('allows 10 lookups a minute from an IP address, counted across processes', async () => {
		await add(record('limited'));
		const search = searchAsVisitor();
		for (let i = 0; i < 10; i += 1) expect((await search('limited', 'goa')).json().found).toBe(true);
		const before = (await lookups()).total;
		const refused = await search('limited', 'goa');
		expect(refused.json()).toMatchObject({
			status: 429,
			code: 'TOO_MANY_LOOKUPS',
			message: 'Too many lookups. Please wait a minute and try again.',
		});
		expect(refused.headers['retry-after']).toBe('60');
		expect((await lookups()).total).toBe(before);
		const secondApp = await openSecondProcess(testApp);
		const address = `198.51.100.${ipCount}`;
		const body = { username: 'limited', state: 'goa' };
		const after = await createHttpClient(secondApp.app, address).call('POST', '/api/insta-credentials/search', body);
		expect(after.statusCode).toBe(429);
		expect((await searchAsVisitor()('limited', 'goa')).statusCode).toBe(200);
		testApp.clock.advance(61);
		expect((await search('limited', 'goa')).statusCode).toBe(200);
	});
});

test('credentials and lookups in a copy of the database cannot be read without SECRET', async () => {
	const secrets = ['zebra-username', 'quagga-state', 'okapi-id', 'gnu-password'];
	const [username = '', state = '', id = '', password = ''] = secrets;
	await add({ username, state, id, password });
	await searchAsVisitor()(username, state);
	await searchAsVisitor()(username, 'narwhal-asked');
	const { record: recordId, updatedAt } = await find(username, state);
	const change = { username, state, id, password: 'ibex-password', updatedAt };
	await admin.call('PUT', `/api/credentials/${recordId}`, change);
	const csv = 'username,state,id,password\ntapir-imported,x,y,z';
	await admin.call('POST', '/api/credentials-import', { csv });
	const control = 'control-walrus@example.com';
	await makeUser(testApp.deps, control);

	const copies: string[] = [JSON.stringify(await dumpDatabase(testApp.deps))];
	if (testDatabase === 'sqlite') {
		const folder = deps.config.DATA_DIR;
		const files = (await readdir(folder)).filter((name) => /\.(db|sqlite)/u.test(name));
		expect(files.length).toBeGreaterThan(0);
		copies.push((await Promise.all(files.map((name) => readFile(join(folder, name), 'latin1')))).join('\n'));
	}
	for (const copy of copies) {
		expect(copy).toContain(control);
		for (const word of [...secrets, 'ibex-password', 'narwhal-asked', 'tapir-imported'])
			expect(copy).not.toContain(word);
	}
	// Decryption requires the right secret and the name of the column.
	const { record_sealed: sealed } = await getRow(deps, 'credentials', { id: recordId });
	expect(() => createSecrets('another').unseal('credentials.record_sealed', sealed)).toThrow();
	expect(() => deps.secrets.unseal('credential_lookups.asked_sealed', sealed)).toThrow();
});

describe('the list of credentials', () => {
	test('updates a record, and refuses a change that is stale, incomplete or conflicts with another record', async () => {
		await add(record('before'));
		await add(record('taken'));
		const row = await find('before', 'goa');
		const change = (body: Record<string, unknown>) =>
			admin.call('PUT', `/api/credentials/${row.record}`, { ...row, ...body });
		const saved = (await change({ username: ' After ', id: 'new id' })).json();
		expect(saved).toMatchObject({ record: row.record, username: 'after', state: 'goa', id: 'new id' });
		expect((await searchAsVisitor()('before', 'goa')).json().found).toBe(false);
		expect((await searchAsVisitor()('AFTER', 'goa')).json().data.id).toBe('new id');

		expect((await change({ id: 'too late' })).json()).toMatchObject({ status: 409, code: 'CREDENTIAL_STALE' });
		expect((await change({ username: 'taken', updatedAt: saved.updatedAt })).json()).toMatchObject({
			status: 409,
			code: 'CREDENTIAL_EXISTS',
			message: 'Credentials with this username and state exist already.',
		});
		expect((await change({ state: ' ', updatedAt: saved.updatedAt })).json()).toMatchObject({
			status: 422,
			message: '❌ Please fill all fields.',
			fields: { state: 'Please fill in this field.' },
		});
		expect((await find('after', 'goa')).id).toBe('new id');
		const audit = await listAuditEntries(testApp, row.record, 'credential-changed');
		expect(audit).toMatchObject([{ detail: '{"fields":["username","id"]}' }]);
	});

	test('shows a record and a lookup that cannot be decrypted as unreadable, and the record can be deleted', async () => {
		await add(record('damaged'));
		const { record: id } = await find('damaged', 'goa');
		await searchAsVisitor()('damaged', 'goa');
		const sealed = createSecrets('another secret altogether').seal('x', '{}');
		await deps.db.updateTable('credentials').set({ record_sealed: sealed }).where('id', '=', id).execute();
		const [lookup] = (await lookups()).items;
		await deps.db.updateTable('credential_lookups').set({ asked_sealed: sealed }).where('id', '=', lookup.id).execute();
		const unreadable = { username: '', isUnreadable: true };
		expect((await list()).items).toContainEqual(expect.objectContaining({ record: id, password: '', ...unreadable }));
		expect((await lookups()).items).toContainEqual(expect.objectContaining({ id: lookup.id, ...unreadable }));
		expect((await admin.call('DELETE', `/api/credentials/${id}`)).statusCode).toBe(200);
		await deps.db.deleteFrom('credential_lookups').where('id', '=', lookup.id).execute();
	});

	test('does not find a deleted record, and returns CREDENTIAL_GONE when it is deleted again', async () => {
		await add(record('leaving'));
		const { record: id } = await find('leaving', 'goa');
		expect((await admin.call('DELETE', `/api/credentials/${id}`)).json()).toEqual({});
		expect((await searchAsVisitor()('leaving', 'goa')).json()).toEqual({ found: false, data: null });
		const again = await admin.call('DELETE', `/api/credentials/${id}`);
		expect(again.json()).toMatchObject({ status: 404, code: 'CREDENTIAL_GONE' });
	});

	test('lists the same records in the same order with every page size, the newest first', async () => {
		testApp.clock.advance(5);
		await add(record('newest'));
		const read = (limit: number) => readAllItems<{ record: string }>(admin, `/api/credentials?limit=${limit}`);
		const whole = await read(1000);
		expect(whole).toHaveLength(await countRows());
		expect(whole[0]?.record).toBe((await find('newest', 'goa')).record);
		expect(await read(3)).toEqual(whole);
		for (const cursor of ['x', 'W10', Buffer.from('["a",1]').toString('base64url')])
			expect((await admin.call('GET', `/api/credentials?cursor=${cursor}`)).statusCode).toBe(422);
	});
});

describe('the list of lookups', () => {
	const chrome =
		'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36';

	test('has time, terms, result, IP address, device and user of each lookup, can be filtered by result, and is the same with every page size', async () => {
		await add(record('watched'));
		testApp.clock.advance(1);
		const search = searchAsVisitor({ 'user-agent': chrome });
		await search('Watched', 'goa');
		testApp.clock.advance(1);
		const body = { username: 'unwatched', state: ' GOA' };
		await admin.call('POST', '/api/insta-credentials/search', body, { 'user-agent': '<b>x</b>' });
		const { items } = await lookups('?limit=2');
		expect(items).toMatchObject([
			{ at: testApp.clock.now().toISOString(), username: 'unwatched', isFound: false, email: 'admin@example.com' },
			{
				username: 'watched',
				state: 'goa',
				isFound: true,
				ip: `198.51.100.${ipCount}`,
				device: { browser: 'Chrome 131', system: 'Android 14', kind: 'phone' },
				email: null,
			},
		]);
		expect((await lookups('?filter=found&limit=1')).items[0].username).toBe('watched');
		expect((await lookups('?filter=not-found&limit=1')).items[0].username).toBe('unwatched');
		expect((await admin.call('GET', '/api/credential-lookups?filter=odd')).statusCode).toBe(422);
		const [one, two] = await Promise.all([lookups('?filter=found'), lookups('?filter=not-found')]);
		expect(one.total + two.total).toBe((await lookups()).total);
		const readInPages = (limit: number) =>
			readAllItems(admin, `/api/credential-lookups?limit=${limit}&filter=not-found`);
		expect(await readInPages(2)).toEqual(await readInPages(1000));
	});

	test('publishes new lookups and new records on event streams', async () => {
		const stream = await openEventStream(url, admin.cookie());
		await searchAsVisitor()('somebody', 'goa');
		await stream.waitFor('credential-lookups');
		await add(record('heard of'));
		await stream.waitFor('credentials');
		stream.close();
	});

	test('contains a lookup for 180 days, also when its user was deleted', async () => {
		const { id, client: asker } = await makeSignedInUser(testApp, 'asker@example.com', 'user', '198.51.100.240');
		await asker.call('POST', '/api/insta-credentials/search', { username: 'old', state: 'goa' });
		const findOldLookup = async () =>
			(await lookups('?limit=1000')).items.filter(({ username }: { username: string }) => username === 'old');
		expect(await findOldLookup()).toMatchObject([{ email: 'asker@example.com' }]);
		await deps.db.deleteFrom('users').where('id', '=', id).execute();
		expect(await findOldLookup()).toMatchObject([{ email: null }]);
		testApp.clock.advance(limits.credentialLookupDays * 24 * 3600 - 1);
		await admin.signIn('admin@example.com', testPassword);
		await collectGarbage(testApp.deps);
		expect(await findOldLookup()).toHaveLength(1);
		testApp.clock.advance(2);
		await collectGarbage(testApp.deps);
		expect(await findOldLookup()).toEqual([]);
	});
});
