import { expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { enqueueChatDeletion } from '#server/features/chat/deletion/deletion.service.ts';
import { checkIntegrity } from '#server/features/maintenance/tasks/tasks.service.ts';
import { dumpDatabase } from '../../support/app/database-dump.ts';
import { findRows, getRow } from '../../support/app/database-rows.ts';
import { listen, requireWithinASecond } from '../../support/app/event-streams.ts';
import { multipart } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { downloadSlowly } from '../../support/app/slow-download.ts';
import { makeSignedInUser } from '../../support/app/users.ts';
import { paintPicture } from '../../support/documents/sample-files.ts';
import { newClientId, readChat, sendChatFile, sendText } from '../../support/fixtures/chat.ts';
import { tinyPdf } from '../../support/fixtures/files.ts';

const { testApp, admin } = await openTestApp({ RATE_LIMIT_FACTOR: '1000' });
const { client: member, id: memberId } = await makeSignedInUser(testApp, 'member@example.com');
const picture = await paintPicture();

const keysOf = async () => {
	const keys = (await findRows(testApp.deps, 'blobs')).map(({ storage_key }) => storage_key);
	return keys.filter((key) => key.startsWith('messages/member@example.com/'));
};

test('the member can open and download a sent file, and an admin can find the file by its name', async () => {
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
	expect(line.lastMessage).toEqual({ sender: 'user', text: name, isFile: true, isPhoto: true });
	const search = `/api/chats?search=${encodeURIComponent('रसीद')}`;
	expect((await admin.call('GET', search)).json().items).toHaveLength(1);
});

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
test.each([
	['drawing.svg', svg],
	['page.html', Buffer.from('<script>alert(1)</script>')],
	['picture.png', Buffer.from('<html><script>alert(1)</script>')],
	['paper.pdf', tinyPdf],
])('%s is returned as an attachment with nosniff and a sandbox policy', async (name, bytes) => {
	const sent = (await sendChatFile(member, memberId, { name, bytes, type: 'image/svg+xml' })).json();
	const { headers, rawPayload } = await admin.call('GET', sent.message);
	expect(rawPayload).toEqual(bytes);
	expect(headers['content-disposition']).toMatch(/^attachment; /u);
	expect(headers['x-content-type-options']).toBe('nosniff');
	expect(headers['content-security-policy']).toContain('sandbox');
	expect(headers['content-type']).toBe(name === 'paper.pdf' ? 'application/pdf' : 'application/octet-stream');
});

test.each([
	['an empty file', Buffer.alloc(0), 'This file is empty.'],
	['a file over the limit', Buffer.alloc(limits.chatFileMaxBytes + 1), 'This file is larger than 25 MB.'],
])('refuses %s with a message and changes nothing', async (_what, bytes, words) => {
	const before = await dumpDatabase(testApp.deps.connection);
	const answer = await sendChatFile(member, memberId, { name: 'x.bin', bytes });
	expect(answer.statusCode).toBe(422);
	expect(answer.json()).toMatchObject({ message: 'Failed to send message or file.', fields: { file: words } });
	expect(await dumpDatabase(testApp.deps.connection)).toEqual(before);
});

test('ignores the ID of a file in another conversation and other forged fields, and refuses a form without a file', async () => {
	const { client: other, id: otherId } = await makeSignedInUser(testApp, 'thief@example.com');
	const fileMessage = (await sendChatFile(member, memberId, { name: 'secret.png', bytes: picture })).json();
	expect((await other.call('GET', `/api/chats/${otherId}/attachments/${fileMessage.id}`)).statusCode).toBe(404);
	const { blob_id: blobId } = await getRow(testApp.deps, 'messages', { id: fileMessage.id });
	const forged = {
		fileId: fileMessage.id,
		blobId: String(blobId),
		blob_id: String(blobId),
		url: fileMessage.message,
		sender: 'admin',
		userId: memberId,
		conversation: memberId,
		viewed: 'true',
		sequence: '77',
	};
	const answer = await other.call('POST', `/api/chats/${otherId}/messages`, {
		clientId: newClientId(),
		message: fileMessage.message,
		isFile: true,
		fileName: 'secret.png',
		...forged,
	});
	expect(answer.json()).toMatchObject({
		sender: 'user',
		sequence: 1,
		isFile: false,
		message: fileMessage.message,
		fileName: null,
	});
	expect((await other.call('GET', answer.json().message)).statusCode).toBe(404);
	const own = { field: 'file', name: 'own.txt', type: 'text/plain', bytes: Buffer.from('my own') };
	const address = `/api/chats/${otherId}/attachments`;
	const form = multipart(forged, own);
	const sent = await other.call('POST', `${address}?clientId=${newClientId()}`, form.body, form.headers);
	expect(sent.json()).toMatchObject({ sender: 'user', isFile: true, fileName: 'own.txt' });
	expect((await other.call('GET', sent.json().message)).rawPayload).toEqual(own.bytes);
	expect((await readChat(other, otherId)).state.viewedThrough).toEqual({ user: 0, admin: 0 });
	const alone = multipart(forged);
	const refused = await other.call('POST', `${address}?clientId=${newClientId()}`, alone.body, alone.headers);
	expect([refused.statusCode, refused.json().code]).toEqual([422, 'MESSAGE_REFUSED']);
});

test('returns 401 for a file whose authorId is the ID of another user', async () => {
	const before = await dumpDatabase(testApp.deps.connection);
	const { body, headers } = multipart(
		{},
		{ field: 'file', name: 'x.txt', type: 'text/plain', bytes: Buffer.from('x') },
	);
	const path = `/api/chats/${memberId}/attachments?clientId=${newClientId()}&authorId=`;
	expect((await admin.call('POST', `${path}${memberId}`, body, headers)).statusCode).toBe(401);
	expect(await dumpDatabase(testApp.deps.connection)).toEqual(before);
	expect((await member.call('POST', `${path}${memberId}`, body, headers)).statusCode).toBe(200);
});

test.each([
	['photo\u202egnp.exe', 'photognp.exe'],
	['\u2066\u200fरसीद\u200d.png', 'रसीद\u200d.png'],
	[`${'long '.repeat(200)}.pdf`, `${'long '.repeat(200)}.pdf`.slice(-200)],
	['\u202e', 'file'],
	['\uffa0\ufe0f\u2800', 'file'],
])('corrects a misleading, too long or invisible file name (%#)', async (name, shown) => {
	const sent = await sendChatFile(member, memberId, { name, bytes: picture });
	expect(sent.json().fileName).toBe(shown);
});

test("stores a file without a name as 'file'", async () => {
	const named = multipart({}, { field: 'file', name: 'x', type: 'application/octet-stream', bytes: Buffer.from('x') });
	const body = Buffer.from(named.body.toString('latin1').replace('; filename="x"', ''), 'latin1');
	const path = `/api/chats/${memberId}/attachments?clientId=${newClientId()}`;
	expect((await member.call('POST', path, body, named.headers)).json().fileName).toBe('file');
});

test('Delete All Chat hides the files immediately, and deletes their bytes later', async () => {
	const sent = (await sendChatFile(member, memberId, { name: 'gone.png', bytes: picture })).json();
	await sendText(member, memberId, 'gone, too');
	await admin.call('DELETE', `/api/chats/${memberId}/messages`);
	expect((await member.call('GET', sent.message)).statusCode).toBe(404);
	const keys = await keysOf();
	expect(keys.length).toBeGreaterThan(0);
	await testApp.runDueWork();
	expect(await keysOf()).toEqual([]);
	for (const key of keys) await expect(testApp.deps.storage.read(key)).rejects.toThrow();
	expect((await checkIntegrity(testApp.deps)).problems).toEqual([]);
});

test('Delete All Chat ends a running download', async () => {
	const bytes = Buffer.alloc(20 * 1024 * 1024, 'x');
	const sent = (await sendChatFile(member, memberId, { name: 'long.bin', bytes })).json();
	const download = await downloadSlowly(await listen(testApp.app), member, sent.message);
	await admin.call('DELETE', `/api/chats/${memberId}/messages`);
	await expect.poll(() => testApp.deps.live.count()).toBe(0);
	expect(await requireWithinASecond(download.finish(), 'the download')).toBe(false);
	expect(download.received()).toBeLessThan(bytes.length);
	await testApp.runDueWork();
});

test('does not store a file that arrives after its sender was deleted', async () => {
	const { client: leaver, id } = await makeSignedInUser(testApp, 'leaver@example.com');
	const { storage } = testApp.deps;
	const put = storage.put.bind(storage);
	const keys: string[] = [];
	// The account and its data are deleted before the bytes are written.
	storage.put = async (key, bytes) => {
		keys.push(key);
		await admin.call('POST', '/delete-user-all', { uid: id });
		await testApp.runDueWork();
		return put(key, bytes);
	};
	try {
		expect((await sendChatFile(leaver, id, { name: 'late.png', bytes: picture })).statusCode).toBe(404);
	} finally {
		storage.put = put;
	}
	expect(keys).toEqual([expect.stringMatching(/^messages\/leaver@example\.com\//u)]);
	for (const key of keys) expect(await storage.findSize(key)).toBeNull();
	for (const table of ['messages', 'conversations'] as const)
		expect(await findRows(testApp.deps, table, { user_id: id }), table).toEqual([]);
	expect((await checkIntegrity(testApp.deps)).problems).toEqual([]);
});

test('the integrity check reports a conversation without a user, unless its deletion is queued', async () => {
	const { client, id } = await makeSignedInUser(testApp, 'ghost@example.com');
	await sendChatFile(client, id, { name: 'ghost.png', bytes: picture });
	await admin.call('POST', '/delete-user-all', { uid: id });
	expect((await checkIntegrity(testApp.deps)).problems).toEqual([]);
	// Without its job, the conversation is never deleted.
	await testApp.deps.db.deleteFrom('jobs').where('kind', '=', 'chat-clearing').execute();
	const problems = new Set((await checkIntegrity(testApp.deps)).problems.map(({ kind, what }) => `${kind} ${what}`));
	const key = expect.stringMatching(/^ownerless-chat messages\/ghost@example\.com\//u);
	expect(problems).toEqual(new Set([`ownerless-chat ${id}`, key]));
	await enqueueChatDeletion(testApp.deps, testApp.deps.db, id, null);
	await testApp.runDueWork();
	expect((await checkIntegrity(testApp.deps)).problems).toEqual([]);
});
