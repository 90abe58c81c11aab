import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { attachmentsPath } from '#contract/chat/chat.ts';
import { checkoutPath } from '#contract/orders/checkout-form.ts';
import { listen } from '../../support/app/event-streams.ts';
import { multipart } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { makeSignedInUser } from '../../support/app/users.ts';
import { makePicture } from '../../support/documents/images.ts';
import { newClientId, readChat, sendChatFile } from '../../support/fixtures/chat.ts';

const partBytes = 9 * 1024 * 1024;

const { testApp } = await openTestApp();
const url = await listen(testApp.app);
const sockets: Socket[] = [];
afterAll(() => {
	for (const socket of sockets) socket.destroy();
});

/** Sends a form without its last bytes. @returns the socket after the bytes were written */
async function sendIncompleteForm(path: string = checkoutPath, bytes = partBytes, cookie = ''): Promise<Socket> {
	const { hostname, port } = new URL(url);
	const socket = connect(Number(port), hostname);
	sockets.push(socket);
	socket.on('error', () => {});
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
