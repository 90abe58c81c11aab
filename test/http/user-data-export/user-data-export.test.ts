import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { getRow, insertRows } from '../../support/app/database-rows.ts';
import type { HttpClient } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { makeSignedInUser, makeUser } from '../../support/app/users.ts';
import { newClientId, sendChatFile, sendText } from '../../support/fixtures/chat.ts';
import { makeFolder, makePdfFile, makeTextFile } from '../../support/fixtures/files.ts';
import { makeOrder } from '../../support/fixtures/orders.ts';

const { testApp, deps, admin } = await openTestApp();
const exportOf = async (client: HttpClient) => (await client.call('GET', '/api/me/export')).json();

async function join(email: string) {
	const { id, client } = await makeSignedInUser(testApp, email);
	const folder = await makeFolder(deps, email, `Folder of ${email}`);
	const inner = await makeFolder(deps, email, 'Inner', folder.path);
	await makeTextFile(deps, id, `root of ${email}.txt`, '12345');
	await makeTextFile(deps, id, 'inner.txt', '123', inner);
	await makeOrder(deps, { userId: id, email, upiId: `${email.split('@')[0]}@upi`, status: 'Complete' });
	return { id, email, client };
}

test('exports all data about the user, without secrets and without data of other users', async () => {
	const asha = await join('asha@example.com');
	const other = await join('other@example.com');
	const at = testApp.clock.now().toISOString();
	const answer = await asha.client.call('GET', '/api/me/export');
	expect(answer.headers).toMatchObject({
		'content-type': 'application/json; charset=utf-8',
		'content-disposition': expect.stringMatching(/^attachment; filename="folio-asha@example\.com\.json"/u),
		'cache-control': 'no-store',
	});
	const exported = answer.json();
	exported.files.sort((a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name));
	expect(exported).toMatchObject({
		exportedAt: at,
		profile: { id: asha.id, email: asha.email, role: 'user', loginCount: 1, lastLoginAt: at },
		signIns: [{ loginNumber: 1, at, ip: '203.0.113.7' }],
		sessions: [{ createdAt: at, endedAt: null, ip: '203.0.113.7' }],
		orders: [
			{
				email: asha.email,
				upiId: 'asha@upi',
				status: 'Complete',
				price: 499,
				proofs: [{ name: 'Asha Rao', phone: '98230 55512', upiId: 'asha@upi', createdAt: at }],
			},
		],
		files: [
			{ folder: ['Folder of asha@example.com', 'Inner'], name: 'inner.txt', sizeBytes: 3, uploadedAt: at },
			{ folder: [], name: 'root of asha@example.com.txt', sizeBytes: 5, uploadedAt: at },
		],
	});
	expect(answer.body).not.toMatch(/other@|argon2|hash|token|sealed|password|secret|storage/iu);
	expect(answer.body).not.toContain(other.id);
});

test('exports shared files and lesson progress of the user, without the email address of the sharer', async () => {
	const learner = await join('learner@example.com');
	const space = await join('space@example.com');
	const film = await makeTextFile(deps, space.id, 'film.mp4');
	const { client: sharer } = await makeSignedInUser(testApp, 'sharer@example.com', 'admin');
	await sharer.call('POST', '/api/shares', { nodeId: film, email: learner.email });
	await learner.client.call('PUT', `/api/course/lessons/${film}/progress`, { position: 70, total: 600 });
	await sharer.call('PUT', `/api/course/lessons/${film}/progress`, { position: 5, total: 600 });
	const group = (await sharer.call('POST', '/api/groups', { name: 'Of the other member' })).json();
	await sharer.call('POST', `/api/groups/${group.id}/members`, { userIds: [space.id] });
	const answer = await learner.client.call('GET', '/api/me/export');
	expect(answer.json()).toMatchObject({
		sharedWithMe: [{ filePath: 'film.mp4', sharedWith: learner.email }],
		lessons: [{ name: 'film.mp4', position: 70, total: 600, isDone: false }],
	});
	expect(answer.body).not.toMatch(/space@|sharer@|Of the other member/u);
});

test('exports reading positions and annotations, also when the user has lost access', async () => {
	const reader = await makeSignedInUser(testApp, 'reading@example.com');
	const otherMember = await makeSignedInUser(testApp, 'reading-too@example.com');
	const sheet = await makePdfFile(deps, 'guest', { name: 'sheet.pdf' });
	const at = testApp.clock.now().toISOString();
	const place = { page: 2, pageCount: 4, offset: 0, chapter: 'One', readAt: at };
	const mark = { kind: 'bookmark', page: 2, boxes: [], quote: '', note: '', color: 'blue', chapter: null };
	for (const [{ client }, marks] of [
		[reader, 201],
		[otherMember, 1],
	] as const) {
		await client.call('PUT', `/api/reading/${sheet}/place`, place);
		const note = `${client === reader.client}`;
		for (let count = 0; count < marks; count += 1)
			await client.call('PUT', `/api/reading/${sheet}/marks/${randomUUID()}`, { ...mark, note });
	}
	const { db } = deps;
	await db.updateTable('reading_positions').set({ document: 'part-1-en', node_id: null }).execute();
	await db.updateTable('nodes').set({ deleted_at: at }).where('id', '=', sheet).execute();
	const { reading, marks } = await exportOf(reader.client);
	expect(reading).toEqual([
		{ document: 'part-1-en', file: null, page: 2, pageCount: 4, chapter: 'One', readAt: at, furthestPage: 2 },
	]);
	const { boxes: _boxes, ...words } = mark;
	expect(marks).toEqual(
		Array(201).fill({ document: sheet, file: null, ...words, note: 'true', createdAt: at, updatedAt: at }),
	);
});

