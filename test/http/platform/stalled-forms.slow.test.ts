import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { attachmentsPath } from '#contract/chat/chat.ts';
import { checkoutPath } from '#contract/orders/checkout-form.ts';
import { listen } from '../../support/app/event-streams.ts';
import { multipart } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { makeSignedInUser } from '../../support/app/users.ts';
import { makePicture } from '../../support/documents/images.ts';
import { newClientId, readChat, sendChatFile } from '../../support/fixtures/chat.ts';
import { makeFile } from '../../support/fixtures/files.ts';

const partBytes = 9 * 1024 * 1024;

const { testApp } = await openTestApp();
const url = await listen(testApp.app);
const sockets: Socket[] = [];
afterEach(async () => {
	for (const socket of sockets) socket.destroy();
	await expect.poll(() => testApp.deps.live.count()).toBe(0);
});

function openSocket(): Socket {
	const { hostname, port } = new URL(url);
	const socket = connect(Number(port), hostname);
	sockets.push(socket);
	return socket.on('error', () => {});
}

/** Sends a form without its last bytes. @returns the socket after the bytes were written */
async function sendIncompleteForm(path: string = checkoutPath, bytes = partBytes, cookie = ''): Promise<Socket> {
	const socket = openSocket();
	const form = multipart({}, { field: 'screenshot', name: 'a.png', type: 'image/png', bytes: Buffer.alloc(bytes) });
	const head = [
		`POST ${path} HTTP/1.1`,
		'host: folio.test',
		`cookie: ${cookie}`,
		`content-type: ${form.headers['content-type']}`,
		`content-length: ${form.body.length}`,
	];
	socket.write(`${head.join('\r\n')}\r\n\r\n`);
	socket.write(form.body.subarray(0, -200));
	if (socket.writableNeedDrain) await Promise.race([waitFor(socket, 'drain'), waitFor(socket, 'close')]);
	return socket;
}

/** Waits for an event. Unlike `once` of node:events, this does not reject when the server resets the connection. */
function waitFor(socket: Socket, event: 'drain' | 'close'): Promise<true> {
	return new Promise((resolve) => socket.once(event, () => resolve(true)));
}

test('stalled purchase forms are aborted, and do not block another buyer with the same IP address', async () => {
	const first = await sendIncompleteForm();
	const isCutOff = waitFor(first, 'close');
	for (let i = 0; i < 9; i += 1) {
		await sendIncompleteForm();
		await setImmediate();
	}
	expect(await isCutOff).toBe(true);
	const picture = { field: 'screenshot', name: 'paid.png', type: 'image/png', bytes: await makePicture() };
	const form = multipart({ name: 'Asha', phone: '1', email: 'in-time@example.com', upiId: 'x' }, picture);
	const answer = await fetch(`${url}${checkoutPath}`, {
		method: 'POST',
		headers: { ...form.headers, accept: 'application/json' },
		body: new Uint8Array(form.body),
	});
	expect(answer.status).toBe(200);
	await expect.poll(() => sockets.filter((socket) => !socket.destroyed).length).toBeLessThanOrEqual(7);
});

test('stalled chat files are aborted, and do not block other files', async () => {
	const { client: sender, id } = await makeSignedInUser(testApp, 'holder@example.com');
	const openSockets: Socket[] = [];
	const sendIncompleteFile = async () => {
		const path = `${attachmentsPath(id)}?clientId=${newClientId()}`;
		openSockets.push(await sendIncompleteForm(path, 24 * 1024 * 1024, sender.cookie()));
	};
	await sendIncompleteFile();
	const isCutOff = waitFor(openSockets[0] as Socket, 'close');
	for (let i = 0; i < 4; i += 1) await sendIncompleteFile();
	expect(await isCutOff).toBe(true);
	const file = { name: 'in-time.txt', bytes: Buffer.from('in time') };
	const { client: member, id: memberId } = await makeSignedInUser(testApp, 'member@example.com');
	expect((await sendChatFile(member, memberId, file)).statusCode).toBe(200);
	expect((await sendChatFile(sender, id, file)).statusCode).toBe(200);
	expect((await readChat(sender, id)).items).toHaveLength(1);
	await expect.poll(() => openSockets.filter((socket) => !socket.destroyed).length).toBeLessThanOrEqual(2);
});

test('200 clients that send headers or a body slowly, or read a download slowly, do not block others or use much memory', async () => {
	const { client, id: ownerId } = await makeSignedInUser(testApp, 'slow@example.com');
	const bytes = Buffer.alloc(16 * 1024 * 1024, 'x');
	const file = await makeFile(testApp.deps, { ownerId, name: 'long.bin', bytes });
	const memoryBefore = process.memoryUsage().rss;
	const repeat = (times: number, start: string) => {
		for (let at = 0; at < times; at += 1) openSocket().pause().write(start);
	};
	repeat(70, 'GET / HTTP/1.1\r\nhost: folio.test\r\n');
	repeat(
		70,
		'POST /api/sign-in HTTP/1.1\r\nhost: folio.test\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{',
	);
	repeat(60, `GET /api/files/${file}/content HTTP/1.1\r\nhost: folio.test\r\ncookie: ${client.cookie()}\r\n\r\n`);
	await expect.poll(() => testApp.deps.live.count()).toBe(60);
	expect((await fetch(url)).status).toBe(200);
	expect((await fetch(`${url}/api/me`, { headers: { cookie: client.cookie() } })).status).toBe(200);
	const { client: other } = await makeSignedInUser(testApp, 'other@example.com');
	expect((await other.call('GET', '/api/spaces/guest/nodes')).statusCode).toBe(200);
	// All downloads together have 960 MB.
	expect(process.memoryUsage().rss - memoryBefore).toBeLessThan(240 * 1024 * 1024);
});
