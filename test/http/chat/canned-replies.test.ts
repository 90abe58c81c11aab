import { afterEach, describe, expect, test } from 'vitest';
import { type CannedReply, paymentQrId, replyFilesPath } from '#contract/chat/canned-replies.ts';
import { limits } from '#contract/core/limits.ts';
import { checkIntegrity, collectGarbage } from '#server/features/maintenance/tasks/tasks.service.ts';
import { dumpDatabase } from '../../support/app/database-dump.ts';
import { getRow, insertRows } from '../../support/app/database-rows.ts';
import { listen, openEventStream } from '../../support/app/event-streams.ts';
import { postFile } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { listStoredKeys } from '../../support/app/stored-objects.ts';
import { makeSignedInUser } from '../../support/app/users.ts';
import { paintPicture } from '../../support/documents/sample-files.ts';
import { saveBook } from '../../support/fixtures/book.ts';
import { newClientId, readChat } from '../../support/fixtures/chat.ts';

const { testApp, admin } = await openTestApp();
const { db } = testApp.deps;
const { client: member, id: memberId } = await makeSignedInUser(testApp, 'member@example.com');
const picture = await paintPicture();

afterEach(async () => {
	for (const { id } of (await list()).items) await admin.call('DELETE', `/api/canned-replies/${id}`);
});

const list = async (): Promise<{ items: CannedReply[]; qr: object | null }> =>
	(await admin.call('GET', '/api/canned-replies')).json();
const add = async (name = 'Paid', message = 'Namaste {name}, seen.'): Promise<CannedReply> =>
	(await admin.call('POST', '/api/canned-replies', { name, message })).json();
const attach = (id: string, bytes: Buffer, name = 'how to pay.png') =>
	postFile(admin, replyFilesPath(id), name, bytes, 'image/svg+xml');
const send = (fileId: string, clientId = newClientId(), client = admin) =>
	client.call('POST', `/api/chats/${memberId}/reply-files`, { clientId, fileId });
const countBlobs = async () =>
	(await db.selectFrom('blobs').select('id').where('storage_key', 'like', 'replies/%').execute()).length;

describe('canned replies', () => {
	test('can be created, updated, sorted and deleted, with audit entries and events, and refuse stale changes', async () => {
		const events = await openEventStream(await listen(testApp.app), admin.cookie());
		const first = await add('First \ud83d', ' Namaste {name}\udc00 ');
		expect(await events.waitFor('canned-replies')).toEqual({ topic: 'canned-replies' });
		events.close();
		expect(first).toMatchObject({ name: 'First \ufffd', message: 'Namaste {name}\ufffd', files: [], version: 1 });
		expect((await list()).items).toEqual([first]);
		const second = await add('Second', '');
		testApp.clock.advance(1);
		const put = (version: number) =>
			admin.call('PUT', `/api/canned-replies/${first.id}`, { name: 'Changed', message: 'x', version });
		expect((await put(1)).json()).toMatchObject({ name: 'Changed', message: 'x', version: 2 });
		expect([(await put(1)).statusCode, (await put(1)).json().code]).toEqual([409, 'STALE']);
		for (const version of [2 ** 31, Number.MAX_SAFE_INTEGER, -(2 ** 31) - 1])
			expect((await put(version)).json()).toMatchObject({ status: 422, code: 'INVALID_INPUT' });
		const sort = (ids: string[]) => admin.call('POST', '/api/canned-replies-order', { ids });
		testApp.clock.advance(1);
		expect((await sort([second.id, first.id])).json()).toEqual({});
		expect((await list()).items.map(({ name }) => name)).toEqual(['Second', 'Changed']);
		const joined = [first.id, second.id].toSorted().join();
		for (const ids of [[second.id], [second.id, second.id], [first.id, second.id, 'nobody'], [joined]])
			expect((await sort(ids)).json().code).toBe('STALE');
		testApp.clock.advance(1);
		await admin.call('DELETE', `/api/canned-replies/${second.id}`);
		expect((await list()).items.map(({ name }) => name)).toEqual(['Changed']);
		const { items } = (await admin.call('GET', '/api/audit?kind=settings&limit=5')).json();
		expect(items.map(({ action }: { action: string }) => action)).toEqual([
			'canned-reply-deleted',
			'canned-replies-sorted',
			'canned-reply-changed',
			'canned-reply-added',
			'canned-reply-added',
		]);
	});

	test.each([
		['without a name', { name: '  ', message: 'x' }, ['name']],
		['with an invisible name', { name: '\u3164\ufe0f\u2800', message: 'x' }, ['name']],
		['with a name of two lines', { name: 'a\nb', message: 'x' }, ['name']],
		['with a long name', { name: 'x'.repeat(limits.cannedReplyNameMaxLength + 1), message: 'x' }, ['name']],
		['with a long text', { name: 'x', message: 'x'.repeat(limits.cannedReplyMaxLength + 1) }, ['message']],
		['with NUL', { name: 'x', message: 'a\0b' }, ['message']],
	])('%s are refused with a field error and not stored', async (_what, body, fields) => {
		const before = await dumpDatabase(testApp.deps.connection);
		const answer = await admin.call('POST', '/api/canned-replies', body);
		expect([answer.statusCode, Object.keys(answer.json().fields)]).toEqual([422, fields]);
		expect(await dumpDatabase(testApp.deps.connection)).toEqual(before);
	});

	test('and their files are deleted by one of several simultaneous requests, and the other requests return 404', async () => {
		const codes = async (urls: string[]) => {
			const answers = await Promise.all(urls.map((url) => admin.call('DELETE', url)));
			return answers.map(({ statusCode }) => statusCode).toSorted();
		};
		for (let round = 0; round < 5; round += 1) {
			const { id } = await add();
			const file = `${replyFilesPath(id)}/${(await attach(id, picture)).json().id}`;
			expect(await codes([file, file, file])).toEqual([200, 404, 404]);
			const reply = `/api/canned-replies/${id}`;
			expect(await codes([reply, reply, reply])).toEqual([200, 404, 404]);
		}
		testApp.clock.advance(2 * 3600);
		await collectGarbage(testApp.deps);
	});

	test('are refused with TOO_MANY_REPLIES when the maximum number exists', async () => {
		const { id } = await add();
		const row = await getRow(testApp.deps, 'canned_replies', { id });
		const more = Array.from({ length: limits.cannedRepliesMax - 1 }, (_, at) => ({ ...row, id: `filled-${at}` }));
		await insertRows(testApp.deps, 'canned_replies', more);
		const answer = await admin.call('POST', '/api/canned-replies', { name: 'one more', message: '' });
		expect([answer.statusCode, answer.json().code]).toEqual([409, 'TOO_MANY_REPLIES']);
		await db.deleteFrom('canned_replies').execute();
	});
});