test('exports the conversation without deleted messages and without other conversations', async () => {
	const asker = await makeSignedInUser(testApp, 'asker@example.com');
	const otherMember = await makeSignedInUser(testApp, 'neighbour@example.com');
	const { client: owner } = await makeSignedInUser(testApp, 'answers@example.com', 'admin');
	await sendText(asker.client, asker.id, 'of old');
	await owner.call('DELETE', `/api/chats/${asker.id}/messages`);
	expect((await exportOf(asker.client)).chat).toEqual([]);
	await sendText(otherMember.client, otherMember.id, 'of somebody else');
	await sendText(asker.client, asker.id, 'Where is part two?');
	await sendChatFile(asker.client, asker.id, { name: 'receipt.txt', bytes: Buffer.from('12345') });
	await sendText(owner, asker.id, 'On your shelf.');
	const at = testApp.clock.now().toISOString();
	const answer = await asker.client.call('GET', '/api/me/export');
	expect(answer.json().chat).toEqual([
		{ at, sender: 'user', text: 'Where is part two?' },
		{ at, sender: 'user', file: 'receipt.txt', sizeBytes: 5 },
		{ at, sender: 'admin', text: 'On your shelf.' },
	]);
	expect(answer.body).not.toMatch(/of old|somebody else|answers@|storage/u);
});

test('exports saved filters, granted book access and watermarked copies, without those of other users', async () => {
	const own = await makeSignedInUser(testApp, 'filters@example.com', 'admin');
	const other = await makeSignedInUser(testApp, 'other-filters@example.com', 'admin');
	const sheet = await makePdfFile(deps, 'guest', { name: 'copied.pdf' });
	const { blob_id } = await getRow(deps, 'nodes', { id: sheet });
	const at = testApp.clock.now().toISOString();
	const pageCounts = new Map([
		[own, 3],
		[other, 7],
	]);
	for (const [{ id, client }, page_count] of pageCounts) {
		await client.call('POST', '/api/saved-filters', {
			list: 'orders',
			name: `With ${page_count}`,
			query: 'status=Pending',
		});
		const copy = {
			user_id: id,
			edition: 'part-1-en',
			state: 'ready',
			blob_id,
			source_id: blob_id,
			page_count,
		} as const;
		const wanted = { wanted_source_id: blob_id ?? '', wanted_watermark: '' };
		await insertRows(deps, 'watermarked_copies', [{ ...copy, ...wanted, made_at: at, updated_at: at }]);
	}
	await admin.call('PUT', `/api/users/${other.id}/book-grant`, { isGranted: true });
	expect(await exportOf(own.client)).toMatchObject({
		savedFilters: [{ list: 'orders', name: 'With 3', query: 'status=Pending', createdAt: at }],
		bookGrant: null,
		bookCopies: [{ edition: 'part-1-en', pages: 3, madeAt: at }],
	});
	expect(await exportOf(other.client)).toMatchObject({
		savedFilters: [{ name: 'With 7' }],
		bookGrant: { grantedAt: at },
		bookCopies: [{ pages: 7 }],
	});
});

test('exports all 400 messages of a long conversation in order', async () => {
	const { id, client } = await makeSignedInUser(testApp, 'talker@example.com');
	await sendText(client, id, '1');
	const row = await getRow(deps, 'messages', { user_id: id });
	const more = Array.from({ length: 399 }, (_, at) => {
		return { ...row, id: newClientId(), client_id: newClientId(), sequence: at + 2, message: `${at + 2}` };
	});
	await insertRows(deps, 'messages', more);
	const { chat } = await exportOf(client);
	expect(chat.map(({ text }: { text: string }) => text)).toEqual(Array.from({ length: 400 }, (_, at) => `${at + 1}`));
});

test('refuses an export to an admin who impersonates the member', async () => {
	const member = await makeUser(deps, 'looked-at@example.com');
	expect((await admin.call('POST', `/api/users/${member}/view-as`, {})).statusCode).toBe(200);
	expect((await admin.call('GET', '/api/me')).json()).toMatchObject({ id: member });
	expect(await exportOf(admin)).toMatchObject({ code: 'FORBIDDEN' });
});

test('exports an empty list for a user without files, and all files of a space with 2,000 files', async () => {
	const { id, client } = await makeSignedInUser(testApp, 'many@example.com');
	expect(await exportOf(client)).toMatchObject({ orders: [], files: [] });
	const template = await getRow(deps, 'nodes', { id: await makeTextFile(deps, 'guest', 'template.txt') });
	const rows = Array.from({ length: 2000 }, (_, i) => {
		const name = `${i}.txt`;
		const node = { id: `many-${String(i).padStart(5, '0')}`, owner_id: id, name, name_key: name, sort_key: name };
		return { ...template, ...node, size_bytes: i, blob_id: null };
	});
	await insertRows(deps, 'nodes', rows);
	const { files } = await exportOf(client);
	expect(files).toHaveLength(2000);
	expect(files[1999]).toMatchObject({ name: '1999.txt', sizeBytes: 1999 });
});
