import { createCipheriv, randomBytes, scryptSync } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { importLogins } from '#server/features/accounts/import/login-import.ts';
import { findRows, getRow } from '../../support/app/database-rows.ts';
import { createHttpClient } from '../../support/app/http-client.ts';
import { countVerified } from '../../support/app/quick-argon2.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { listAuditEntries, listMailsTo, tokenIn } from '../../support/app/test-app.ts';
import { makeUser, testPassword } from '../../support/app/users.ts';
import { makePicture } from '../../support/documents/images.ts';
import { sendCheckoutForm } from '../../support/fixtures/checkout.ts';
import { publishedLogin } from '../../support/fixtures/imported-logins.ts';

const { testApp, deps } = await openTestApp({ RATE_LIMIT_FACTOR: '1000' });

/** Returns a user as in a Firebase export. */
function exported(email: string, password: string) {
	const salt = randomBytes(8);
	const { base64_signer_key, base64_salt_separator, rounds, mem_cost } = publishedLogin.config;
	const fullSalt = Buffer.concat([salt, Buffer.from(base64_salt_separator, 'base64')]);
	const key = scryptSync(password, fullSalt, 32, { N: 2 ** mem_cost, r: rounds, p: 1, maxmem: 2 ** 26 });
	const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
	const passwordHash = cipher.update(Buffer.from(base64_signer_key, 'base64')).toString('base64');
	return { localId: randomBytes(8).toString('hex'), email, passwordHash, salt: salt.toString('base64') };
}

const importUsers = (...users: object[]) =>
	importLogins(deps, JSON.stringify({ hash_config: publishedLogin.config, users }));
const signIn = (email: string, password: string) =>
	createHttpClient(testApp.app).call('POST', '/api/sign-in', { email, password });
const findUser = async (email: string) => (await findRows(deps, 'users', { email_key: email }))[0];
const countImports = async () => (await findRows(deps, 'imported_logins')).length;

describe('an imported login', () => {
	test('becomes an active user with login count 1 at the first correct sign-in, and its import row is deleted', async () => {
		// Firebase exports use base64 or base64url. This test uses base64url, and the other tests use base64.
		const passwordHash = publishedLogin.hash.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
		const user = { localId: 'x', email: 'Old.Friend@example.com', passwordHash, salt: publishedLogin.salt };
		expect(await importUsers(user)).toEqual({ imported: 1, skipped: [] });
		const row = await getRow(deps, 'imported_logins', {});
		expect(JSON.stringify(row)).not.toContain(passwordHash);
		expect(JSON.stringify(row)).not.toContain(publishedLogin.config.base64_signer_key);

		expect((await signIn('old.friend@example.com', 'wrong')).statusCode).toBe(401);
		expect(await findUser('old.friend@example.com')).toBeUndefined();
		const first = await signIn('old.friend@example.com', publishedLogin.password);
		expect(first.json()).toMatchObject({ email: 'Old.Friend@example.com', role: 'user', hasInitialPassword: false });
		const made = await findUser('old.friend@example.com');
		expect(made).toMatchObject({ role: 'user', active: 1, login_count: 1 });
		expect(made?.password_hash).toMatch(/^\$argon2id\$/u);
		expect(await countImports()).toBe(0);
		expect(await findRows(deps, 'login_history', { user_id: made?.id ?? '' })).toMatchObject([{ login_count: 1 }]);
		const actions = (await listAuditEntries(testApp, made?.id ?? '')).map(({ action }) => action);
		expect(actions).toEqual(['login-taken-over']);

		expect((await signIn('old.friend@example.com', publishedLogin.password)).statusCode).toBe(200);
		expect((await findUser('old.friend@example.com'))?.login_count).toBe(2);
	});

	test('gives its display name to the user, whether a sign-in, a reset or a purchase creates the account', async () => {
		const names: Record<string, string | undefined> = {
			in: ' Asha Rao ',
			reset: 'आशा राव',
			bought: 'Asha',
			odd: 'a\nb',
		};
		const logins = Object.entries({ ...names, none: undefined });
		await importUsers(
			...logins.map(([who, displayName]) => ({ ...exported(`${who}@named.example.com`, 'known pass'), displayName })),
		);
		expect(JSON.stringify(await findRows(deps, 'imported_logins'))).not.toContain('Asha');
		const client = createHttpClient(testApp.app, '198.51.100.10');
		await client.call('POST', '/api/password/request-reset', { email: 'reset@named.example.com' });
		const buyer = { email: 'bought@named.example.com', name: 'Another Name' };
		expect((await sendCheckoutForm(client, buyer, { bytes: await makePicture() })).statusCode).toBe(200);
		const expected: Record<string, string | null> = { ...names, in: 'Asha Rao', odd: null, none: null };
		for (const [who, name] of Object.entries(expected)) {
			expect((await signIn(`${who}@named.example.com`, 'known pass')).json()).toMatchObject({ name });
			expect((await findUser(`${who}@named.example.com`))?.search_key).toContain((name ?? '').toLowerCase());
		}
	});

	test('becomes one user when ten sign-ins arrive at the same time', async () => {
		await importUsers(exported('eager@example.com', 'in a hurry'));
		const answers = await Promise.all(Array.from({ length: 10 }, () => signIn('eager@example.com', 'in a hurry')));
		expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(200));
		expect((await findUser('eager@example.com'))?.login_count).toBe(10);
	});

	test('becomes a user when a password reset is requested, and the mailed link can set the password', async () => {
		await importUsers(exported('forgetful@example.com', 'long forgotten'));
		const client = createHttpClient(testApp.app);
		await client.call('POST', '/api/password/request-reset', { email: 'Forgetful@example.com' });
		const [mail] = await listMailsTo(testApp, 'forgetful@example.com');
		const token = tokenIn(mail);
		expect((await client.call('POST', '/api/password/set', { token, password: 'a new one' })).statusCode).toBe(200);
		expect((await signIn('forgetful@example.com', 'long forgotten')).statusCode).toBe(401);
		expect((await signIn('forgetful@example.com', 'a new one')).statusCode).toBe(200);
	});

	test('keeps its password when a stranger requests a reset or buys the book with the same address', async () => {
		await importUsers(exported('target@example.com', 'still mine'), exported('buyer@example.com', 'still mine'));
		const stranger = createHttpClient(testApp.app, '198.51.100.9');
		await stranger.call('POST', '/api/password/request-reset', { email: 'target@example.com' });
		const bought = await sendCheckoutForm(stranger, { email: 'BUYER@example.com' }, { bytes: await makePicture() });
		expect(bought.statusCode).toBe(200);
		const mails = await listMailsTo(testApp, 'buyer@example.com');
		expect(mails).toHaveLength(1);
		expect(mails[0]?.text).not.toContain('Password:');
		for (const email of ['target@example.com', 'buyer@example.com']) {
			expect((await signIn(email, 'still mine')).statusCode).toBe(200);
			expect(await findUser(email)).toMatchObject({ role: 'user', name: null, has_initial_password: 0 });
		}
		expect(await countImports()).toBe(0);
	});

	test('cannot be used after an account with the same address was created', async () => {
		await importUsers(exported('twice@example.com', 'imported pass'));
		await makeUser(deps, 'Twice@example.com');
		await deps.db.deleteFrom('users').where('email_key', '=', 'twice@example.com').execute();
		expect((await signIn('twice@example.com', 'imported pass')).statusCode).toBe(401);
		expect(await countImports()).toBe(0);
	});
});

