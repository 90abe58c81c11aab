import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { attachmentsPath } from '#contract/chat/chat.ts';
import { checkoutPath } from '#contract/orders/checkout.ts';
import { listen } from '../../support/app/event-streams.ts';
import { multipart } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { makeSignedInUser } from '../../support/app/users.ts';
import { makePicture } from '../../support/documents/images.ts';
import { newClientId, readChat, sendChatFile } from '../../support/fixtures/chat.ts';

const partBytes = 9 * 1024 * 1024;

const { world } = await openTestApp();
const url = await listen(world.app);
const sockets: Socket[] = [];
afterAll(() => {
	for (const socket of sockets) socket.destroy();
});

/** Sends most of a form and then nothing more. @returns its socket when all of that has been written */
async function stall(path: string = checkoutPath, bytes = partBytes, cookie = ''): Promise<Socket> {
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
	if (socket.writableNeedDrain) await once(socket, 'drain');
	return socket;
}

test('stalled purchase forms are cut off and do not block another buyer of the same IP address', async () => {
	const first = await stall();
	const isCutOff = once(first, 'close').then(() => true);
	for (let i = 0; i < 9; i += 1) {
		await stall();
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

test('stalled chat files are cut off and do not block other files', async () => {
	const { client: holder, id } = await makeSignedInUser(world, 'holder@example.com');
	const held: Socket[] = [];
	const hold = async () => {
		const path = `${attachmentsPath(id)}?clientId=${newClientId()}`;
		held.push(await stall(path, 24 * 1024 * 1024, holder.cookie()));
	};
	await hold();
	const isCutOff = once(held[0] as Socket, 'close').then(() => true);
	for (let i = 0; i < 4; i += 1) await hold();
	expect(await isCutOff).toBe(true);
	const file = { name: 'in-time.txt', bytes: Buffer.from('in time') };
	const { client: member, id: memberId } = await makeSignedInUser(world, 'member@example.com');
	expect((await sendChatFile(member, memberId, file)).statusCode).toBe(200);
	expect((await sendChatFile(holder, id, file)).statusCode).toBe(200);
	expect((await readChat(holder, id)).items).toHaveLength(1);
	await expect.poll(() => held.filter((socket) => !socket.destroyed).length).toBeLessThanOrEqual(2);
});
