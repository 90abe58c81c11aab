import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Annotation } from '#contract/book/reading.ts';
import { limits } from '#contract/core/limits.ts';
import { findRows, getRow } from '../../support/app/database-rows.ts';
import { listen, openEventStream } from '../../support/app/event-streams.ts';
import { createHttpClient, type HttpClient } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { createSecondProcess } from '../../support/app/test-app.ts';
import { makeSignedInUser, makeUser, testPassword } from '../../support/app/users.ts';
import { insertAnnotations } from '../../support/fixtures/annotations.ts';
import { saveBook } from '../../support/fixtures/book.ts';
import { makeFile, makeFolder, makePdfFile } from '../../support/fixtures/files.ts';
import { hardToEncodeText } from '../../support/fixtures/installations.ts';
import { makeBuyer } from '../../support/fixtures/orders.ts';
import { testDatabase } from '../../support/services/test-database.ts';

const { testApp, deps, admin } = await openTestApp();
const ownerId = 'guest';
const email = 'reader@example.com';
const edition = 'part-1-en';

const buy = (address: string) => makeBuyer(testApp, address);
const assign = async (editions: Array<{ key: string; fileId: string | null }>) =>
	expect((await saveBook(admin, { editions })).statusCode).toBe(200);
const setStatus = (id: string, status: 'Pending' | 'Complete') =>
	deps.db.updateTable('orders').set({ status }).where('id', '=', id).execute();

const reader = await buy(email);
const phone = createHttpClient(testApp.app);
await phone.signIn(email, testPassword);
await assign([{ key: edition, fileId: await makePdfFile(deps, 'book', { name: 'part-1.pdf' }) }]);
const sharerId = await makeUser(deps, 'sharer@example.com');
const sharedFolder = await makeFolder(deps, 'sharer@example.com', 'Worksheets');
const sharedPdf = await makePdfFile(deps, sharerId, { name: 'Worksheet *1*.pdf', folder: sharedFolder });
await admin.call('POST', '/api/shares', { nodeId: sharedFolder.id, email });

/** Returns the time of the test clock minus this number of minutes. */
const minutesAgo = (minutes: number) => new Date(testApp.clock.now().getTime() - minutes * 60_000).toISOString();
const positionAt = (page: number, readAt: string, more: object = {}) => ({
	page,
	pageCount: 200,
	offset: 0.5,
	chapter: 'Chapter 3: Belief',
	readAt,
	...more,
});
const savePosition = (client: HttpClient, body: object, document = edition) =>
	client.call('PUT', `/api/reading/${document}/place`, body);
const get = async (client: HttpClient, document = edition) =>
	(await client.call('GET', `/api/reading/${document}`)).json();
const furthest = async (userId: string) => {
	const { furthest_page: page, furthest_share: share } = await getRow(deps, 'reading_positions', { user_id: userId });
	return { page, share };
};
const exportOf = async (client: HttpClient) =>
	(await client.call('GET', '/api/reading-export?format=json')).json().documents;

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
const saveAnnotation = (client: HttpClient, body: object = highlight, id: string = randomUUID(), document = edition) =>
	client.call('PUT', `/api/reading/${document}/marks/${id}`, body);
const deleteAnnotation = (client: HttpClient, id: string, document = edition) =>
	client.call('DELETE', `/api/reading/${document}/marks/${id}`);

test('returns null before a position is saved, and returns a saved position on another device', async () => {
	expect(await get(reader.client)).toEqual({ place: null, marks: [] });
	const place = positionAt(41, minutesAgo(90), { offset: 0.3333 });
	expect((await savePosition(phone, place)).json()).toEqual(place);
	expect((await get(reader.client)).place).toEqual(place);
});

test('keeps the position with the later reading time, and replaces a future time by the current time', async () => {
	await savePosition(reader.client, positionAt(80, minutesAgo(10)));
	// The phone was offline, and now sends a position from half an hour ago.
	const late = await savePosition(phone, positionAt(60, minutesAgo(30)));
	expect(late.statusCode).toBe(200);
	expect(late.json()).toEqual(positionAt(80, minutesAgo(10)));
	expect((await savePosition(phone, positionAt(61, minutesAgo(10)))).json().page).toBe(80);
	// A device whose clock is a year ahead must not block later positions.
	const early = await savePosition(phone, positionAt(20, '2027-11-20T00:00:00Z'));
	expect(early.json()).toEqual(positionAt(20, minutesAgo(0)));
	testApp.clock.advance(60);
	expect((await savePosition(reader.client, positionAt(21, minutesAgo(0)))).json().page).toBe(21);
	// Compared as texts, 'Z' would be later than '.000Z'.
	const spelled = minutesAgo(0).replace('.000Z', 'Z');
	expect((await savePosition(phone, positionAt(22, spelled))).json().page).toBe(21);
});

