import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import type { ReadingMark } from '#contract/reader/reading.ts';
import { createTestApp, createTwin, type TestApp } from '../support/app.ts';
import { oddText } from '../support/backups.ts';
import { makeFile, makeFolder, tinyPdf } from '../support/files.ts';
import { createHttpClient, type HttpClient } from '../support/http.ts';
import { listen, openEvents } from '../support/listening.ts';
import { insertMarks } from '../support/marks.ts';
import { makeOrder } from '../support/orders.ts';
import { joinWorld, testPassword } from '../support/people.ts';
import { testDatabase } from '../support/postgres.ts';

let world: TestApp;
let admin: HttpClient;
let reader: { id: string; orderId: string; client: HttpClient };
let phone: HttpClient;
let sharedPdf: string;
const ownerId = 'guest';
const email = 'reader@example.com';
const edition = 'part-1-en';

beforeAll(async () => {
	world = await createTestApp();
	admin = (await joinWorld(world, 'owner@example.com', 'admin')).client;
	reader = await buy(email);
	phone = createHttpClient(world.app);
	await phone.signIn(email, testPassword);
	const bookFile = await makePdf('part-1.pdf', 'book');
	await assign([{ key: edition, fileId: bookFile }]);
	const { id } = await joinWorld(world, 'sharer@example.com');
	const folder = await makeFolder(world.deps, 'sharer@example.com', 'Worksheets');
	sharedPdf = await makePdf('Worksheet *1*.pdf', id, folder);
	await admin.call('POST', '/api/shares', { nodeId: folder.id, email });
});
afterAll(() => world.close());

async function buy(address: string) {
	const { id, client } = await joinWorld(world, address);
	const order = await makeOrder(world.deps, { userId: id, email: address, status: 'Complete' });
	return { id, orderId: order.id, client };
}

function makePdf(name: string, owner: string, folder?: { id: string; path: string }) {
	return makeFile(world.deps, { ownerId: owner, name, bytes: tinyPdf, contentType: 'application/pdf', folder });
}

async function assign(editions: Array<{ key: string; fileId: string | null }>) {
	const { title, originalPrice, discountedPrice, bank, version } = (
		await admin.call('GET', '/api/settings/book')
	).json();
	const body = { title, originalPrice, discountedPrice, bank, editions, version };
	expect((await admin.call('PUT', '/api/settings/book', body)).statusCode).toBe(200);
}

const setStatus = (id: string, status: 'Pending' | 'Complete') =>
	world.deps.db.updateTable('orders').set({ status }).where('id', '=', id).execute();

/** So many minutes before the moment at which the clock stands. */
const minutesAgo = (minutes: number) => new Date(world.clock.now().getTime() - minutes * 60_000).toISOString();
const placeAt = (page: number, readAt: string, more: object = {}) => ({
	page,
	pageCount: 200,
	offset: 0.5,
	chapter: 'Chapter 3: Belief',
	readAt,
	...more,
});
const keep = (client: HttpClient, body: object, document = edition) =>
	client.call('PUT', `/api/reading/${document}/place`, body);
const get = async (client: HttpClient, document = edition) =>
	(await client.call('GET', `/api/reading/${document}`)).json();
const furthest = async (userId: string, document = edition) => {
	const rows = await world.deps.db
		.selectFrom('reading_places')
		.select(['furthest_page as page', 'furthest_share as share'])
		.where('user_id', '=', userId)
		.where('document', '=', document)
		.execute();
	return rows[0];
};

const highlight = {
	kind: 'highlight',
	page: 12,
	boxes: [
		[0.1, 0.4, 0.9, 0.42],
		[0.1, 0.43, 0.5, 0.45],
	],
	quote: 'Begin where you are.',
	note: 'Tomorrow, at six.',
	color: 'yellow',
	chapter: 'Chapter 3: Belief',
};
const bookmark = { ...highlight, kind: 'bookmark', boxes: [], quote: '', note: '' };
const mark = (client: HttpClient, body: object = highlight, id: string = randomUUID(), document = edition) =>
	client.call('PUT', `/api/reading/${document}/marks/${id}`, body);
const remove = (client: HttpClient, id: string, document = edition) =>
	client.call('DELETE', `/api/reading/${document}/marks/${id}`);

test('left on the phone in chapter 3, the desktop opens there; nothing is kept before', async () => {
	expect(await get(reader.client)).toEqual({ place: null, marks: [] });
	const place = placeAt(41, minutesAgo(90), { offset: 0.3333 });
	expect((await keep(phone, place)).json()).toEqual(place);
	expect((await get(reader.client)).place).toEqual(place);
});

