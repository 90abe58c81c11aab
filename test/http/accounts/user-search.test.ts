import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { buildUserPageQuery } from '#server/features/accounts/administration/administration.queries.ts';
import { createUser } from '#server/features/accounts/users/users.service.ts';
import { insertRows } from '../../support/app/database-rows.ts';
import { readAllItems } from '../../support/app/lists.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { allUsersByEmail, makeUser, testPassword } from '../../support/app/users.ts';

const userCount = 3000;
const { testApp, deps, admin } = await openTestApp();
await insertManyUsers();

/** Inserts 3,000 users, each with one sign-in in the past. Every tenth user is deactivated. */
async function insertManyUsers(): Promise<void> {
	const rows = Array.from({ length: userCount }, (_, i) => {
		const number = String(i).padStart(5, '0');
		const at = new Date(Date.parse('2026-01-01T00:00:00Z') + i * 60_000).toISOString();
		const email_key = `person.${number}@crowd.example`;
		const names = { email: email_key.replace('p', 'P'), email_key, search_key: `${email_key}\n`, name: null };
		const password = { password_hash: null, initial_password_expires_at: null, has_initial_password: 0 as const };
		const times = { login_count: 1, last_login_at: at, created_at: '2025-12-01T00:00:00.000Z' };
		const active = i % 10 === 0 ? (0 as const) : (1 as const);
		return { id: `crowd-${number}`, role: 'user' as const, active, ...names, ...password, ...times };
	});
	await insertRows(deps, 'users', rows);
	if (deps.connection.kind === 'postgres') await sql`analyze users`.execute(deps.db);
}

const list = async (query: Record<string, string>) =>
	(await admin.call('GET', `/api/users?${new URLSearchParams(query)}`)).json();
const emailsOf = (page: { items: Array<{ email: string }> }) => page.items.map(({ email }) => email);

describe('the order of GET /api/users', () => {
	test('starts with the user whose last activity is latest, so that a new user is first', async () => {
		testApp.clock.advance(60);
		await makeUser(deps, 'newcomer@example.com');
		expect(emailsOf(await list({ limit: '3' }))).toEqual([
			'newcomer@example.com',
			'admin@example.com',
			'Person.02999@crowd.example',
		]);
		testApp.clock.advance(60);
		await admin.signIn('admin@example.com', testPassword);
		expect(emailsOf(await list({ limit: '2' }))).toEqual(['admin@example.com', 'newcomer@example.com']);
	});

	test('starts with the newest account or the first address with another sort, on every page', async () => {
		const rows = await deps.db.selectFrom('users').select(['id', 'email_key', 'created_at']).execute();
		const byEmail = rows.toSorted((a, b) => (a.email_key < b.email_key ? -1 : 1)).map(({ id }) => id);
		const compare = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);
		const byAge = rows
			.toSorted((a, b) => compare(b.created_at, a.created_at) || compare(a.id, b.id))
			.map(({ id }) => id);
		for (const [sort, expected] of [['email', byEmail] as const, ['newest', byAge] as const]) {
			const found = await readAllItems<{ id: string }>(admin, `/api/users?sort=${sort}&limit=700`);
			expect(found.map(({ id }) => id)).toEqual(expected);
		}
	});

	test('uses an index for every filter, every sort and every page', async () => {
		const { db, connection } = deps;
		const filters = [{}, { status: 'active' }, { status: 'deactivated' }, { role: 'admin' }, { book: 'none' }] as const;
		const keys = { recent: '2026-01-02T00:00:00.000Z', newest: '2025-12-01T00:00:00.000Z', email: 'person.01440' };
		for (const sort of ['recent', 'newest', 'email'] as const) {
			for (const filter of filters) {
				for (const after of [null, { key: keys[sort], id: 'crowd-01440' }]) {
					const query = buildUserPageQuery(db, { ...allUsersByEmail, ...filter, sort, after, limit: 13 }).compile();
					const explain = connection.kind === 'sqlite' ? 'explain query plan ' : 'explain ';
					const rows = await db.executeQuery({ ...query, sql: explain + query.sql });
					const plan = JSON.stringify(rows.rows);
					const isEmail = sort === 'email';
					expect(plan).toMatch(
						isEmail ? /users_\w*email|autoindex_users/u : new RegExp(`users_(active_|role_)?${sort}`, 'u'),
					);
					// With a filter that matches few users, PostgreSQL may sort the result of the index scan.
					if (connection.kind === 'sqlite' || Object.keys(filter).length === 0)
						expect(plan).not.toMatch(/TEMP B-TREE|Seq Scan|"Sort/iu);
				}
			}
		}
	});
});

