import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttpClient } from '../../support/app/http-client.ts';
import { createTestApp, type TestApp } from '../../support/app/test-app.ts';
import { makeSignedInUser, makeUser, testPassword } from '../../support/app/users.ts';
import { newClientId, sendChatFile, sendText } from '../../support/fixtures/chat.ts';
import { makeFile, makeFolder, tinyPdf } from '../../support/fixtures/files.ts';
import { makeOrder } from '../../support/fixtures/orders.ts';

let world: TestApp;
beforeAll(async () => {
	world = await createTestApp();
});
afterAll(() => world.close());

async function join(email: string) {
	const id = await makeUser(world.deps, email);
	const folder = await makeFolder(world.deps, email, `Folder of ${email}`);
	const inner = await makeFolder(world.deps, email, 'Inner', folder.path);
	await makeFile(world.deps, { ownerId: id, name: `root of ${email}.txt`, bytes: Buffer.from('12345') });
	await makeFile(world.deps, { ownerId: id, name: 'inner.txt', bytes: Buffer.from('123'), folder: inner });
	await makeOrder(world.deps, { userId: id, email, upiId: `${email.split('@')[0]}@upi`, status: 'Complete' });
	const client = createHttpClient(world.app);
	await client.signIn(email, testPassword);
	return { id, email, client };
}