test('of two devices the later moment wins, whichever is heard of last; a future one counts as now', async () => {
	await keep(reader.client, placeAt(80, minutesAgo(10)));
	// The phone was without a network.
	const late = await keep(phone, placeAt(60, minutesAgo(30)));
	expect(late.statusCode).toBe(200);
	expect(late.json()).toEqual(placeAt(80, minutesAgo(10)));
	expect((await keep(phone, placeAt(61, minutesAgo(10)))).json().page).toBe(80);
	// A clock that is a year ahead does not hold the place for a year.
	expect((await keep(phone, placeAt(20, '2027-11-20T00:00:00Z'))).json()).toEqual(placeAt(20, minutesAgo(0)));
	world.clock.advance(60);
	expect((await keep(reader.client, placeAt(21, minutesAgo(0)))).json().page).toBe(21);
	// Moments are compared, not their spelling.
	const spelled = minutesAgo(0).replace('.000Z', 'Z');
	expect((await keep(phone, placeAt(22, spelled))).json().page).toBe(21);
});

test('the furthest page only grows, also by what is heard of late, and begins anew with another count of pages', async () => {
	const { id, client } = await buy('further@example.com');
	await keep(client, placeAt(100, minutesAgo(50)));
	await keep(client, placeAt(40, minutesAgo(40)));
	expect(await furthest(id)).toEqual({ page: 100, share: 5000 });
	expect((await keep(client, placeAt(150, minutesAgo(45)))).json().page).toBe(40);
	expect(await furthest(id)).toEqual({ page: 150, share: 7500 });
	// Of a shorter book that was read earlier nothing is told of this one.
	await keep(client, placeAt(100, minutesAgo(49), { pageCount: 100 }));
	expect(await furthest(id)).toEqual({ page: 150, share: 7500 });
	await keep(client, placeAt(10, minutesAgo(5), { pageCount: 300 }));
	expect(await furthest(id)).toEqual({ page: 10, share: 333 });
	await keep(client, placeAt(300, minutesAgo(4), { pageCount: 300 }));
	expect(await furthest(id)).toEqual({ page: 300, share: 10_000 });
});

test('places that come at once from many devices end at the latest', async () => {
	const { id, client } = await buy('many@example.com');
	// On another server too, where there can be one.
	const other = testDatabase === 'postgres' ? await createTwin(world) : null;
	const second = createHttpClient((other ?? world).app);
	await second.signIn('many@example.com', testPassword);
	const pages = Array.from({ length: 40 }, (_, i) => ((i * 17) % 40) + 1);
	const answers = await Promise.all(
		pages.map((page, i) => keep(i % 2 === 0 ? client : second, placeAt(page, minutesAgo(page === 7 ? 1 : 100 - page)))),
	);
	expect(answers.map(({ statusCode }) => statusCode)).toEqual(pages.map(() => 200));
	expect((await get(client)).place).toEqual(placeAt(7, minutesAgo(1)));
	expect(await furthest(id)).toEqual({ page: 40, share: 2000 });
	await other?.close();
});

test('what no place can be is refused: pages behind the last, moments that are none', async () => {
	const refused = [
		placeAt(201, minutesAgo(0)),
		placeAt(0, minutesAgo(0)),
		placeAt(1.5, minutesAgo(0)),
		placeAt(1, 'yesterday'),
		placeAt(1, '2026-11-20T10:00:00+05:30'),
		placeAt(1, minutesAgo(0), { offset: 1.01 }),
		placeAt(1, minutesAgo(0), { pageCount: limits.documentPagesMax + 1 }),
		placeAt(1, minutesAgo(0), { chapter: 'x'.repeat(501) }),
	];
	for (const body of refused) expect((await keep(reader.client, body)).json()).toMatchObject({ code: 'INVALID_INPUT' });
	world.clock.advance(60);
	expect(
		(await keep(reader.client, placeAt(2, minutesAgo(0), { chapter: `a\0b\ud800 ${oddText}` }))).json(),
	).toMatchObject({
		chapter: expect.stringContaining('ab\ufffd '),
	});
});