describe('the total of GET /api/users', () => {
	test('is correct for each filter after users were created, changed and deleted', async () => {
		const id = await makeUser(deps, 'counted@example.com', 'admin');
		await admin.call('POST', `/api/users/${id}/active`, { active: false });
		await admin.call('POST', `/api/users/${id}/role`, { role: 'user' });
		await admin.call('POST', `/api/users/${id}/role`, { role: 'admin' });
		const gone = await makeUser(deps, 'gone@example.com');
		await deps.db.deleteFrom('users').where('id', '=', gone).execute();
		const rows = await deps.db.selectFrom('users').select(['role', 'active']).execute();
		for (const status of ['all', 'active', 'deactivated']) {
			for (const role of ['all', 'user', 'admin']) {
				const isActive = status === 'active' ? 1 : 0;
				const total = rows.filter(
					(row) => (status === 'all' || row.active === isActive) && (role === 'all' || row.role === role),
				).length;
				expect(await list({ status, role, limit: '1' })).toMatchObject({ total, isMore: false });
			}
		}
	});

	test('is at most 1,000 for a broad search, whose isMore is true', async () => {
		const broad = await list({ search: 'crowd.example', limit: '2' });
		expect(broad).toMatchObject({ total: 1000, isMore: true });
		expect(emailsOf(broad)).toEqual(['Person.02999@crowd.example', 'Person.02998@crowd.example']);
		const narrow = await list({ search: 'crowd.example', status: 'deactivated', limit: '2' });
		expect(narrow).toMatchObject({ total: 300, isMore: false });
		expect(emailsOf(narrow)).toEqual(['Person.02990@crowd.example', 'Person.02980@crowd.example']);
	});
});

describe('the search of GET /api/users', () => {
	test.each([
		['three letters', 'n.01', 'person.01'],
		['capital letters', 'PERSON.0100', 'person.0100'],
		['two letters', '77', '77'],
		['one letter', '9', '9'],
		['spaces around the text', '  .02345@ ', '.02345@'],
	])('finds the same users as a comparison with all addresses: %s', async (_what, search, part) => {
		const rows = await deps.db.selectFrom('users').select(['id', 'email_key']).execute();
		const expected = rows.filter((row) => row.email_key.includes(part)).map(({ id }) => id);
		const found = await list({ search, limit: '1000' });
		expect(found.items.map(({ id }: { id: string }) => id).sort()).toEqual(expected.sort().slice(0, 1000));
		expect(found.total).toBe(expected.length);
	});

	const wildcards = ['%', '_', '%%%', '___', 'person_0', 'per%son', '\\\\\\', '\\', '"', '""" OR', 'a*b'];
	test.each([...wildcards, "'; drop table users"])('treats %s as literal text and finds nothing', async (search) => {
		expect(await list({ search })).toMatchObject({ total: 0, items: [] });
	});

	test('finds special characters and other scripts, and does not find a changed address by its former text', async () => {
		for (const email of ['back\\slash@example.com', 'per%cent@example.com', 'आशा_वर्मा@example.com'])
			await makeUser(deps, email);
		expect(emailsOf(await list({ search: 'k\\sl' }))).toEqual(['back\\slash@example.com']);
		expect(emailsOf(await list({ search: 'r%c' }))).toEqual(['per%cent@example.com']);
		expect(emailsOf(await list({ search: 'आशा_' }))).toEqual(['आशा_वर्मा@example.com']);
		const changed = { email: 'new@x.example', email_key: 'new@x.example', search_key: 'new@x.example\n' };
		const users = deps.db.updateTable('users').set(changed);
		await users.where('email_key', '=', 'per%cent@example.com').execute();
		expect(await list({ search: 'r%c' })).toMatchObject({ total: 0 });
		expect(emailsOf(await list({ search: 'new@x' }))).toEqual(['new@x.example']);
	});

	test('accepts the longest valid address, also with spaces around it', async () => {
		const email = `${'l'.repeat(limits.emailMaxLength - 12)}@example.com`;
		const body = { email, password: testPassword, role: 'user' };
		expect((await admin.call('POST', '/api/users', body)).statusCode).toBe(200);
		expect(emailsOf(await list({ search: `  ${email} ` }))).toEqual([email]);
		const audit = await admin.call('GET', `/api/audit?person=${email}`);
		expect(audit.json().items).toMatchObject([{ action: 'user-registered', whom: email }]);
		expect((await admin.call('GET', `/api/audit.csv?person=${email}`)).statusCode).toBe(200);
	});

	test('finds text within a name or within an address, but not text that spans both', async () => {
		const person = { role: 'user' as const, passwordHash: null, isInitialPassword: false };
		const names = { 'a.r@example.net': 'Āsha Rao', 'b.q@example.net': 'Rao, Bhanu' };
		for (const [email, name] of Object.entries(names)) await createUser(deps, deps.db, { ...person, email, name });
		expect(emailsOf(await list({ search: ' āSHA ' }))).toEqual(['a.r@example.net']);
		expect(emailsOf(await list({ search: 'rao' })).sort()).toEqual(['a.r@example.net', 'b.q@example.net']);
		expect(await list({ search: 'net rao' })).toMatchObject({ total: 0 });
	});

	test('returns all 100 matches in order across pages of seven', async () => {
		const found = await readAllItems<{ id: string }>(admin, '/api/users?search=.021&limit=7');
		expect(found.map(({ id }) => id)).toEqual(
			Array.from({ length: 100 }, (_, i) => `crowd-${String(2199 - i).padStart(5, '0')}`),
		);
	});
});
