import { beforeAll, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { checkEverything } from '#server/features/upkeep/upkeep.service.ts';
import { newClientId, readChat, sendChatFile, sendText } from '../support/chats.ts';
import { dumpDatabase } from '../support/database.ts';
import { tinyPdf } from '../support/files.ts';
import type { HttpClient } from '../support/http.ts';
import { joinWorld } from '../support/people.ts';
import { paintPicture } from '../support/samples.ts';
import { openWorld } from '../support/world.ts';

const { world, admin } = await openWorld();
let member: HttpClient;
let memberId: string;
let picture: Buffer;

beforeAll(async () => {
	({ client: member, id: memberId } = await joinWorld(world, 'member@example.com'));
	picture = await paintPicture();
});

const keysOf = async () => {
	const rows = await world.deps.db
		.selectFrom('blobs')
		.select('storage_key as key')
		.where('storage_key', 'like', 'messages/%')
		.execute();
	return rows.map(({ key }) => key);
};

test('a file is a message of its own, kept below its conversation, and read by both sides', async () => {
	const name = 'भुगतान की रसीद 1.png';
	const sent = await sendChatFile(member, memberId, { name, bytes: picture });
	expect(sent.json()).toMatchObject({
		sender: 'user',
		isFile: true,
		fileName: name,
		fileType: 'image/png',
		fileSizeBytes: picture.length,
	});
	expect(await keysOf()).toEqual([expect.stringMatching(/^messages\/member@example\.com\/\d+-[\w-]+/u)]);
	for (const client of [member, admin]) {
		const shown = await client.call('GET', sent.json().message);
		expect([shown.statusCode, shown.headers['content-type']]).toEqual([200, 'image/png']);
		expect(shown.headers['content-disposition']).toBeUndefined();
		expect(shown.rawPayload).toEqual(picture);
	}
	const saved = await admin.call('GET', `${sent.json().message}?download=1`);
	expect(saved.headers['content-disposition']).toContain("filename*=UTF-8''%E0%A4%AD");
	const part = await member.call('GET', sent.json().message, undefined, { range: 'bytes=2-5' });
	expect([part.statusCode, part.rawPayload]).toEqual([206, picture.subarray(2, 6)]);
	const [line] = (await admin.call('GET', '/api/chats')).json().items;
	expect(line.lastMessage).toEqual({ sender: 'user', text: name, isFile: true });
	const search = `/api/chats?search=${encodeURIComponent('रसीद')}`;
	expect((await admin.call('GET', search)).json().items).toHaveLength(1);
});

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
test.each([
	['drawing.svg', svg],
	['page.html', Buffer.from('<script>alert(1)</script>')],
	['picture.png', Buffer.from('<html><script>alert(1)</script>')],
	['paper.pdf', tinyPdf],
])('%s never runs: it is saved, with nothing of a page about it', async (name, bytes) => {
	const sent = (await sendChatFile(member, memberId, { name, bytes, type: 'image/svg+xml' })).json();
	const { headers, rawPayload } = await admin.call('GET', sent.message);
	expect(rawPayload).toEqual(bytes);
	expect(headers['content-disposition']).toMatch(/^attachment; /u);
	expect(headers['x-content-type-options']).toBe('nosniff');
	expect(headers['content-security-policy']).toContain('sandbox');
	expect(headers['content-type']).toBe(name === 'paper.pdf' ? 'application/pdf' : 'application/octet-stream');
});

test('sent again after a lost answer it stays one', async () => {
	const clientId = newClientId();
	const file = { name: 'once.png', bytes: picture };
	const first = await sendChatFile(member, memberId, file, clientId);
	expect((await sendChatFile(member, memberId, file, clientId)).json()).toEqual(first.json());
	const { items } = await readChat(member, memberId);
	expect(items.filter(({ fileName }) => fileName === 'once.png')).toHaveLength(1);
});

test.each([
	['an empty file', Buffer.alloc(0), 'This file is empty.'],
	['a file over the limit', Buffer.alloc(limits.chatFileMaxBytes + 1), 'This file is larger than 25 MB.'],
])('%s is refused in words', async (_what, bytes, words) => {
	const before = await dumpDatabase(world.deps.connection);
	const answer = await sendChatFile(member, memberId, { name: 'x.bin', bytes });
	expect(answer.statusCode).toBe(422);
	expect(answer.json()).toMatchObject({ message: 'Failed to send message or file.', fields: { file: words } });
	expect(await dumpDatabase(world.deps.connection)).toEqual(before);
});

test("a file of somebody else's conversation is absent, by its own address and by one's own", async () => {
	const { client: other, id: otherId } = await joinWorld(world, 'other@example.com');
	const sent = (await sendChatFile(member, memberId, { name: 'mine.png', bytes: picture })).json();
	const absent = await other.call('GET', '/api/chats/nobody/attachments/nothing');
	for (const url of [sent.message, `/api/chats/${otherId}/attachments/${sent.id}`]) {
		const answer = await other.call('GET', url);
		expect([answer.statusCode, answer.body]).toEqual([404, absent.body]);
	}
	const upload = await sendChatFile(other, memberId, { name: 'yours.png', bytes: picture });
	expect([upload.statusCode, upload.body]).toEqual([404, absent.body]);
});

test('Delete All Chat takes the files along, at once and then their bytes', async () => {
	const sent = (await sendChatFile(member, memberId, { name: 'gone.png', bytes: picture })).json();
	await sendText(member, memberId, 'gone, too');
	await admin.call('DELETE', `/api/chats/${memberId}/messages`);
	expect((await member.call('GET', sent.message)).statusCode).toBe(404);
	const keys = await keysOf();
	expect(keys.length).toBeGreaterThan(0);
	await world.settle();
	expect(await keysOf()).toEqual([]);
	for (const key of keys) await expect(world.deps.storage.read(key)).rejects.toThrow();
	expect((await checkEverything(world.deps)).problems).toEqual([]);
});