describe('importLogins', () => {
	test('imports valid users, and returns a reason for each skipped user, also when the import is repeated', async () => {
		await makeUser(deps, 'here@example.com');
		const hash_config = `hash_config {\n  algorithm: SCRYPT,\n  base64_signer_key: ${publishedLogin.config.base64_signer_key},\n  base64_salt_separator: Bw==,\n  rounds: 8,\n  mem_cost: 14,\n}`;
		const users = [
			exported('good@example.com', 'a good one'),
			{ ...exported('off@example.com', 'x'), disabled: true },
			{ localId: 'by-google', email: 'google@example.com' },
			{ localId: 'by-phone' },
			exported('here@example.com', 'other'),
		];
		for (let round = 0; round < 2; round += 1) {
			expect(await importLogins(deps, JSON.stringify({ hash_config, users }))).toEqual({
				imported: 1,
				skipped: [
					{ who: 'off@example.com', why: 'is disabled in Firebase' },
					{ who: 'google@example.com', why: 'has no password in Firebase (signs in another way)' },
					{ who: 'by-phone', why: 'has no full email address' },
					{ who: 'here@example.com', why: 'has an account here' },
				],
			});
		}
		expect((await signIn('here@example.com', 'other')).statusCode).toBe(401);
		expect((await signIn('here@example.com', testPassword)).statusCode).toBe(200);
		expect((await signIn('good@example.com', 'a good one')).statusCode).toBe(200);
	});

	test.each([
		['no JSON', 'users', 'The file is not JSON.'],
		['no parameters', '{"users":[]}', 'The file needs the password hash parameters'],
		['no users', JSON.stringify({ hash_config: publishedLogin.config }), 'The file is not an export of users: users'],
	])('rejects a file with %s with an error message', async (_what, text, message) => {
		await expect(importLogins(deps, text)).rejects.toThrow(message);
	});
});

// Counts verifications instead of measuring times, which vary too much. passwords.test.ts checks the cost of a hash.
test('a wrong sign-in verifies one password hash and one imported login for imported, registered and unknown addresses', async () => {
	await importUsers(exported('timed@example.com', 'never used'));
	await makeUser(deps, 'known@example.com');
	const unseal = vi.spyOn(deps.secrets, 'unseal');
	onTestFinished(() => unseal.mockRestore());
	for (const email of ['timed@example.com', 'known@example.com', 'unknown@example.com']) {
		unseal.mockClear();
		const before = countVerified();
		expect((await signIn(email, 'wrong')).statusCode).toBe(401);
		const imported = unseal.mock.calls.filter(([context]) => context === 'imported_logins.verifier');
		expect([email, countVerified() - before, imported.length]).toEqual([email, 1, 1]);
	}
});