test('a mark that is sent twice is one; changed, it keeps when it was made', async () => {
	const id = randomUUID();
	const first = (await mark(reader.client, highlight, id)).json();
	expect(first).toEqual({ id, ...highlight, createdAt: minutesAgo(0), updatedAt: minutesAgo(0) });
	world.clock.advance(60);
	const note = ` ${oddText} `;
	const second = (await mark(phone, { ...highlight, note, color: 'pink' }, id)).json();
	expect(second).toEqual({ ...first, note: oddText.trim(), color: 'pink', updatedAt: minutesAgo(0) });
	expect((await get(reader.client)).marks).toEqual([second]);
	expect((await remove(phone, id)).json()).toEqual({});
	expect((await get(reader.client)).marks).toEqual([]);
	expect((await remove(phone, id)).statusCode).toBe(200);
});

test('marks come by page, and on a page from its top', async () => {
	const { client } = await buy('order@example.com');
	const lower = { ...highlight, boxes: [[0, 0.8, 1, 0.9]], quote: 'lower' };
	for (const body of [
		lower,
		{ ...highlight, quote: 'upper' },
		{ ...bookmark, page: 2 },
		{ ...bookmark, note: 'first' },
	])
		await mark(client, body);
	const { marks } = (await get(client)) as { marks: ReadingMark[] };
	expect(marks.map(({ page, quote, note }) => [page, quote || note])).toEqual([
		[2, ''],
		[12, 'first'],
		[12, 'upper'],
		[12, 'lower'],
	]);
});

test('a highlight marks something, a bookmark nothing, and both are as large as they may be', async () => {
	const { client } = await buy('sizes@example.com');
	const refused = [
		{ ...highlight, boxes: [] },
		{ ...bookmark, boxes: highlight.boxes },
		{ ...highlight, boxes: [[0, 0, 1, 1.1]] },
		{ ...highlight, boxes: [[0, 0, 1]] },
		{ ...highlight, boxes: Array(limits.markBoxesMax + 1).fill([0, 0, 1, 1]) },
		{ ...highlight, color: 'red' },
		{ ...highlight, quote: 'x'.repeat(limits.markQuoteMaxLength + 1) },
		{ ...highlight, note: 'x'.repeat(limits.markNoteMaxLength + 1) },
	];
	for (const body of refused) expect((await mark(client, body)).json()).toMatchObject({ code: 'INVALID_INPUT' });
	expect((await mark(client, highlight, 'no-uuid')).statusCode).toBe(422);
	const largest = {
		...highlight,
		boxes: Array(limits.markBoxesMax).fill([
			0.123456789012345, 0.123456789012345, 0.923456789012345, 0.923456789012345,
		]),
		quote: 'अ'.repeat(limits.markQuoteMaxLength),
		note: 'अ'.repeat(limits.markNoteMaxLength),
	};
	expect((await mark(client, largest)).statusCode).toBe(200);
	expect((await get(client)).marks).toMatchObject([largest]);
});

/** Bookmarks of the edition. */
const fill = (userId: string, count: number, sizeBytes: number) =>
	insertMarks(world, { userId, document: () => edition, count, sizeBytes });

test('a document holds so many marks, and so large: what is there can still be changed', async () => {
	const { id: userId, client } = await buy('collector@example.com');
	const ids = await fill(userId, limits.marksMax - 1, 2);
	expect((await mark(client, bookmark)).statusCode).toBe(200);
	expect((await mark(client, bookmark)).json()).toMatchObject({ code: 'TOO_MANY_MARKS', status: 409 });
	expect((await mark(client, { ...bookmark, note: 'changed' }, ids[0])).json()).toMatchObject({ note: 'changed' });
	expect((await get(client)).marks).toHaveLength(limits.marksMax);
	// Another document has room of its own.
	await admin.call('POST', '/api/shares', { nodeId: sharedPdf, email: 'collector@example.com' });
	expect((await mark(client, bookmark, randomUUID(), sharedPdf)).statusCode).toBe(200);

	await world.deps.db.deleteFrom('reading_marks').where('user_id', '=', userId).execute();
	const [large] = await fill(userId, 1, limits.marksMaxBytes - 10);
	expect((await mark(client, highlight)).json()).toMatchObject({ code: 'TOO_MANY_MARKS' });
	expect((await mark(client, { ...bookmark, note: 'shorter' }, large)).statusCode).toBe(200);
	expect((await mark(client, highlight)).statusCode).toBe(200);
});

test('marks that come at once do not pass the limit together', async () => {
	const { id: userId, client } = await buy('crowd@example.com');
	await fill(userId, 1000, 4000);
	const note = 'x'.repeat(10_000);
	const answers = await Promise.all(Array.from({ length: 25 }, () => mark(client, { ...bookmark, note })));
	const kept = answers.filter(({ statusCode }) => statusCode === 200).length;
	expect(kept).toBe(
		Math.floor((limits.marksMaxBytes - 4_000_000) / (10_000 + '[]'.length + 'Chapter 3: Belief'.length)),
	);
});

