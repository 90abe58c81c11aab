import { describe, expect, test } from 'vitest';
import { listUsers } from '#server/features/accounts/administration/administration.queries.ts';
import { findRows } from '../../support/app/database-rows.ts';
import { createHttpClient } from '../../support/app/http-client.ts';
import { readAllItems } from '../../support/app/lists.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { listAuditEntries } from '../../support/app/test-app.ts';
import { allUsersByEmail, makeUser, testPassword } from '../../support/app/users.ts';
import { makeFile } from '../../support/fixtures/files.ts';
import { makeOrder } from '../../support/fixtures/orders.ts';

const { testApp, deps, admin, adminId } = await openTestApp();

const register = (body: Record<string, unknown>) => admin.call('POST', '/api/users', body);
const countUsers = async () => (await findRows(deps, 'users')).length;

describe('POST /api/users', () => {
	test('creates a user who can sign in with the given password, and writes an audit entry without the password', async () => {
		const ignored = { active: false, loginCount: 99, id: 'mine' };
		const made = await register({ email: ' New.Person@example.com ', password: 'पासवर्ड', role: 'admin', ...ignored });
		expect(made.json().id).not.toBe('mine');
		const fresh = { active: true, loginCount: 0, order: 'none', hasTwoFactor: false, isSelf: false };
		expect(made.json()).toMatchObject({ email: 'New.Person@example.com', role: 'admin', ...fresh });
		const client = createHttpClient(testApp.app);
		await client.signIn('new.person@example.com', 'पासवर्ड');
		expect((await client.call('GET', '/api/me')).json()).toMatchObject({ role: 'admin', hasInitialPassword: false });
		const audit = await listAuditEntries(testApp, made.json().id);
		expect(audit).toMatchObject([
			{ action: 'user-registered', actor_id: adminId, actor_email: 'admin@example.com', ip: '203.0.113.7' },
		]);
		expect(JSON.stringify(audit)).not.toContain('पासवर्ड');
	});

	const weak = '❌ Password must be at least 6 characters.';
	const address = '❌ Please enter a full email address.';
	test.each([
		['no role', { role: '' }, 422, '❌ Please select a role.', 'role'],
		['an unknown role', { role: 'owner' }, 422, '❌ Please select a role.', 'role'],
		['a weak password', { password: '12345' }, 422, weak, 'password'],
		['a password of five letters with four bytes each', { password: '😀😀😀😀😀' }, 422, weak, 'password'],
		['a known address', { email: 'ADMIN@Example.com' }, 409, '❌ Email already in use.', 'email'],
		['no address', { email: '' }, 422, address, 'email'],
		['an incomplete address', { email: 'a@b' }, 422, address, 'email'],
		['an empty label in the domain', { email: 'a@x..com' }, 422, address, 'email'],
		['two addresses', { email: 'a@example.com,b@example.com' }, 422, address, 'email'],
		['a header in the address', { email: 'a@example.com\r\nBcc: b@example.com' }, 422, address, 'email'],
		['an address that is too long', { email: `${'a'.repeat(250)}@example.com` }, 422, address, 'email'],
	])('refuses %s with a field error and creates no user', async (_what, fields, status, message, field) => {
		const before = await countUsers();
		const response = await register({ email: 'a@example.com', password: 'abcdef', role: 'user', ...fields });
		expect(response.json()).toMatchObject({ status, message, fields: { [field]: message } });
		expect(response.statusCode).toBe(status);
		expect(await countUsers()).toBe(before);
	});

	test('creates one account for two simultaneous requests with the same address', async () => {
		const body = { email: 'race@example.com', password: 'abcdef', role: 'user' };
		const answers = await Promise.all([register(body), register({ ...body, email: 'RACE@example.com' })]);
		expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
	});
});