test('the furthest page is also increased by older positions, and is reset when the number of pages changes', async () => {
	const { id, client } = await buy('further@example.com');
	await savePosition(client, positionAt(100, minutesAgo(50)));
	await savePosition(client, positionAt(40, minutesAgo(40)));
	expect(await furthest(id)).toEqual({ page: 100, share: 5000 });
	expect((await savePosition(client, positionAt(150, minutesAgo(45)))).json().page).toBe(40);
	expect(await furthest(id)).toEqual({ page: 150, share: 7500 });
	// This position is older, so that its different number of pages is ignored.
	await savePosition(client, positionAt(100, minutesAgo(49), { pageCount: 100 }));
	expect(await furthest(id)).toEqual({ page: 150, share: 7500 });
	await savePosition(client, positionAt(10, minutesAgo(5), { pageCount: 300 }));
	expect(await furthest(id)).toEqual({ page: 10, share: 333 });
	await savePosition(client, positionAt(300, minutesAgo(4), { pageCount: 300 }));
	expect(await furthest(id)).toEqual({ page: 300, share: 10_000 });
});

test('keeps the latest of 40 simultaneous positions', async () => {
	const { id, client } = await buy('many@example.com');
	const other = testDatabase === 'postgres' ? await createSecondProcess(testApp) : null;
	const second = createHttpClient((other ?? testApp).app);
	await second.signIn('many@example.com', testPassword);
	const pages = Array.from({ length: 40 }, (_, i) => ((i * 17) % 40) + 1);
	const answers = await Promise.all(
		pages.map((page, i) =>
			savePosition(i % 2 === 0 ? client : second, positionAt(page, minutesAgo(page === 7 ? 1 : 100 - page))),
		),
	);
	expect(answers.map(({ statusCode }) => statusCode)).toEqual(pages.map(() => 200));
	expect((await get(client)).place).toEqual(positionAt(7, minutesAgo(1)));
	expect(await furthest(id)).toEqual({ page: 40, share: 2000 });
	await other?.close();
});

test('refuses a position with an invalid page, time, offset, page count or chapter', async () => {
	const refused = [
		positionAt(201, minutesAgo(0)),
		positionAt(0, minutesAgo(0)),
		positionAt(1.5, minutesAgo(0)),
		positionAt(1, 'yesterday'),
		positionAt(1, '2026-11-20T10:00:00+05:30'),
		positionAt(1, minutesAgo(0), { offset: 1.01 }),
		positionAt(1, minutesAgo(0), { pageCount: limits.documentPagesMax + 1 }),
		positionAt(1, minutesAgo(0), { chapter: 'x'.repeat(501) }),
	];
	for (const body of refused)
		expect((await savePosition(reader.client, body)).json()).toMatchObject({ code: 'INVALID_INPUT' });
	testApp.clock.advance(60);
	const odd = positionAt(2, minutesAgo(0), { chapter: `a\0b\ud800 ${hardToEncodeText}` });
	const saved = (await savePosition(reader.client, odd)).json();
	expect(saved).toMatchObject({ chapter: expect.stringContaining('ab\ufffd ') });
});

test('stores an annotation once when it is sent twice, and keeps its creation time', async () => {
	const id = randomUUID();
	const first = (await saveAnnotation(reader.client, highlight, id)).json();
	expect(first).toEqual({ id, ...highlight, createdAt: minutesAgo(0), updatedAt: minutesAgo(0) });
	testApp.clock.advance(60);
	const note = ` ${hardToEncodeText} `;
	const second = (await saveAnnotation(phone, { ...highlight, note, color: 'pink' }, id)).json();
	expect(second).toEqual({ ...first, note: hardToEncodeText.trim(), color: 'pink', updatedAt: minutesAgo(0) });
	expect((await get(reader.client)).marks).toEqual([second]);
	expect((await deleteAnnotation(phone, id)).json()).toEqual({});
	expect((await get(reader.client)).marks).toEqual([]);
	expect((await deleteAnnotation(phone, id)).statusCode).toBe(200);
});