describe('files of canned replies', () => {
	test('are stored once when they are sent several times, and remain readable after the reply was deleted', async () => {
		const { id } = await add();
		const file = (await attach(id, picture)).json();
		expect(file).toEqual({
			id: expect.any(String),
			name: 'how to pay.png',
			type: 'image/png',
			sizeBytes: picture.length,
		});
		expect((await list()).items[0]?.files).toEqual([file]);
		const shown = await admin.call('GET', `${replyFilesPath(id)}/${file.id}`);
		expect([shown.headers['content-type'], shown.rawPayload]).toEqual(['image/png', picture]);

		const clientId = newClientId();
		const sent = await send(file.id, clientId);
		expect(sent.json()).toMatchObject({ sender: 'admin', isFile: true, fileName: file.name, fileType: 'image/png' });
		expect((await send(file.id, clientId)).json()).toEqual(sent.json());
		await send(file.id);
		expect(await countBlobs()).toBe(1);
		expect((await member.call('GET', sent.json().message)).rawPayload).toEqual(picture);
		const { client: other } = await makeSignedInUser(testApp, 'other@example.com');
		expect((await other.call('GET', sent.json().message)).statusCode).toBe(404);

		await admin.call('DELETE', `/api/canned-replies/${id}`);
		testApp.clock.advance(2 * 3600);
		await collectGarbage(testApp.deps);
		expect((await member.call('GET', sent.json().message)).rawPayload).toEqual(picture);
		expect((await send(file.id, clientId)).json()).toEqual(sent.json());
		expect((await send(file.id)).json()).toMatchObject({ code: 'REPLY_FILE_GONE' });
		expect((await checkIntegrity(testApp.deps)).problems).toEqual([]);
	});

	test('remain when a conversation is deleted, until the last reference to their bytes is deleted', async () => {
		const { id } = await add();
		const file = (await attach(id, picture)).json();
		await send(file.id);
		await admin.call('DELETE', `/api/chats/${memberId}/messages`);
		await testApp.runDueWork();
		expect((await admin.call('GET', `${replyFilesPath(id)}/${file.id}`)).rawPayload).toEqual(picture);
		testApp.clock.advance(2 * 3600);
		await collectGarbage(testApp.deps);
		expect((await send(file.id)).statusCode).toBe(200);
		await admin.call('DELETE', `/api/chats/${memberId}/messages`);
		await testApp.runDueWork();
		await admin.call('DELETE', `${replyFilesPath(id)}/${file.id}`);
		testApp.clock.advance(2 * 3600);
		await collectGarbage(testApp.deps);
		expect(await countBlobs()).toBe(0);
		expect(await listStoredKeys(testApp.deps, 'replies/')).toEqual([]);
		expect((await checkIntegrity(testApp.deps)).problems).toEqual([]);
	});

	test.each([
		['empty', Buffer.alloc(0), 'This file is empty.'],
		['over the limit', Buffer.alloc(limits.chatFileMaxBytes + 1), 'This file is larger than 25 MB.'],
	])('that are %s are refused with a message', async (_what, bytes, words) => {
		const { id } = await add();
		const answer = await attach(id, bytes);
		expect(answer.json()).toMatchObject({ code: 'REPLY_FILE_REFUSED', fields: { file: words } });
		expect((await list()).items[0]?.files).toEqual([]);
	});

	test('are limited to five for each reply, and cannot be added to an unknown reply', async () => {
		const { id } = await add();
		for (let at = 0; at < limits.cannedReplyFilesMax; at += 1) await attach(id, picture, `${at}.png`);
		const keys = await listStoredKeys(testApp.deps, 'replies/');
		expect((await attach(id, picture)).json().fields).toEqual({ file: 'A canned reply takes five files.' });
		// The bytes of a refused file are removed.
		expect(await listStoredKeys(testApp.deps, 'replies/')).toEqual(keys);
		expect((await attach('nobody', picture)).statusCode).toBe(404);
	});

	test('with the type SVG are returned as an attachment with a corrected name, from the reply and from the message', async () => {
		const { id } = await add();
		const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
		const file = (await attach(id, svg, 'draw\u202eing.svg')).json();
		expect(file.name).toBe('drawing.svg');
		const sent = (await send(file.id)).json();
		for (const url of [`${replyFilesPath(id)}/${file.id}`, sent.message]) {
			const { headers } = await admin.call('GET', url);
			expect(headers['content-type']).toBe('application/octet-stream');
			expect(headers['content-disposition']).toMatch(/^attachment; /u);
		}
	});

	test('can be sent only by admins, only to existing conversations and only while the file exists', async () => {
		const { id } = await add();
		const file = (await attach(id, picture)).json();
		expect((await send(file.id, newClientId(), member)).statusCode).toBe(403);
		const body = { clientId: newClientId(), fileId: file.id };
		expect((await admin.call('POST', '/api/chats/nobody/reply-files', body)).statusCode).toBe(404);
		const before = await db.selectFrom('messages').select('id').execute();
		expect((await send('no-such-file')).json().code).toBe('REPLY_FILE_GONE');
		expect(await db.selectFrom('messages').select('id').execute()).toEqual(before);
	});
});