test('each has their own: the same id of two people is two marks, and nobody reaches the other’s', async () => {
	const other = await buy('other@example.com');
	const id = randomUUID();
	await mark(reader.client, { ...highlight, note: 'mine' }, id);
	expect((await get(other.client)).marks).toEqual([]);
	// A new id and somebody else's are answered alike.
	expect((await remove(other.client, id)).json()).toEqual((await remove(other.client, randomUUID())).json());
	expect((await mark(other.client, { ...highlight, note: 'theirs' }, id)).json().note).toBe('theirs');
	expect((await get(reader.client)).marks).toMatchObject([{ id, note: 'mine' }]);
	await remove(other.client, id);
	expect((await get(reader.client)).marks).toMatchObject([{ id, note: 'mine' }]);
	// My own of another document: neither found nor changed there.
	expect((await mark(reader.client, highlight, id, sharedPdf)).json()).toMatchObject({ code: 'NOT_FOUND' });
	expect((await remove(reader.client, id, sharedPdf)).json()).toEqual({});
	expect((await get(reader.client)).marks).toMatchObject([{ id, note: 'mine' }]);
	await remove(reader.client, id);
});

test('a document is an edition or a PDF that one may read; all else is alike', async () => {
	const note = await makeFile(world.deps, {
		ownerId,
		name: 'note.txt',
		bytes: Buffer.from('x'),
		contentType: 'text/plain',
	});
	const named = await makeFile(world.deps, {
		ownerId,
		name: 'only-named.pdf',
		bytes: Buffer.from('x'),
		contentType: 'text/plain',
	});
	const folder = await makeFolder(world.deps, 'guest', 'Folder');
	const foreign = await makePdf('foreign.pdf', (await joinWorld(world, 'private@example.com')).id);
	const bookFile = await makePdf('excerpt.pdf', 'book');
	const guests = await makePdf('guests.pdf', ownerId);
	const absent = 'AAAAAAAAAAAAAAAAAAAAAA';
	for (const document of [
		absent,
		note,
		named,
		folder.id,
		foreign,
		bookFile,
		'part-2-en',
		'part-9-en',
		'%00',
		'x'.repeat(100),
	]) {
		const answers = [
			await reader.client.call('GET', `/api/reading/${document}`),
			await keep(reader.client, placeAt(1, minutesAgo(0)), document),
			await mark(reader.client, highlight, randomUUID(), document),
			await remove(reader.client, randomUUID(), document),
		];
		if (document === '%00') expect(answers.map(({ statusCode }) => statusCode)).toEqual([422, 422, 422, 422]);
		else for (const answer of answers) expect(answer.json()).toMatchObject({ code: 'NOT_FOUND', status: 404 });
	}
	for (const document of [guests, sharedPdf]) {
		expect((await keep(reader.client, placeAt(5, minutesAgo(0)), document)).statusCode).toBe(200);
		expect((await get(reader.client, document)).place.page).toBe(5);
	}
	for (const document of [foreign, bookFile])
		expect((await keep(admin, placeAt(1, minutesAgo(0)), document)).statusCode).toBe(200);
	expect((await get(admin, edition)).place).toBeNull();
});

test('when access ends nothing is read, written or deleted; when it comes back all is there', async () => {
	const { id: userId, orderId, client } = await buy('pending@example.com');
	const id = randomUUID();
	await keep(client, placeAt(33, minutesAgo(3)));
	await mark(client, highlight, id);
	await setStatus(orderId, 'Pending');
	for (const answer of [
		await client.call('GET', `/api/reading/${edition}`),
		await keep(client, placeAt(34, minutesAgo(2))),
		await mark(client, { ...highlight, note: 'late' }, id),
		await remove(client, id),
	])
		expect(answer.json()).toMatchObject({ code: 'NOT_FOUND' });
	expect((await client.call('GET', '/api/reading-export?format=json')).json().documents).toEqual([]);
	await setStatus(orderId, 'Complete');
	expect(await get(client)).toMatchObject({ place: { page: 33 }, marks: [{ id, note: highlight.note }] });
	// An unassigned edition, too.
	const { editions } = (await admin.call('GET', '/api/settings/book')).json();
	await assign([{ key: edition, fileId: null }]);
	expect((await client.call('GET', `/api/reading/${edition}`)).statusCode).toBe(404);
	await assign(editions.filter(({ key }: { key: string }) => key === edition));
	expect((await get(client)).marks).toHaveLength(1);
	const rows = await world.deps.db.selectFrom('reading_marks').select('id').where('user_id', '=', userId).execute();
	expect(rows).toEqual([{ id }]);
});