test('lists annotations by page, and from top to bottom within a page', async () => {
	const { client } = await buy('order@example.com');
	const lower = { ...highlight, boxes: [[0, 0.8, 1, 0.9]], quote: 'lower' };
	const upper = { ...highlight, quote: 'upper' };
	for (const body of [lower, upper, { ...bookmark, page: 2 }, { ...bookmark, note: 'first' }])
		await saveAnnotation(client, body);
	const { marks } = (await get(client)) as { marks: Annotation[] };
	expect(marks.map(({ page, quote, note }) => [page, quote || note])).toEqual([
		[2, ''],
		[12, 'first'],
		[12, 'upper'],
		[12, 'lower'],
	]);
});

test('refuses highlights without boxes, bookmarks with boxes, and annotations above the size limits', async () => {
	const { client } = await buy('sizes@example.com');
	const refused = [
		{ ...highlight, boxes: [] },
		{ ...bookmark, boxes: highlight.boxes },
		{ ...highlight, boxes: [[0, 0, 1, 1.1]] },
		{ ...highlight, boxes: [[0, 0, 1]] },
		{ ...highlight, boxes: Array(limits.highlightRectanglesMax + 1).fill([0, 0, 1, 1]) },
		{ ...highlight, color: 'red' },
		{ ...highlight, quote: 'x'.repeat(limits.highlightQuoteMaxLength + 1) },
		{ ...highlight, note: 'x'.repeat(limits.annotationNoteMaxLength + 1) },
	];
	for (const body of refused)
		expect((await saveAnnotation(client, body)).json()).toMatchObject({ code: 'INVALID_INPUT' });
	expect((await saveAnnotation(client, highlight, 'no-uuid')).statusCode).toBe(422);
	const longestBox = [0.123456789012345, 0.123456789012345, 0.923456789012345, 0.923456789012345];
	const largest = {
		...highlight,
		boxes: Array(limits.highlightRectanglesMax).fill(longestBox),
		quote: 'अ'.repeat(limits.highlightQuoteMaxLength),
		note: 'अ'.repeat(limits.annotationNoteMaxLength),
	};
	expect((await saveAnnotation(client, largest)).statusCode).toBe(200);
	expect((await get(client)).marks).toMatchObject([largest]);
});

const fill = (userId: string, count: number, sizeBytes: number) =>
	insertAnnotations(testApp, { userId, document: () => edition, count, sizeBytes });

test('limits the number and size of annotations in a document, and allows changes of existing annotations at the limit', async () => {
	const { id: userId, client } = await buy('collector@example.com');
	const ids = await fill(userId, limits.annotationsPerDocumentMax - 1, 2);
	expect((await saveAnnotation(client, bookmark)).statusCode).toBe(200);
	expect((await saveAnnotation(client, bookmark)).json()).toMatchObject({ code: 'TOO_MANY_MARKS', status: 409 });
	expect((await saveAnnotation(client, { ...bookmark, note: 'changed' }, ids[0])).json().note).toBe('changed');
	expect((await get(client)).marks).toHaveLength(limits.annotationsPerDocumentMax);
	// The limit is separate for each document.
	await admin.call('POST', '/api/shares', { nodeId: sharedPdf, email: 'collector@example.com' });
	expect((await saveAnnotation(client, bookmark, randomUUID(), sharedPdf)).statusCode).toBe(200);

	await deps.db.deleteFrom('annotations').where('user_id', '=', userId).execute();
	const [large] = await fill(userId, 1, limits.annotationsPerDocumentMaxBytes - 10);
	expect((await saveAnnotation(client, highlight)).json()).toMatchObject({ code: 'TOO_MANY_MARKS' });
	expect((await saveAnnotation(client, { ...bookmark, note: 'shorter' }, large)).statusCode).toBe(200);
	expect((await saveAnnotation(client, highlight)).statusCode).toBe(200);
});

