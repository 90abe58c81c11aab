import { expect, test } from 'vitest';
import { newId } from '#server/platform/ids.ts';
import { findRows, insertRows } from '../../support/app/database-rows.ts';
import { createHttpClient, type HttpClient } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { listMailsTo, tokenIn } from '../../support/app/test-app.ts';
import { makeSignedInUser, makeUser, testPassword } from '../../support/app/users.ts';
import { makeFolder } from '../../support/fixtures/files.ts';
import { beginUpload, sendChunk, tus } from '../../support/fixtures/uploads.ts';

const { testApp, deps, admin } = await openTestApp();

async function startUpload(client: HttpClient, filename: string, length: number): Promise<string> {
	const started = await beginUpload(client, { owner: 'guest', filename }, length);
	expect(started.statusCode).toBe(201);
	return String(started.headers.location);
}
const patch = (client: HttpClient, url: string, offset: number, text: string) =>
	sendChunk(client, url, offset, Buffer.from(text));

test('creates no session when the password is changed while a sign-in verifies the old password', async () => {
	const id = await makeUser(deps, 'victim@example.com');
	await createHttpClient(testApp.app).call('POST', '/api/password/request-reset', { email: 'victim@example.com' });
	const [mail] = await listMailsTo(testApp, 'victim@example.com');
	const token = tokenIn(mail);

	const clients = Array.from({ length: 12 }, (_, i) => createHttpClient(testApp.app, `198.51.100.${i + 1}`));
	const attempts = clients.map((client) => client.signIn('victim@example.com', testPassword).catch(() => {}));
	const body = { token, password: 'a new password' };
	const set = await createHttpClient(testApp.app).call('POST', '/api/password/set', body);
	await Promise.all(attempts);

	expect(set.statusCode).toBe(200);
	const states = await Promise.all(clients.map(async (client) => (await client.call('GET', '/api/me')).statusCode));
	expect(states).toEqual(clients.map(() => 401));
	expect(await findRows(deps, 'sessions', { user_id: id, ended_at: null })).toEqual([]);
});

test('creates no session when the user is deactivated during a sign-in', async () => {
	const id = await makeUser(deps, 'leaving@example.com');
	const clients = Array.from({ length: 8 }, (_, i) => createHttpClient(testApp.app, `198.51.100.${i + 101}`));
	const attempts = clients.map((client) => client.signIn('leaving@example.com', testPassword).catch(() => {}));
	await admin.call('POST', `/api/users/${id}/active`, { active: false });
	await Promise.all(attempts);
	await admin.call('POST', `/api/users/${id}/active`, { active: true });

	const states = await Promise.all(clients.map(async (client) => (await client.call('GET', '/api/me')).statusCode));
	expect(states).toEqual(clients.map(() => 401));
});

test.each(['?/', '?x=/', '?upload='])(
	'uses the upload ID in the path, and ignores an upload ID in the query after %s',
	async (query) => {
		const { client: other } = await makeSignedInUser(testApp, `second-${query.length}@example.com`, 'admin');
		const otherUpload = await startUpload(other, `theirs-${query.length}.txt`, 8);
		await patch(other, otherUpload, 0, 'good');
		const ownUpload = await startUpload(admin, `mine-${query.length}.txt`, 8);
		const urlWithOtherId = `${ownUpload}${query}${otherUpload.split('/').at(-1)}`;

		expect((await patch(admin, urlWithOtherId, 4, 'EVIL')).statusCode).toBe(409);
		expect((await admin.call('HEAD', urlWithOtherId, undefined, tus)).headers['upload-offset']).toBe('0');
		await admin.call('DELETE', urlWithOtherId, undefined, tus);
		expect((await other.call('HEAD', otherUpload, undefined, tus)).headers['upload-offset']).toBe('4');
		expect((await patch(other, otherUpload, 4, 'good')).statusCode).toBe(204);
	},
);

test('refuses chunks and cancellation of a finished upload, and keeps its file', async () => {
	const url = await startUpload(admin, 'whole.txt', 5);
	expect((await patch(admin, url, 0, 'whole')).statusCode).toBe(204);
	expect((await patch(admin, url, 3, 'xx')).json()).toMatchObject({ code: 'UPLOAD_OFFSET', status: 409 });
	expect((await admin.call('DELETE', url, undefined, tus)).statusCode).toBe(404);
	const { items } = (await admin.call('GET', '/api/spaces/guest/nodes?search=whole')).json();
	expect((await admin.call('GET', items[0].url)).body).toBe('whole');
});

test('deletes a folder with 40,000 nodes', async () => {
	const folder = await makeFolder(deps, 'guest', 'Archive');
	const location = { owner_id: 'guest', parent_id: folder.id, path: folder.path };
	const kind = { kind: 'folder' as const, kind_order: 0, ending: '', size_bytes: 0, blob_id: null };
	const times = { created_at: testApp.clock.now().toISOString(), deleted_at: null };
	const row = (i: number) => {
		const names = { real_path: String(i), name: `part ${i}`, name_key: `part ${i}`, sort_key: `1part ${i}` };
		return { id: newId(), ...location, ...kind, ...names, ...times };
	};
	const rows = Array.from({ length: 40_000 }, (_, i) => row(i));
	await insertRows(deps, 'nodes', rows);
	expect((await admin.call('DELETE', `/api/nodes/${folder.id}`)).statusCode).toBe(200);
	expect((await admin.call('GET', `/api/spaces/guest/nodes?path=${folder.path}`)).statusCode).toBe(404);
	expect((await admin.call('GET', '/api/spaces/guest/nodes?search=part%2039999')).json().items).toEqual([]);
});

test.each([
	['no boundary', 'multipart/form-data', 'x'],
	['an empty boundary', 'multipart/form-data; boundary=', 'x'],
	[
		'no closing boundary',
		'multipart/form-data; boundary=b',
		'--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nMee',
	],
	['an empty body', 'multipart/form-data; boundary=b', ''],
])('returns 422 for a form with %s, as JSON and as an HTML page', async (_what, type, body) => {
	const visitor = createHttpClient(testApp.app);
	for (const accept of ['application/json', 'text/html']) {
		const headers = { 'content-type': type, accept };
		const answer = await visitor.call('POST', '/purchase', Buffer.from(body), headers);
		expect(answer.statusCode).toBe(422);
		expect(answer.headers['content-type']).toContain(accept);
	}
	const qr = await admin.call('POST', '/api/settings/qr', Buffer.from(body), { 'content-type': type });
	expect(qr.statusCode).toBe(422);
});

test('returns INVALID_INPUT and all security headers for a malformed path', async () => {
	const answer = await createHttpClient(testApp.app).call('GET', '/%ff');
	expect(answer.json()).toMatchObject({ code: 'INVALID_INPUT' });
	expect(answer.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
	expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
});