test('a file that is gone for good takes its places and marks along, a person all of theirs', async () => {
	const file = await makePdf('going.pdf', ownerId);
	const goer = await buy('goer@example.com');
	await keep(goer.client, placeAt(1, minutesAgo(1)), file);
	await mark(goer.client, highlight, randomUUID(), file);
	await mark(goer.client);
	await keep(goer.client, placeAt(1, minutesAgo(1)));
	const { db } = world.deps;
	const countOf = async (table: 'reading_places' | 'reading_marks') =>
		(await db.selectFrom(table).select('document').where('user_id', '=', goer.id).execute())
			.map(({ document }) => document)
			.sort();
	expect(await countOf('reading_marks')).toEqual([file, edition].sort());
	await db.deleteFrom('nodes').where('id', '=', file).execute();
	expect([await countOf('reading_marks'), await countOf('reading_places')]).toEqual([[edition], [edition]]);
	expect((await admin.call('POST', '/delete-user-all', { uid: goer.id })).json()).toMatchObject({ success: true });
	await world.settle();
	expect([await countOf('reading_marks'), await countOf('reading_places')]).toEqual([[], []]);
});

test('a file keeps place and marks through a new name, another folder and the trash; nobody sees them while it is not theirs to read', async () => {
	const { client } = await buy('mover@example.com');
	const file = await makePdf('before.pdf', ownerId);
	const folder = await makeFolder(world.deps, ownerId, 'Elsewhere');
	await keep(client, placeAt(7, minutesAgo(1)), file);
	const kept = (await mark(client, highlight, randomUUID(), file)).json();
	const exported = async () => (await client.call('GET', '/api/reading-export?format=json')).json().documents;
	const act = async (method: 'POST' | 'DELETE', url: string, body?: object) =>
		expect((await admin.call(method, url, body)).statusCode).toBe(200);

	await act('POST', `/api/nodes/${file}/rename`, { name: 'कल की योजना.pdf' });
	await act('POST', '/api/nodes/move', { ids: [file], path: folder.path });
	expect(await get(client, file)).toMatchObject({ place: { page: 7 }, marks: [kept] });
	expect(await exported()).toEqual([{ document: file, name: 'कल की योजना.pdf', marks: [kept] }]);
	expect((await client.call('GET', '/api/reading-export')).body).toContain('## कल की योजना.pdf');

	await act('DELETE', `/api/nodes/${file}`);
	expect((await client.call('GET', `/api/reading/${file}`)).json()).toMatchObject({ code: 'NOT_FOUND' });
	expect(await exported()).toEqual([]);
	await act('POST', `/api/trash/${file}/restore`);
	expect(await get(client, file)).toMatchObject({ place: { page: 7 }, marks: [kept] });

	await act('DELETE', `/api/nodes/${file}`);
	await act('DELETE', `/api/trash/${file}`);
	await world.settle();
	for (const table of ['reading_places', 'reading_marks'] as const)
		expect(await world.deps.db.selectFrom(table).select('document').where('document', '=', file).execute()).toEqual([]);
});

test('marks in a shared file go out of sight with the share, and come back with it', async () => {
	const { client } = await buy('borrower@example.com');
	const shared = { nodeId: sharedPdf, email: 'borrower@example.com' };
	const exported = async () => (await client.call('GET', '/api/reading-export?format=json')).json().documents;
	await admin.call('POST', '/api/shares', shared);
	const kept = (await mark(client, highlight, randomUUID(), sharedPdf)).json();
	expect(await exported()).toHaveLength(1);
	expect((await admin.call('POST', '/api/shares/remove', shared)).statusCode).toBe(200);
	for (const path of [`/api/reading/${sharedPdf}`, `/api/files/${sharedPdf}`])
		expect((await client.call('GET', path)).json()).toMatchObject({ code: 'NOT_FOUND' });
	expect(await exported()).toEqual([]);
	await admin.call('POST', '/api/shares', shared);
	expect((await get(client, sharedPdf)).marks).toEqual([kept]);
});