test('accepts simultaneous annotations only up to the size limit of the document', async () => {
	const { id: userId, client } = await buy('crowd@example.com');
	await fill(userId, 1000, 4000);
	const note = 'x'.repeat(10_000);
	const answers = await Promise.all(Array.from({ length: 25 }, () => saveAnnotation(client, { ...bookmark, note })));
	const acceptedCount = answers.filter(({ statusCode }) => statusCode === 200).length;
	const sizeBytes = 10_000 + '[]'.length + 'Chapter 3: Belief'.length;
	expect(acceptedCount).toBe(Math.floor((limits.annotationsPerDocumentMaxBytes - 4_000_000) / sizeBytes));
});

test('stores annotations with the same ID separately for two users, who can read only their own annotations', async () => {
	const other = await buy('other@example.com');
	const id = randomUUID();
	await saveAnnotation(reader.client, { ...highlight, note: 'mine' }, id);
	expect((await get(other.client)).marks).toEqual([]);
	// The response must not show whether another user has an annotation with this ID.
	const unknown = await deleteAnnotation(other.client, randomUUID());
	expect((await deleteAnnotation(other.client, id)).json()).toEqual(unknown.json());
	expect((await saveAnnotation(other.client, { ...highlight, note: 'theirs' }, id)).json().note).toBe('theirs');
	expect((await get(reader.client)).marks).toMatchObject([{ id, note: 'mine' }]);
	await deleteAnnotation(other.client, id);
	expect((await get(reader.client)).marks).toMatchObject([{ id, note: 'mine' }]);
	// The ID of the document in the URL must also match.
	expect((await saveAnnotation(reader.client, highlight, id, sharedPdf)).json()).toMatchObject({ code: 'NOT_FOUND' });
	expect((await deleteAnnotation(reader.client, id, sharedPdf)).json()).toEqual({});
	expect((await get(reader.client)).marks).toMatchObject([{ id, note: 'mine' }]);
	await deleteAnnotation(reader.client, id);
});

test('stores positions and annotations only for editions and PDFs that the user may read', async () => {
	const text = { ownerId, bytes: Buffer.from('x'), contentType: 'text/plain' };
	const note = await makeFile(deps, { ...text, name: 'note.txt' });
	const named = await makeFile(deps, { ...text, name: 'only-named.pdf' });
	const folder = await makeFolder(deps, 'guest', 'Folder');
	const foreign = await makePdfFile(deps, await makeUser(deps, 'private@example.com'));
	const bookFile = await makePdfFile(deps, 'book', { name: 'excerpt.pdf' });
	const guests = await makePdfFile(deps, ownerId, { name: 'guests.pdf' });
	const unreadable = ['AAAAAAAAAAAAAAAAAAAAAA', note, named, folder.id, foreign, bookFile];
	for (const document of [...unreadable, 'part-2-en', 'part-9-en', '%00', 'x'.repeat(100)]) {
		const answers = [
			await reader.client.call('GET', `/api/reading/${document}`),
			await savePosition(reader.client, positionAt(1, minutesAgo(0)), document),
			await saveAnnotation(reader.client, highlight, randomUUID(), document),
			await deleteAnnotation(reader.client, randomUUID(), document),
		];
		if (document === '%00') expect(answers.map(({ statusCode }) => statusCode)).toEqual([422, 422, 422, 422]);
		else for (const answer of answers) expect(answer.json()).toMatchObject({ code: 'NOT_FOUND', status: 404 });
	}
	for (const document of [guests, sharedPdf]) {
		expect((await savePosition(reader.client, positionAt(5, minutesAgo(0)), document)).statusCode).toBe(200);
		expect((await get(reader.client, document)).place.page).toBe(5);
	}
	for (const document of [foreign, bookFile])
		expect((await savePosition(admin, positionAt(1, minutesAgo(0)), document)).statusCode).toBe(200);
	expect((await get(admin, edition)).place).toBeNull();
});

