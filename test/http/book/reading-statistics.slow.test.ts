import { expect, test } from 'vitest';
import { findRows, getRow, insertRows } from '../../support/app/database-rows.ts';
import { createHttpClient } from '../../support/app/http-client.ts';
import { readAuditSentences, readPages } from '../../support/app/lists.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { makeSignedInUser, makeUser, testPassword } from '../../support/app/users.ts';
import { saveBook } from '../../support/fixtures/book.ts';
import { makePdfFile } from '../../support/fixtures/files.ts';
import { makeOrder } from '../../support/fixtures/orders.ts';

const { testApp, deps, admin } = await openTestApp();
const edition = 'part-1-en';
const empty = {
	opened: 0,
	medianPercent: null,
	meanPercent: null,
	tenths: Array(10).fill(0),
	finished: 0,
	readIn7Days: 0,
	readIn30Days: 0,
};

const summary = async (client = admin) => (await client.call('GET', '/api/reading-stats')).json();
const listReaders = (query: string, client = admin) => client.call('GET', `/api/reading-stats/people?${query}`);
const emailsOf = async (query: string) =>
	(await listReaders(query)).json().items.map(({ email }: { email: string }) => email.split('@')[0]);

async function read(userId: string, furthestPage: number, daysAgo: number, document: string = edition) {
	const readAt = new Date(testApp.clock.now().getTime() - daysAgo * 86_400_000).toISOString();
	const position = { page: 1, page_count: 100, page_offset: 0, chapter: null, read_at: readAt, updated_at: readAt };
	const furthest = { furthest_page: furthestPage, furthest_share: furthestPage * 100 };
	const row = { user_id: userId, document, node_id: null, ...position, ...furthest };
	await insertRows(deps, 'reading_positions', [row]);
}

async function makeReader(name: string, status: 'Pending' | 'Complete' = 'Complete'): Promise<string> {
	const email = `${name}@example.com`;
	const id = await makeUser(deps, email);
	await makeOrder(deps, { userId: id, email, status });
	return id;
}

test('the reading statistics are empty while no edition has a file', async () => {
	expect(await summary()).toEqual({ readers: 0, editions: [] });
	expect((await listReaders(`edition=${edition}`)).json()).toMatchObject({ code: 'NOT_FOUND' });
});

