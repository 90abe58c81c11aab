import { once } from 'node:events';
import { get, type IncomingMessage, request } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { listen, openEventStream, requireWithinASecond, secondWithMarginMs } from '../../support/app/event-streams.ts';
import { createHttpClient, type HttpClient } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { makeSignedInUser, makeUser, testPassword } from '../../support/app/users.ts';
import { makeFile } from '../../support/fixtures/files.ts';
import { setUpTwoFactor } from '../../support/fixtures/two-factor.ts';

const { world, admin } = await openTestApp();
const url = await listen(world.app);
const bytes = Buffer.alloc(16 * 1024 * 1024, 'x');

// The next test counts open connections, and the server notices a closed one later than its client.
afterEach(() => expect.poll(() => world.deps.live.count()).toBe(0));

/** Starts a download and stops reading, so that the server still has most of it to send. */
async function beginDownload(cookie: string, fileId: string) {
	const sent = get(`${url}/api/files/${fileId}/content`, { headers: { cookie } });
	const [response] = (await once(sent, 'response')) as [IncomingMessage];
	expect(response.statusCode).toBe(200);
	let received = 0;
	response.on('error', () => {});
	const over = new Promise<void>((resolve) => response.once('close', () => resolve()));
	await new Promise<void>((resolve) => {
		response.once('data', (chunk: Buffer) => {
			received += chunk.length;
			response.pause();
			resolve();
		});
	});
	return {
		over,
		/** Reads the rest as fast as it arrives. */
		readOn() {
			response.on('data', (chunk: Buffer) => {
				received += chunk.length;
			});
			response.resume();
		},
		received: () => received,
	};
}

test('aborts the open upload of an admin who becomes a user, and keeps the session', async () => {
	const { id, client: other } = await makeSignedInUser(world, 'former-admin@example.com', 'admin', '203.0.113.78');
	const upload = await beginUpload(other, 'guest', 'too late.bin');
	await expect.poll(() => world.deps.live.count()).toBe(1);
	expect((await admin.call('POST', `/api/users/${id}/role`, { role: 'user' })).statusCode).toBe(200);
	await requireWithinASecond(upload.over, 'the upload');
	expect((await other.call('GET', '/api/me')).json()).toMatchObject({ role: 'user' });
	expect((await admin.call('GET', '/api/spaces/guest/nodes?search=too%20late')).json().items).toEqual([]);
});

test('aborts the transfers of an admin without two-factor sign-in when it becomes required', async () => {
	const { client: other } = await makeSignedInUser(world, 'other-admin@example.com', 'admin', '203.0.113.77');
	const fileId = await makeFile(world.deps, { ownerId: 'guest', name: 'Long.bin', bytes });
	const download = await beginDownload(other.cookie(), fileId);
	const upload = await beginUpload(other, 'guest', 'other long.bin');
	await expect.poll(() => world.deps.live.count()).toBe(2);
	await setUpTwoFactor(world, (path, body) => admin.call('POST', path, body));
	const require = (isRequiredOfAdmins: boolean) => admin.call('PUT', '/api/settings/security', { isRequiredOfAdmins });
	expect((await require(true)).statusCode).toBe(200);
	download.readOn();
	await requireWithinASecond(Promise.all([download.over, upload.over]), 'download and upload');
	expect(download.received()).toBeLessThan(bytes.length);
	expect((await other.call('GET', '/api/me')).json()).toMatchObject({ mustSetUpTwoFactor: true });
	await require(false);
	expect((await other.call('GET', '/api/users')).statusCode).toBe(200);
});

/** Starts an upload that sends ten bytes and then waits. */
async function beginUpload(client: HttpClient, owner: string, name: string): Promise<{ over: Promise<void> }> {
	const encode = (text: string) => Buffer.from(text).toString('base64');
	const tus = { 'tus-resumable': '1.0.0' };
	const created = await client.call('POST', '/api/uploads', undefined, {
		...tus,
		'upload-length': '1000',
		'upload-metadata': `owner ${encode(owner)},filename ${encode(name)}`,
	});
	const sent = request(`${url}${created.headers.location}`, {
		method: 'PATCH',
		headers: {
			...tus,
			cookie: client.cookie(),
			'upload-offset': '0',
			'content-type': 'application/offset+octet-stream',
			'content-length': '1000',
		},
	});
	const over = new Promise<void>((resolve) => {
		sent.once('error', () => resolve()).once('close', () => resolve());
	});
	sent.write(Buffer.alloc(10));
	return { over };
}

// Members only read and admins also upload, so both roles are tested on two devices each.
test.each(['user', 'admin'] as const)(
	'aborts event streams and transfers on both devices of a deactivated %s and refuses further requests',
	async (role) => {
		const email = `busy-${role}@example.com`;
		const id = await makeUser(world.deps, email, role);
		const fileId = await makeFile(world.deps, { ownerId: id, name: 'long.bin', bytes });
		const devices = await Promise.all(
			['198.51.100.1', '198.51.100.2'].map(async (ip) => {
				const client = createHttpClient(world.app, ip);
				await client.signIn(email, testPassword);
				const stream = await openEventStream(url, client.cookie());
				const download = await beginDownload(client.cookie(), fileId);
				const upload = role === 'admin' ? await beginUpload(client, email, `slow ${ip}.bin`) : null;
				return { client, stream, download, upload };
			}),
		);
		const heldPerDevice = role === 'admin' ? 3 : 2;
		await expect.poll(() => world.deps.live.count()).toBe(devices.length * heldPerDevice);

		const startedAt = performance.now();
		const answer = await admin.call('POST', `/api/users/${id}/active`, { active: false });
		expect(answer.statusCode).toBe(200);
		for (const { download } of devices) download.readOn();
		await Promise.all(devices.flatMap(({ stream, download, upload }) => [stream.closed, download.over, upload?.over]));
		const ms = performance.now() - startedAt;
		console.log(`two devices of one ${role} were out ${ms.toFixed(0)} ms after Deactivate was pressed`);
		expect(ms).toBeLessThan(secondWithMarginMs);
		expect(world.deps.live.count()).toBe(0);

		for (const { client, stream, download } of devices) {
			expect(stream.events).toContainEqual({ topic: 'ended', reason: 'deactivation' });
			expect(download.received()).toBeLessThan(bytes.length);
			const refused = await client.call('GET', '/api/me');
			expect([refused.statusCode, refused.json().message]).toEqual([403, 'Your account is not active.']);
			for (const path of ['/api/events', `/api/files/${fileId}/content`, '/api/sessions', '/api/shelf'])
				expect((await client.call('GET', path)).statusCode).toBe(403);
			const page = await client.call('GET', '/dashboard');
			expect([page.statusCode, page.headers.location]).toEqual([302, '/login?reason=deactivated']);
			expect((await client.call('GET', '/contact')).statusCode).toBe(403);
			const back = await client.call('POST', '/api/sign-in', { email, password: testPassword });
			const deactivated = 'Your account has been deactivated. Contact admin.';
			expect([back.statusCode, back.json().message]).toEqual([403, deactivated]);
		}
		const left = await world.deps.db.selectFrom('nodes').select('name').where('name', 'like', 'slow %').execute();
		expect(left).toEqual([]);
	},
);