test('returns 404 for annotations while the user has no access, and returns them when the user has access again', async () => {
	const { id: userId, order, client } = await buy('pending@example.com');
	const id = randomUUID();
	await savePosition(client, positionAt(33, minutesAgo(3)));
	await saveAnnotation(client, highlight, id);
	await setStatus(order.id, 'Pending');
	expect((await client.call('GET', `/api/reading/${edition}`)).json()).toMatchObject({ code: 'NOT_FOUND' });
	expect(await exportOf(client)).toEqual([]);
	await setStatus(order.id, 'Complete');
	expect(await get(client)).toMatchObject({ place: { page: 33 }, marks: [{ id, note: highlight.note }] });
	// An edition without a file cannot be read.
	const { editions } = (await admin.call('GET', '/api/settings/book')).json();
	await assign([{ key: edition, fileId: null }]);
	expect((await client.call('GET', `/api/reading/${edition}`)).statusCode).toBe(404);
	await assign(editions.filter(({ key }: { key: string }) => key === edition));
	expect((await get(client)).marks).toHaveLength(1);
	expect(await findRows(deps, 'annotations', { user_id: userId })).toMatchObject([{ id }]);
});

test('deletes the positions and annotations of a deleted user', async () => {
	const { id, client } = await buy('goer@example.com');
	await saveAnnotation(client);
	await savePosition(client, positionAt(1, minutesAgo(1)));
	expect((await admin.call('POST', '/delete-user-all', { uid: id })).json()).toMatchObject({ success: true });
	await testApp.runDueWork();
	for (const table of ['reading_positions', 'annotations'] as const)
		expect(await findRows(deps, table, { user_id: id })).toEqual([]);
});

test('keeps position and annotations when their file is renamed, moved or restored, until the file is purged', async () => {
	const { client } = await buy('mover@example.com');
	const file = await makePdfFile(deps, ownerId, { name: 'before.pdf' });
	const folder = await makeFolder(deps, ownerId, 'Elsewhere');
	await savePosition(client, positionAt(7, minutesAgo(1)), file);
	const annotation = (await saveAnnotation(client, highlight, randomUUID(), file)).json();
	const ofEdition = (await saveAnnotation(client)).json();
	const act = async (method: 'POST' | 'DELETE', url: string, body?: object) =>
		expect((await admin.call(method, url, body)).statusCode).toBe(200);

	await act('POST', `/api/nodes/${file}/rename`, { name: 'कल की योजना.pdf' });
	await act('POST', '/api/nodes/move', { ids: [file], path: folder.path });
	expect(await get(client, file)).toMatchObject({ place: { page: 7 }, marks: [annotation] });
	expect(await exportOf(client)).toMatchObject([{}, { document: file, name: 'कल की योजना.pdf', marks: [annotation] }]);
	expect((await client.call('GET', '/api/reading-export')).body).toContain('## कल की योजना.pdf');

	await act('DELETE', `/api/nodes/${file}`);
	expect((await client.call('GET', `/api/reading/${file}`)).json()).toMatchObject({ code: 'NOT_FOUND' });
	expect(await exportOf(client)).toMatchObject([{ document: edition }]);
	await act('POST', `/api/trash/${file}/restore`);
	expect(await get(client, file)).toMatchObject({ place: { page: 7 }, marks: [annotation] });

	await act('DELETE', `/api/nodes/${file}`);
	await act('DELETE', `/api/trash/${file}`);
	await testApp.runDueWork();
	for (const table of ['reading_positions', 'annotations'] as const)
		expect(await findRows(deps, table, { document: file })).toEqual([]);
	expect((await get(client)).marks).toEqual([ofEdition]);
});

test('hides the annotations of a file that is no longer shared, and returns them when the file is shared again', async () => {
	const { client } = await buy('borrower@example.com');
	const shared = { nodeId: sharedPdf, email: 'borrower@example.com' };
	await admin.call('POST', '/api/shares', shared);
	const annotation = (await saveAnnotation(client, highlight, randomUUID(), sharedPdf)).json();
	expect(await exportOf(client)).toHaveLength(1);
	expect((await admin.call('POST', '/api/shares/remove', shared)).statusCode).toBe(200);
	for (const path of [`/api/reading/${sharedPdf}`, `/api/files/${sharedPdf}`])
		expect((await client.call('GET', path)).json()).toMatchObject({ code: 'NOT_FOUND' });
	expect(await exportOf(client)).toEqual([]);
	await admin.call('POST', '/api/shares', shared);
	expect((await get(client, sharedPdf)).marks).toEqual([annotation]);
});