test('a mark is told to the person’s own pages, a place to nobody', async () => {
	const hearer = await buy('hearer@example.com');
	const url = await listen(world.app);
	const [own, others, desk] = await Promise.all(
		[hearer.client, reader.client, admin].map((client) => openEvents(url, client.cookie())),
	);
	await keep(hearer.client, placeAt(9, minutesAgo(0)));
	const id = randomUUID();
	await mark(hearer.client, highlight, id);
	await own?.waitFor('reading');
	expect(own?.hints).toEqual([{ topic: 'reading', document: edition }]);
	await remove(hearer.client, id);
	await expect.poll(() => own?.hints.length).toBe(2);
	// Nothing was there to be deleted.
	await remove(hearer.client, id);
	await mark(hearer.client, highlight);
	await expect.poll(() => own?.hints.length).toBe(3);
	expect(others?.hints).toEqual([]);
	expect(desk?.hints).toEqual([]);
	for (const stream of [own, others, desk]) stream?.close();
});

test('an admin who looks on as a member sees the place, no marks, and takes nothing along', async () => {
	const member = await buy('looked-at@example.com');
	await keep(member.client, placeAt(77, minutesAgo(0)));
	await mark(member.client);
	const { client: helper } = await joinWorld(world, 'helper@example.com', 'admin');
	expect((await helper.call('POST', `/api/users/${member.id}/view-as`, {})).statusCode).toBe(200);
	expect(await get(helper)).toMatchObject({ place: { page: 77 }, marks: [] });
	expect((await helper.call('GET', '/api/reading-export')).json()).toMatchObject({ code: 'FORBIDDEN' });
	expect((await keep(helper, placeAt(1, minutesAgo(0)))).statusCode).toBe(403);
	expect((await get(member.client)).marks).toHaveLength(1);
});

test('the marks are exported as Markdown, by document and chapter, in the person’s language', async () => {
	const { client } = await buy('exporter@example.com');
	await admin.call('POST', '/api/shares', { nodeId: sharedPdf, email: 'exporter@example.com' });
	await mark(client, { ...bookmark, page: 3, chapter: null });
	await mark(client, { ...highlight, quote: 'Begin where\nyou are.', note: 'Tomorrow.\n\nAt six.' });
	await mark(client, { ...highlight, page: 13, note: '' });
	await mark(client, {
		...highlight,
		page: 40,
		chapter: 'Chapter 4 <b>bold</b>',
		quote: '',
		note: '<script>alert(1)</script>',
	});
	await mark(client, { ...bookmark, chapter: null, note: '# *no* heading' }, randomUUID(), sharedPdf);
	const answer = await client.call('GET', '/api/reading-export');
	expect(answer.headers).toMatchObject({
		'content-type': 'text/markdown; charset=utf-8',
		'content-disposition': expect.stringMatching(/^attachment; filename="My notes 2026-11-20\.md"/u),
		'cache-control': 'no-store',
	});
	expect(answer.body.replaceAll(/20 Nov 2026, \d+:\d+ am/gu, 'TIME')).toBe(`# My notes

Saved on TIME

## Build Your Empire – Part 1, English

*Page 3, bookmark of TIME*

### Chapter 3: Belief

> Begin where\\
> you are.

Tomorrow.

At six.

*Page 12, highlight of TIME*

> Begin where you are.

*Page 13, highlight of TIME*

### Chapter 4 \\<b\\>bold\\</b\\>

\\<script\\>alert(1)\\</script\\>

*Page 40, highlight of TIME*

## Worksheet \\*1\\*.pdf

\\# \\*no\\* heading

*Page 12, bookmark of TIME*
`);
	const hindi = await client.call('GET', '/api/reading-export?format=md&lang=hi');
	expect(hindi.body).toMatch(/^# मेरे नोट\n/u);
	expect(hindi.body).toContain('भाग 1, English');
	expect(decodeURIComponent(String(hindi.headers['content-disposition']))).toContain('मेरे नोट 2026-11-20.md');
});

test('the same for programs; without a mark it is empty, and an unknown format is refused', async () => {
	const { client } = await buy('programs@example.com');
	const empty = await client.call('GET', '/api/reading-export?format=json');
	expect(empty.json()).toEqual({ exportedAt: minutesAgo(0), documents: [] });
	const marks = [(await mark(client)).json(), (await mark(client, { ...highlight, page: 50, note: oddText })).json()];
	const answer = await client.call('GET', '/api/reading-export?format=json');
	expect(answer.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8' });
	expect(answer.json().documents).toEqual([{ document: edition, name: 'Build Your Empire – Part 1, English', marks }]);
	expect((await client.call('GET', '/api/reading-export?format=html')).statusCode).toBe(422);
});