describe('GET /api/users', () => {
	test('finds a user by a part of the address, and returns the number of files, the order and the sign-ins', async () => {
		const id = await makeUser(deps, 'buyer_100%@example.com');
		await makeUser(deps, 'buyerx100y@example.com');
		await makeFile(deps, { ownerId: id, name: 'a.txt', bytes: Buffer.from('12345') });
		await makeFile(deps, { ownerId: id, name: 'b.txt', bytes: Buffer.from('123') });
		await makeOrder(deps, { userId: id, email: 'buyer_100%@example.com', status: 'Complete' });
		await createHttpClient(testApp.app).signIn('buyer_100%@example.com', testPassword);
		// Wildcards of LIKE are not special in a search.
		const found = (await admin.call('GET', `/api/users?search=${encodeURIComponent('R_100%@')}`)).json();
		const lastLoginAt = testApp.clock.now().toISOString();
		const user = { id, fileCount: 2, sizeBytes: 8, order: 'complete', loginCount: 1, lastLoginAt };
		expect(found).toMatchObject({ total: 1, nextCursor: null, items: [user] });
		const none = (await admin.call('GET', '/api/users?search=nobody-like-this')).json();
		expect(none).toEqual({ items: [], nextCursor: null, total: 0, isMore: false });
	});

	test('filters by status and role', async () => {
		const id = await makeUser(deps, 'sleeper@example.com');
		await admin.call('POST', `/api/users/${id}/active`, { active: false });
		const emails = async (filter: string) => {
			const { items } = (await admin.call('GET', `/api/users?${filter}`)).json();
			return items.map(({ email }: { email: string }) => email);
		};
		expect(await emails('status=deactivated')).toEqual(['sleeper@example.com']);
		expect(await emails('status=active')).not.toContain('sleeper@example.com');
		expect(await emails('role=admin')).toEqual(expect.arrayContaining(['admin@example.com', 'New.Person@example.com']));
		expect((await admin.call('GET', '/api/users?status=odd')).statusCode).toBe(422);
	});

	test('filters by book access and returns it, for few and for many orders', async () => {
		const ids: Record<string, string> = {};
		for (const name of ['reader-none', 'reader-pending', 'reader-open', 'reader-both', 'reader-granted'])
			ids[name] = await makeUser(deps, `${name}@example.com`);
		const order = async (name: string, status: 'Pending' | 'Complete' | null) =>
			makeOrder(deps, { userId: ids[name] ?? '', email: `${name}@example.com`, status });
		await order('reader-pending', null);
		await order('reader-open', 'Complete');
		await order('reader-both', 'Pending');
		await order('reader-both', 'Complete');
		await order('reader-granted', 'Pending');
		await admin.call('PUT', `/api/users/${ids['reader-granted']}/book-grant`, { isGranted: true });
		const names = { none: ['none'], pending: ['pending'], open: ['both', 'granted', 'open'] };
		for (const [book, found] of Object.entries(names)) {
			const page = (await admin.call('GET', `/api/users?search=reader-&book=${book}&sort=email`)).json();
			expect(page.items.map(({ email }: { email: string }) => email)).toEqual(
				found.map((name) => `reader-${name}@example.com`),
			);
			expect(page.items.every((user: { book: string }) => user.book === book)).toBe(true);
			expect(page).toMatchObject({ total: found.length, isMore: false });
			const query = { ...allUsersByEmail, searchKey: 'reader-', book: book as 'open' };
			const idsWith = async (isBookRare: boolean) =>
				(await listUsers(deps.db, { ...query, isBookRare })).map(({ id }) => id);
			expect(await idsWith(false)).toEqual(page.items.map(({ id }: { id: string }) => id));
			if (book !== 'none') expect(await idsWith(true)).toEqual(await idsWith(false));
		}
	});

	test('returns the same users in the same order with every page size', async () => {
		const read = async (limit: number) =>
			(await readAllItems<{ id: string }>(admin, `/api/users?limit=${limit}`)).map(({ id }) => id);
		const whole = await read(1000);
		expect(new Set(whole).size).toBe(await countUsers());
		expect(await read(1)).toEqual(whole);
		expect(await read(3)).toEqual(whole);
	});

	test.each(['0', '-1', '1001', '1.5', 'x'])('refuses the limit %s', async (limit) => {
		expect((await admin.call('GET', `/api/users?limit=${limit}`)).statusCode).toBe(422);
	});
	const otherSort = Buffer.from('["email","a","b"]').toString('base64url');
	test.each(['x', 'W10', Buffer.from('["a",1]').toString('base64url'), otherSort])(
		'refuses the cursor %s',
		async (cursor) => {
			expect((await admin.call('GET', `/api/users?cursor=${cursor}`)).statusCode).toBe(422);
		},
	);

	test('returns no passwords, hashes or tokens', async () => {
		expect((await admin.call('GET', '/api/users?limit=1000')).body).not.toMatch(/password|argon2|token|hash/iu);
	});
});

test('POST /api/users/:id/active returns 404 for an unknown user', async () => {
	const response = await admin.call('POST', '/api/users/AAAAAAAAAAAAAAAAAAAAAA/active', { active: false });
	expect(response.json()).toMatchObject({ status: 404, code: 'NOT_FOUND' });
});