test('publishes an annotation on the event streams of its user, but no reading position on any stream', async () => {
	const annotator = await buy('hearer@example.com');
	const url = await listen(testApp.app);
	const [ownStream, otherStream, adminStream] = await Promise.all(
		[annotator.client, reader.client, admin].map((client) => openEventStream(url, client.cookie())),
	);
	await savePosition(annotator.client, positionAt(9, minutesAgo(0)));
	const id = randomUUID();
	await saveAnnotation(annotator.client, highlight, id);
	await ownStream?.waitFor('reading');
	expect(ownStream?.events).toEqual([{ topic: 'reading', document: edition }]);
	await deleteAnnotation(annotator.client, id);
	await expect.poll(() => ownStream?.events.length).toBe(2);
	// The annotation is already deleted, so that nothing is published.
	await deleteAnnotation(annotator.client, id);
	await saveAnnotation(annotator.client, highlight);
	await expect.poll(() => ownStream?.events.length).toBe(3);
	expect(otherStream?.events).toEqual([]);
	expect(adminStream?.events).toEqual([]);
	for (const stream of [ownStream, otherStream, adminStream]) stream?.close();
});

test('an impersonating admin sees the reading position but no annotations of the member, and cannot export them', async () => {
	const member = await buy('looked-at@example.com');
	await savePosition(member.client, positionAt(77, minutesAgo(0)));
	await saveAnnotation(member.client);
	const { client: helper } = await makeSignedInUser(testApp, 'helper@example.com', 'admin');
	expect((await helper.call('POST', `/api/users/${member.id}/view-as`, {})).statusCode).toBe(200);
	expect(await get(helper)).toMatchObject({ place: { page: 77 }, marks: [] });
	expect((await helper.call('GET', '/api/reading-export')).json()).toMatchObject({ code: 'FORBIDDEN' });
	expect((await savePosition(helper, positionAt(1, minutesAgo(0)))).statusCode).toBe(403);
	expect((await get(member.client)).marks).toHaveLength(1);
});

test('exports annotations as Markdown, by document and chapter, in the language of the user', async () => {
	const { client } = await buy('exporter@example.com');
	await admin.call('POST', '/api/shares', { nodeId: sharedPdf, email: 'exporter@example.com' });
	await saveAnnotation(client, { ...bookmark, page: 3, chapter: null });
	await saveAnnotation(client, { ...highlight, quote: 'Begin where\nyou are.', note: 'Tomorrow.\n\nAt six.' });
	await saveAnnotation(client, { ...highlight, page: 13, note: '' });
	const markup = { chapter: 'Chapter 4 <b>bold</b>', quote: '', note: '<script>alert(1)</script>' };
	await saveAnnotation(client, { ...highlight, page: 40, ...markup });
	await saveAnnotation(client, { ...bookmark, chapter: null, note: '# *no* heading' }, randomUUID(), sharedPdf);
	const answer = await client.call('GET', '/api/reading-export');
	expect(answer.headers).toMatchObject({
		'content-type': 'text/markdown; charset=utf-8',
		'content-disposition': expect.stringMatching(/^attachment; filename="My notes 2026-11-20\.md"/u),
		'cache-control': 'no-store',
	});
	expect(answer.body.replaceAll(/20 Nov 2026, \d+:\d+ am/gu, 'TIME')).toBe(`# My notes

Saved on TIME

## Build Your Empire

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
	expect(hindi.body).toContain('## Build Your Empire');
	expect(decodeURIComponent(String(hindi.headers['content-disposition']))).toContain('मेरे नोट 2026-11-20.md');
});

test('exports annotations as JSON, also when there are none, and refuses an unknown format', async () => {
	const { client } = await buy('programs@example.com');
	const empty = await client.call('GET', '/api/reading-export?format=json');
	expect(empty.json()).toEqual({ exportedAt: minutesAgo(0), documents: [] });
	const marks = [
		(await saveAnnotation(client)).json(),
		(await saveAnnotation(client, { ...highlight, page: 50, note: hardToEncodeText })).json(),
	];
	const answer = await client.call('GET', '/api/reading-export?format=json');
	expect(answer.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8' });
	expect(answer.json().documents).toEqual([{ document: edition, name: 'Build Your Empire', marks }]);
	expect((await client.call('GET', '/api/reading-export?format=html')).statusCode).toBe(422);
});