const bank = { name: 'Bank', accountNumber: '1234 5678', ifsc: 'EXMP0000001', accountHolder: 'R. Rao' };
const saveUpi = async (id: string) =>
	expect((await saveBook(admin, { bank, upi: { id, name: 'Books' } })).statusCode).toBe(200);

test('a reply file for the payment QR contains the current QR code, and an earlier message keeps its QR code', async () => {
	expect((await list()).qr).toBeNull();
	expect((await send(paymentQrId)).json().code).toBe('REPLY_FILE_GONE');
	await postFile(admin, '/api/settings/qr', 'qr.png', picture);
	expect((await list()).qr).toEqual({
		id: paymentQrId,
		name: 'Payment QR.png',
		type: 'image/png',
		sizeBytes: picture.length,
	});
	const sent = (await send(paymentQrId)).json();
	expect(sent).toMatchObject({ fileName: 'Payment QR.png', fileType: 'image/png' });
	const uploaded = (await member.call('GET', sent.message)).rawPayload;
	await saveUpi('books@examplebank');
	const drawn = (await member.call('GET', (await send(paymentQrId)).json().message)).rawPayload;
	expect(drawn.equals(uploaded)).toBe(false);
	expect((await member.call('GET', sent.message)).rawPayload).toEqual(uploaded);
	await admin.call('DELETE', `/api/chats/${memberId}/messages`);
	await testApp.runDueWork();
	expect((await readChat(member, memberId)).items).toEqual([]);
	await saveUpi('');
	expect((await member.call('GET', (await send(paymentQrId)).json().message)).rawPayload).toEqual(uploaded);
});
