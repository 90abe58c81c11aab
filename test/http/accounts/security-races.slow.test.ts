import { expect, test } from 'vitest';
import { newId } from '#server/platform/ids.ts';
import { createHttpClient, type HttpClient } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { makeSignedInUser, makeUser, testPassword } from '../../support/app/users.ts';
import { makeFolder } from '../../support/fixtures/files.ts';

const { world, admin } = await openTestApp();

const tus = { 'tus-resumable': '1.0.0' };

async function beginUpload(client: HttpClient, filename: string, length: number): Promise<string> {
	const metadata = Object.entries({ owner: 'guest', path: '', filename });
	const begun = await client.call('POST', '/api/uploads', undefined, {
		...tus,
		'upload-length': String(length),
		'upload-metadata': metadata.map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`).join(','),
	});
	expect(begun.statusCode).toBe(201);
	return String(begun.headers.location);
}

function patch(client: HttpClient, url: string, offset: number, bytes: string) {
	const headers = { ...tus, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' };
	return client.call('PATCH', url, Buffer.from(bytes), headers);
}

test('creates no session for an old password that is being checked while a new one is set', async () => {
	const id = await makeUser(world.deps, 'victim@example.com');
	await createHttpClient(world.app).call('POST', '/api/password/request-reset', { email: 'victim@example.com' });
	const mails = await world.runDueWork();
	const token = /#token=(\S+)/u.exec(mails.at(-1)?.text ?? '')?.[1];

	const clients = Array.from({ length: 12 }, (_, i) => createHttpClient(world.app, `198.51.100.${i + 1}`));
	const attempts = clients.map((client) => client.signIn('victim@example.com', testPassword).catch(() => {}));
	const body = { token, password: 'a new password' };
	const set = await createHttpClient(world.app).call('POST', '/api/password/set', body);
	await Promise.all(attempts);

	expect(set.statusCode).toBe(200);
	const states = await Promise.all(clients.map(async (client) => (await client.call('GET', '/api/me')).statusCode));
	expect(states).toEqual(clients.map(() => 401));
	const sessions = await world.deps.db.selectFrom('sessions').selectAll().where('user_id', '=', id).execute();
	expect(sessions.filter(({ ended_at }) => ended_at === null)).toEqual([]);
});

test('leaves no session after a sign-in that was running during a deactivation', async () => {
	const id = await makeUser(world.deps, 'leaving@example.com');
	const clients = Array.from({ length: 8 }, (_, i) => createHttpClient(world.app, `198.51.100.${i + 101}`));
	const attempts = clients.map((client) => client.signIn('leaving@example.com', testPassword).catch(() => {}));
	await admin.call('POST', `/api/users/${id}/active`, { active: false });
	await Promise.all(attempts);
	await admin.call('POST', `/api/users/${id}/active`, { active: true });

	const states = await Promise.all(clients.map(async (client) => (await client.call('GET', '/api/me')).statusCode));
	expect(states).toEqual(clients.map(() => 401));
});

test.each(['?/', '?x=/', '?upload='])(
	'writes to the upload in the path and ignores another upload ID after %s',
	async (trick) => {
		const { client: other } = await makeSignedInUser(world, `second-${trick.length}@example.com`, 'admin');
		const theirs = await beginUpload(other, `theirs-${trick.length}.txt`, 8);
		await patch(other, theirs, 0, 'good');
		const mine = await beginUpload(admin, `mine-${trick.length}.txt`, 8);
		const tricky = `${mine}${trick}${theirs.split('/').at(-1)}`;

		expect((await patch(admin, tricky, 4, 'EVIL')).statusCode).toBe(409);
		expect((await admin.call('HEAD', tricky, undefined, tus)).headers['upload-offset']).toBe('0');
		await admin.call('DELETE', tricky, undefined, tus);
		expect((await other.call('HEAD', theirs, undefined, tus)).headers['upload-offset']).toBe('4');
		expect((await patch(other, theirs, 4, 'good')).statusCode).toBe(204);
	},
);

test('refuses chunks and cancellation for an upload that has become a file, and keeps the file', async () => {
	const url = await beginUpload(admin, 'whole.txt', 5);
	expect((await patch(admin, url, 0, 'whole')).statusCode).toBe(204);
	expect((await patch(admin, url, 3, 'xx')).json()).toMatchObject({ code: 'UPLOAD_OFFSET', status: 409 });
	expect((await admin.call('DELETE', url, undefined, tus)).statusCode).toBe(404);
	const { items } = (await admin.call('GET', '/api/spaces/guest/nodes?search=whole')).json();
	expect((await admin.call('GET', items[0].url)).body).toBe('whole');
});

test('deletes a folder with 40,000 nodes', async () => {
	const folder = await makeFolder(world.deps, 'guest', 'Archive');
	const place = { owner_id: 'guest', parent_id: folder.id, path: folder.path };
	const kind = { kind: 'folder' as const, kind_order: 0, ending: '', size_bytes: 0, blob_id: null };
	const times = { created_at: world.clock.now().toISOString(), deleted_at: null };
	const row = (i: number) => {
		const names = { real_path: String(i), name: `part ${i}`, name_key: `part ${i}`, sort_key: `1part ${i}` };
		return { id: newId(), ...place, ...kind, ...names, ...times };
	};
	for (let start = 0; start < 40_000; start += 1000) {
		const rows = Array.from({ length: 1000 }, (_, i) => row(start + i));
		await world.deps.db.insertInto('nodes').values(rows).execute();
	}
	expect((await admin.call('DELETE', `/api/nodes/${folder.id}`)).statusCode).toBe(200);
	expect((await admin.call('GET', `/api/spaces/guest/nodes?path=${folder.path}`)).statusCode).toBe(404);
	expect((await admin.call('GET', '/api/spaces/guest/nodes?search=part%2039999')).json().items).toEqual([]);
});

test.each([
	['no boundary', 'multipart/form-data', 'x'],
	['an empty boundary', 'multipart/form-data; boundary=', 'x'],
	[
		'an end that never comes',
		'multipart/form-data; boundary=b',
		'--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nMee',
	],
	['nothing', 'multipart/form-data; boundary=b', ''],
])('returns 422 for a form with %s, as JSON and as an HTML page', async (_what, type, body) => {
	const visitor = createHttpClient(world.app);
	for (const accept of ['application/json', 'text/html']) {
		const headers = { 'content-type': type, accept };
		const answer = await visitor.call('POST', '/purchase', Buffer.from(body), headers);
		expect(answer.statusCode).toBe(422);
		expect(answer.headers['content-type']).toContain(accept);
	}
	const qr = await admin.call('POST', '/api/settings/qr', Buffer.from(body), { 'content-type': type });
	expect(qr.statusCode).toBe(422);
});

test('answers a malformed path with INVALID_INPUT and all security headers', async () => {
	const answer = await createHttpClient(world.app).call('GET', '/%ff');
	expect(answer.json()).toMatchObject({ code: 'INVALID_INPUT' });
	expect(answer.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
	expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
});

test('returns 409 with an error at the name field when an upload ends under a name that is taken', async () => {
	const first = await beginUpload(admin, 'Twin.txt', 4);
	const second = await beginUpload(admin, 'TWIN.txt', 4);
	expect((await patch(admin, first, 0, 'once')).statusCode).toBe(204);
	const refused = await patch(admin, second, 0, 'then');
	expect(refused.statusCode).toBe(409);
	const message = 'File TWIN.txt already exists';
	expect(JSON.parse(refused.body)).toMatchObject({ message, fields: { name: message } });
});