test('exports all data about the user, without secrets or data of others', async () => {
	const asha = await join('asha@example.com');
	const other = await join('other@example.com');
	const at = world.clock.now().toISOString();
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

test('exports shared files and lesson progress of the user, without the address of the sharer', async () => {
	const learner = await join('learner@example.com');
	const space = await join('space@example.com');
	const film = await makeFile(world.deps, { ownerId: space.id, name: 'film.mp4', bytes: Buffer.from('film') });
	const { client: admin } = await makeSignedInUser(world, 'sharer@example.com', 'admin');
	await admin.call('POST', '/api/shares', { nodeId: film, email: learner.email });
	await learner.client.call('PUT', `/api/course/lessons/${film}/progress`, { position: 70, total: 600 });
	const answer = await learner.client.call('GET', '/api/me/export');
	expect(answer.json()).toMatchObject({
		sharedWithMe: [{ filePath: 'film.mp4', sharedWith: learner.email }],
		lessons: [{ name: 'film.mp4', position: 70, total: 600, isDone: false }],
	});
	expect(answer.body).not.toMatch(/space@|sharer@/u);
});

test('exports reading positions and annotations, also after access has ended', async () => {
	const reader = await makeSignedInUser(world, 'reading@example.com');
	const neighbour = await makeSignedInUser(world, 'reading-too@example.com');
	const pdf = { name: 'sheet.pdf', bytes: tinyPdf, contentType: 'application/pdf' };
	const sheet = await makeFile(world.deps, { ownerId: 'guest', ...pdf });
	const at = world.clock.now().toISOString();
	const place = { page: 2, pageCount: 4, offset: 0, chapter: 'One', readAt: at };
	const mark = { kind: 'bookmark', page: 2, boxes: [], quote: '', note: '', color: 'blue', chapter: null };
	for (const { client } of [reader, neighbour]) {
		await client.call('PUT', `/api/reading/${sheet}/place`, place);
		for (let count = 0; count < 201; count += 1)
			await client.call('PUT', `/api/reading/${sheet}/marks/${randomUUID()}`, {
				...mark,
				note: `${client === reader.client}`,
			});
	}
	const { db } = world.deps;
	await db.updateTable('reading_positions').set({ document: 'part-1-en', node_id: null }).execute();
	await db.updateTable('nodes').set({ deleted_at: at }).where('id', '=', sheet).execute();
	const { reading, marks } = (await reader.client.call('GET', '/api/me/export')).json();
	expect(reading).toEqual([
		{ document: 'part-1-en', file: null, page: 2, pageCount: 4, chapter: 'One', readAt: at, furthestPage: 2 },
	]);
	const { boxes: _boxes, ...words } = mark;
	expect(marks).toEqual(
		Array(201).fill({ document: sheet, file: null, ...words, note: 'true', createdAt: at, updatedAt: at }),
	);
});

test('exports the conversation without deleted messages and without conversations of other members', async () => {
	const asker = await makeSignedInUser(world, 'asker@example.com');
	const neighbour = await makeSignedInUser(world, 'neighbour@example.com');
	const { client: owner } = await makeSignedInUser(world, 'answers@example.com', 'admin');
	await sendText(asker.client, asker.id, 'of old');
	await owner.call('DELETE', `/api/chats/${asker.id}/messages`);
	expect((await asker.client.call('GET', '/api/me/export')).json().chat).toEqual([]);
	await sendText(neighbour.client, neighbour.id, 'of somebody else');
	await sendText(asker.client, asker.id, 'Where is part two?');
	await sendChatFile(asker.client, asker.id, { name: 'receipt.txt', bytes: Buffer.from('12345') });
	await sendText(owner, asker.id, 'On your shelf.');
	const at = world.clock.now().toISOString();
	const answer = await asker.client.call('GET', '/api/me/export');
	expect(answer.json().chat).toEqual([
		{ at, sender: 'user', text: 'Where is part two?' },
		{ at, sender: 'user', file: 'receipt.txt', sizeBytes: 5 },
		{ at, sender: 'admin', text: 'On your shelf.' },
	]);
	expect(answer.body).not.toMatch(/of old|somebody else|answers@|storage/u);
});

test('exports all 400 messages of a long conversation in order', async () => {
	const { id, client } = await makeSignedInUser(world, 'talker@example.com');
	await sendText(client, id, '1');
	const { db } = world.deps;
	const row = await db.selectFrom('messages').selectAll().where('user_id', '=', id).executeTakeFirstOrThrow();
	const more = Array.from({ length: 399 }, (_, at) => {
		return { ...row, id: newClientId(), client_id: newClientId(), sequence: at + 2, message: `${at + 2}` };
	});
	await db.insertInto('messages').values(more).execute();
	const { chat } = (await client.call('GET', '/api/me/export')).json();
	expect(chat.map(({ text }: { text: string }) => text)).toEqual(Array.from({ length: 400 }, (_, at) => `${at + 1}`));
});

test('refuses the export to an admin who impersonates the member', async () => {
	const member = await makeUser(world.deps, 'looked-at@example.com');
	const { client: admin } = await makeSignedInUser(world, 'admin@example.com', 'admin');
	expect((await admin.call('POST', `/api/users/${member}/view-as`, {})).statusCode).toBe(200);
	expect((await admin.call('GET', '/api/me')).json()).toMatchObject({ id: member });
	expect((await admin.call('GET', '/api/me/export')).json()).toMatchObject({ code: 'FORBIDDEN' });
});

test('exports an empty list for a user without files, and all 2,000 files of a full space', async () => {
	const { id, client } = await makeSignedInUser(world, 'many@example.com');
	expect((await client.call('GET', '/api/me/export')).json()).toMatchObject({ orders: [], files: [] });
	const row = (number: number) => ({
		id: `many-${String(number).padStart(5, '0')}`,
		owner_id: id,
		parent_id: null,
		path: '',
		real_path: null,
		kind: 'file' as const,
		kind_order: 1,
		name: `${number}.txt`,
		name_key: `${number}.txt`,
		sort_key: `${number}.txt`,
		ending: 'txt',
		size_bytes: number,
		blob_id: null,
		created_at: world.clock.now().toISOString(),
		deleted_at: null,
	});
	for (let start = 0; start < 2000; start += 500) {
		const rows = Array.from({ length: 500 }, (_, i) => row(start + i));
		await world.deps.db.insertInto('nodes').values(rows).execute();
	}
	const { files } = (await client.call('GET', '/api/me/export')).json();
	expect(files).toHaveLength(2000);
	expect(files[1999]).toMatchObject({ name: '1999.txt', sizeBytes: 1999 });
});