test('the reading statistics of an edition count only users with access to the edition', async () => {
	const editions = [];
	for (const key of [edition, 'part-2-hi'])
		editions.push({ key, fileId: await makePdfFile(deps, 'book', { name: `${key}.pdf` }) });
	await saveBook(admin, { editions });
	const keys = [
		{ key: edition, part: 1, language: 'en' },
		{ key: 'part-2-hi', part: 2, language: 'hi' },
	];
	expect(await summary()).toEqual({ readers: 0, editions: keys.map((key) => ({ ...key, ...empty })) });

	await read(await makeReader('begun'), 1, 0);
	await read(await makeReader('tenth'), 10, 6);
	await read(await makeReader('middle'), 55, 8);
	await read(await makeReader('nearly'), 98, 31);
	const done = await makeReader('done');
	await read(done, 100, 29);
	await read(done, 20, 1, 'part-2-hi');
	await makeReader('never');
	// This user has two orders, but is one reader.
	await makeOrder(deps, { userId: done, email: 'done@example.com', status: 'Complete' });
	// None of the following users is counted.
	await read(await makeReader('pending', 'Pending'), 70, 0);
	const inactive = await makeReader('inactive');
	await read(inactive, 70, 0);
	await admin.call('POST', `/api/users/${inactive}/active`, { active: false });
	const helper = await makeReader('helper');
	await read(helper, 70, 0);
	await deps.db.updateTable('users').set({ role: 'admin' }).where('id', '=', helper).execute();

	expect(await summary()).toEqual({
		readers: 6,
		editions: [
			{
				...keys[0],
				opened: 5,
				medianPercent: 55,
				meanPercent: 52.8,
				tenths: [1, 1, 0, 0, 0, 1, 0, 0, 0, 2],
				finished: 2,
				readIn7Days: 2,
				readIn30Days: 4,
			},
			{
				...keys[1],
				...empty,
				opened: 1,
				medianPercent: 20,
				meanPercent: 20,
				tenths: [0, 0, 1, 0, 0, 0, 0, 0, 0, 0],
				readIn7Days: 1,
				readIn30Days: 1,
			},
		],
	});
	expect(JSON.stringify(await summary())).not.toMatch(/example\.com|begun|done"/u);
});

test('the median of an even number of readers is the mean of the two middle values', async () => {
	await read(await makeReader('late'), 60, 100);
	const [first] = (await summary()).editions;
	expect(first).toMatchObject({ opened: 6, medianPercent: 57.5, meanPercent: 54, readIn30Days: 4 });
});

test('lists each reader once across pages, sorted by the furthest page or by the time of the last reading', async () => {
	expect(await emailsOf(`edition=${edition}`)).toEqual(['done', 'nearly', 'late', 'middle', 'tenth', 'begun']);
	const latest = ['begun', 'tenth', 'middle', 'done', 'nearly', 'late'];
	expect(await emailsOf(`edition=${edition}&sort=read`)).toEqual(latest);
	expect(await emailsOf('edition=part-2-hi')).toEqual(['done']);
	const [first] = (await listReaders(`edition=${edition}`)).json().items;
	expect(first).toEqual({
		id: expect.any(String),
		email: 'done@example.com',
		name: null,
		percent: 100,
		lastReadAt: new Date(testApp.clock.now().getTime() - 29 * 86_400_000).toISOString(),
	});
	// Readers with equal sort values are sorted by ID.
	for (const name of ['twin-1', 'twin-2', 'twin-3']) await read(await makeReader(name), 55, 8);
	for (const sort of ['furthest', 'read']) {
		const url = `/api/reading-stats/people?edition=${edition}&sort=${sort}&limit=2`;
		const pages = await readPages<{ email: string }>(admin, url);
		for (const { items } of pages) expect(items.length).toBeLessThanOrEqual(2);
		const found = pages.flatMap(({ items }) => items.map(({ email }) => email));
		expect(found).toHaveLength(9);
		expect(new Set(found).size).toBe(9);
	}
});

test('refuses an invalid cursor, a cursor of the other sort order and an unknown edition', async () => {
	const { nextCursor } = (await listReaders(`edition=${edition}&sort=read&limit=1`)).json();
	const refused = await listReaders(`edition=${edition}&sort=furthest&cursor=${nextCursor}`);
	expect(refused.json()).toMatchObject({ code: 'INVALID_INPUT' });
	expect((await listReaders(`edition=${edition}&cursor=abc`)).statusCode).toBe(422);
	expect((await listReaders('edition=part-13-en')).statusCode).toBe(422);
	expect((await listReaders('edition=part-9-en')).statusCode).toBe(404);
});

test('writes at most one audit entry a day when an admin views the names of readers', async () => {
	const { client: other, id } = await makeSignedInUser(testApp, 'other-owner@example.com', 'admin');
	const entries = () => findRows(deps, 'audit', { action: 'reading-names-asked', actor_id: id });
	await summary(other);
	expect(await entries()).toEqual([]);
	await Promise.all(Array.from({ length: 5 }, () => listReaders(`edition=${edition}`, other)));
	await listReaders('edition=part-2-hi', other);
	expect(await entries()).toHaveLength(1);
	const filter = 'kind=people&person=other-owner@example.com';
	const { items } = (await other.call('GET', `/api/audit?${filter}`)).json();
	expect(items).toMatchObject([{ action: 'reading-names-asked', who: 'other-owner@example.com' }]);
	const sentence = 'other-owner@example.com looked at who has read how far.';
	expect(await readAuditSentences(other, filter)).toEqual([sentence]);
	testApp.clock.advance(86_400);
	const again = createHttpClient(testApp.app);
	await again.signIn('other-owner@example.com', testPassword);
	await listReaders(`edition=${edition}`, again);
	expect(await entries()).toHaveLength(2);
});

test('counts 4,500 further readers once each', async () => {
	const person = await getRow(deps, 'users', { email: 'done@example.com' });
	const [order] = await findRows(deps, 'orders', { email: 'done@example.com' });
	if (order === undefined) throw new Error('The reader has no order.');
	const before = await summary();
	const ids = Array.from({ length: 4500 }, (_, i) => `many-${i}`);
	const mails = (id: string) => ({ email: `${id}@example.com`, email_key: `${id}@example.com` });
	const users = ids.map((id) => ({ ...person, id, ...mails(id) }));
	await insertRows(deps, 'users', users);
	const orders = ids.map((id) => ({ ...order, id, code: id, user_id: id }));
	await insertRows(deps, 'orders', orders);
	const after = await summary();
	expect(after.readers - before.readers).toBe(4500);
	expect(after.editions).toEqual(before.editions);
});
