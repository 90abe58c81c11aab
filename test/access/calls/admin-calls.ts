import { createHash, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { TestPurchase } from '#contract/orders/test-purchase.ts';
import { videoUploadPath } from '#contract/storefront/video-parts.ts';
import { findRows, getRow, insertRows } from '../../support/app/database-rows.ts';
import { smallPng } from '../../support/app/http-client.ts';
import { readMp4 } from '../../support/documents/videos.ts';
import { proofBytes } from '../../support/fixtures/orders.ts';
import { plainStatement } from '../../support/fixtures/statements.ts';
import { type AccessFixture, freshOrder } from '../access-fixture.ts';
import {
	type AccessCalls,
	after,
	call,
	equals,
	fileForm,
	forNewUser,
	leavesRows,
	matches,
	savesSettings,
	sends,
	sendsCsvRow,
	sendsRanges,
	shows,
} from './access-call.ts';

async function versionOf({ send }: AccessFixture, name: string): Promise<number> {
	const { fields } = (await send('D', 'GET', { url: '/api/storefront/draft' })).json();
	return fields.find(({ field }: { field: string }) => field === name).version;
}

/** Adds an unsent mail with the login of a new user. */
async function addUnsentMail({ deps, freshUser }: AccessFixture) {
	const { email } = await freshUser();
	const id = randomUUID();
	const at = new Date().toISOString();
	const mail = { id, message_id: `<${id}@localhost>`, kind: 'invitation', recipient: email, state: 'file' as const };
	await insertRows(deps, 'outbox', [{ ...mail, next_attempt_at: at, created_at: at }]);
	return { id, email };
}

/** Changes the draft so that only the wordmark differs from what is published, and returns the body that names it. */
async function changedFields({ deps }: AccessFixture) {
	await deps.db.updateTable('storefront_fields').set({ has_draft: 0 }).execute();
	await deps.db.deleteFrom('storefront_fields').where('field', '=', 'wordmark').execute();
	const row = {
		field: 'wordmark',
		published: null,
		has_draft: 1,
		version: 7,
		updated_by: null,
		updated_at: '',
	} as const;
	await deps.db
		.insertInto('storefront_fields')
		.values({ ...row, draft: JSON.stringify({ en: randomUUID(), hi: '' }) })
		.execute();
	return { fields: [{ field: 'wordmark', version: 7 }] };
}

async function checkNewestVersion(deps: AccessFixture['deps'], version: unknown) {
	const rows = await findRows(deps, 'storefront_versions');
	expect(version).toMatchObject({ number: Math.max(...rows.map(({ number }) => number)), isCurrent: true });
}

/** Creates a request whose target is an email address without an account. */
const forNewEmail = (bodyOf: (email: string) => object) => () => {
	const email = `${randomUUID()}@example.com`;
	return { body: bodyOf(email), target: email };
};

const forNewOrder = (bodyOf?: (order: { id: string; email: string }) => object) => async (fixture: AccessFixture) => {
	const order = await freshOrder(fixture);
	return { body: bodyOf?.(order), target: order.id };
};

const testBuyer = 'test-buyer@example.com';

/** Makes the test purchase unless there is one, and returns it after its mail was saved. */
async function makeTestPurchase(fixture: AccessFixture): Promise<TestPurchase> {
	await fixture.send('D', 'POST', { url: '/api/test-purchase', body: { email: testBuyer } });
	await fixture.runDueWork();
	return (await fixture.send('D', 'GET', { url: '/api/test-purchase' })).json().purchase;
}

const removeTestPurchase = (fixture: AccessFixture) => fixture.send('D', 'DELETE', { url: '/api/test-purchase' });

async function countOrders({ deps }: AccessFixture) {
	const orders = await findRows(deps, 'orders', { is_test: 0 });
	return { total: orders.length, complete: orders.filter(({ status }) => status === 'Complete').length };
}

let savedFilterCount = 0;

/** Creates a saved filter of the admin. @returns its URL, and its ID as the target */
async function addSavedFilter(fixture: AccessFixture, list: 'orders' | 'users') {
	savedFilterCount += 1;
	const body = { list, name: `Saved ${savedFilterCount}`, query: '' };
	const target: string = (await fixture.send('D', 'POST', { url: '/api/saved-filters', body })).json().id;
	return { url: `/api/saved-filters/${target}`, target };
}

export const adminCalls: AccessCalls = {
	'GET /api/first-steps': call({}, matches({ isDismissed: false }), (_fixture, response) =>
		expect(response.json().steps).toContainEqual({ key: 'book', state: 'done', reason: null, value: null }),
	),
	'PUT /api/first-steps': call(
		{ body: { isDefaultContentKept: true } },
		equals({}),
		leavesRows('settings', () => ({ key: 'first-steps' }), [
			{ value: '{"isDismissed":false,"isDefaultContentKept":true}' },
		]),
	),
	'GET /api/test-purchase': call(
		after(makeTestPurchase),
		matches({ purchase: { email: testBuyer, status: 'Pending' } }),
	),
	'POST /api/test-purchase': call(
		async (fixture) => {
			await removeTestPurchase(fixture);
			return { body: { email: testBuyer } };
		},
		matches({ purchase: { email: testBuyer } }),
		leavesRows('orders', () => ({ is_test: 1 as const }), [{ email: testBuyer }]),
	),
	'DELETE /api/test-purchase': call(
		after(makeTestPurchase),
		equals({}),
		leavesRows('users', () => ({ email: testBuyer }), []),
	),
	'GET /api/test-purchase/mails/:id': call(
		async (fixture) => {
			const [mail] = (await makeTestPurchase(fixture)).mails;
			return { target: mail?.id ?? '' };
		},
		shows('Subject:', testBuyer),
	),
	'GET /api/users': call(
		'?search=bystander',
		matches(({ fixture }) => ({ total: 1, items: [{ id: fixture.userIds.other, email: 'bystander@example.com' }] })),
	),
	'POST /api/users': call(
		forNewEmail((email) => ({ email, password: 'abcdef', role: 'admin' })),
		matches(({ target }) => ({ email: target, role: 'admin', active: true })),
		leavesRows('users', (email) => ({ email }), [{ role: 'admin', active: 1 }]),
	),
	'POST /api/users/:id/active': call(
		forNewUser(() => ({ active: false })),
		matches(({ target }) => ({ id: target, active: false })),
		leavesRows('users', (id) => ({ id }), [{ active: 0 }]),
	),
	'GET /api/users/:id/book-access': call(
		({ userIds }) => ({ target: userIds.R }),
		equals({ access: 'open', grant: null }),
	),
	'PUT /api/users/:id/book-grant': call(
		forNewUser(() => ({ isGranted: true })),
		matches({ access: 'open', grant: { by: 'admin@example.com' } }),
		leavesRows('book_access', (user_id) => ({ user_id }), [{ granted_by: 'admin@example.com' }]),
	),
	'GET /api/login-history': call(
		'?email=guest-reader@example.com',
		matches(({ fixture }) => ({
			person: { id: fixture.userIds.G, email: 'guest-reader@example.com' },
			items: [{ loginCount: 1, ipAddresses: [{ loginNumber: 1 }] }],
		})),
	),
	'GET /api/audit': call(
		'?kind=people&person=inactive@example.com',
		matches({
			items: [{ action: 'user-deactivated', whomPlace: { screen: 'person', email: 'inactive@example.com' } }],
		}),
	),
	'GET /api/audit.csv': call(
		'?kind=people&person=inactive@example.com',
		sendsCsvRow('deactivated inactive@example.com.'),
	),
	'POST /api/users/:id/role': call(
		forNewUser(() => ({ role: 'admin' })),
		matches(({ target }) => ({ id: target, role: 'admin' })),
		leavesRows('users', (id) => ({ id }), [{ role: 'admin' }]),
	),
	'POST /api/users-import': call(
		forNewEmail((email) => ({ csv: `email\n${email}` })),
		equals({ added: 1, problems: [], rest: '' }),
		leavesRows('users', (email) => ({ email }), [{ role: 'user' }]),
	),
	'GET /api/users-bulk': call('?search=bystander', matches({ count: 1 })),
	'POST /api/users-bulk': call(
		forNewUser(({ id }) => ({ action: 'deactivate', selection: { ids: [id] } })),
		matches(({ target }) => ({ items: [{ id: target, outcome: 'done' }], nextCursor: null })),
		leavesRows('users', (id) => ({ id }), [{ active: 0 }]),
	),
	'GET /api/saved-filters': call(
		async (fixture) => ({ ...(await addSavedFilter(fixture, 'orders')), url: '/api/saved-filters?list=orders' }),
		matches(({ target }) => ({ items: expect.arrayContaining([expect.objectContaining({ id: target })]) })),
	),
	'POST /api/saved-filters': call(
		() => ({ body: { list: 'users', name: 'Unpaid', query: 'book=pending' } }),
		matches({ name: 'Unpaid', query: 'book=pending' }),
		async ({ deps, userIds }) =>
			expect(await findRows(deps, 'saved_filters', { name: 'Unpaid' })).toMatchObject([{ user_id: userIds.D }]),
	),
	'PUT /api/saved-filters/:id': call(
		async (fixture) => ({ ...(await addSavedFilter(fixture, 'users')), body: { query: 'sort=email' } }),
		matches(({ target }) => ({ id: target, query: 'sort=email' })),
		leavesRows('saved_filters', (id) => ({ id }), [{ query: 'sort=email' }]),
	),
	'DELETE /api/saved-filters/:id': call(
		(fixture) => addSavedFilter(fixture, 'users'),
		equals({}),
		leavesRows('saved_filters', (id) => ({ id }), []),
	),
	'GET /firestore-users': call({}, async ({ deps, userIds }, response) => {
		expect(response.json()).toHaveLength((await findRows(deps, 'users')).length);
		const other = { id: userIds.other, email: 'bystander@example.com', role: 'user', active: true };
		expect(response.json()).toContainEqual(other);
	}),
	'POST /api/users/register': call(
		forNewEmail((email) => ({ email, password: 'abcdef' })),
		matches(({ target }) => ({ email: target, role: 'user', active: true })),
		leavesRows('users', (email) => ({ email }), [{ role: 'user' }]),
	),
	'POST /delete-user-all': call(
		forNewUser(({ id }) => ({ uid: id })),
		equals({ success: true, error: null }),
		leavesRows('users', (id) => ({ id }), []),
	),
	'GET /api/removals': call({}, async ({ deps }, response) =>
		expect(response.json()).toHaveLength((await findRows(deps, 'jobs', { kind: 'person-removal' })).length),
	),
	'GET /api/orders': call(
		'?search=unpaid',
		matches(({ fixture }) => ({ total: 1, items: [{ id: fixture.order.id, upiId: 'asha@examplebank', price: 499 }] })),
	),
	'GET /api/orders-summary': call({}, async (fixture, response) => {
		const { total, complete } = await countOrders(fixture);
		const sales = { totalSales: total * 499, verifiedSales: complete * 499 };
		expect(response.json()).toEqual({ total, complete, pending: total - complete, ...sales });
	}),
	'GET /api/orders-days': call('?days=1', async (fixture, response) => {
		const { total, complete } = await countOrders(fixture);
		const sales = { totalSales: total * 499, verifiedSales: complete * 499 };
		expect(response.json()).toMatchObject({ items: [{ orders: total, ...sales }] });
	}),
	'GET /api/orders.csv': call('?search=unpaid', sendsCsvRow('asha@examplebank')),
	'POST /api/orders-complete': call(
		forNewOrder(({ id }) => ({ orders: [{ id, version: 1 }] })),
		equals(({ target }) => ({ items: [{ id: target, outcome: 'done' }] })),
		leavesRows('orders', (id) => ({ id }), [{ status: 'Complete' }]),
	),
	'POST /api/orders-statement': call(
		fileForm('statement.csv', 'text/csv', Buffer.from(plainStatement([['UPI/632600000001/SOMEBODY', '499.00']]))),
		matches({ state: 'read', lines: [{ line: 2, amount: 499, kind: 'missing' }] }),
	),
	'GET /api/orders/:id/row': call(
		({ order }) => ({ target: order.id }),
		matches(({ fixture }) => ({ id: fixture.order.id, upiId: 'asha@examplebank' })),
	),
	'GET /api/orders/:id/proofs': call(
		({ order }) => ({ target: order.id }),
		matches(({ fixture: { order } }) => [{ id: order.proofId, url: `/api/proofs/${order.proofId}/image` }]),
	),
	'PUT /api/orders/:id': call(
		forNewOrder(({ email }) => {
			return { name: 'New Name', email, phone: '1', upiId: 'new@bank', status: 'Complete', version: 1 };
		}),
		matches(({ target: id }) => ({ id, name: 'New Name', upiId: 'new@bank', status: 'Complete', version: 2 })),
		leavesRows('orders', (id) => ({ id }), [{ name: 'New Name', status: 'Complete' }]),
	),
	'POST /api/orders/:id/note': call(
		forNewOrder(() => ({ note: 'The amount cannot be read.', was: null, isProofWanted: true })),
		matches(({ target }) => ({ id: target, note: 'The amount cannot be read.', isProofWanted: true })),
		leavesRows('orders', (id) => ({ id }), [{ note: 'The amount cannot be read.' }]),
	),
	'DELETE /api/orders/:id': call(
		forNewOrder(),
		equals({}),
		leavesRows('orders', (id) => ({ id }), []),
	),
	'GET /api/proofs/:id/image': call(({ order }) => ({ target: order.proofId }), sends(proofBytes), sendsRanges),
	'GET /api/settings/book': call({}, matches({ title: 'Build Your Empire', bookFiles: [{ name: 'part-1.pdf' }] })),
	'GET /api/settings/book/editions': call({}, equals({ items: expect.any(Array), offered: expect.any(Object) })),
	'DELETE /api/settings/book/former-editions/:id': {
		...call(
			async ({ deps }) => {
				const target = createHash('sha256').update(randomUUID()).digest('hex');
				await insertRows(deps, 'edition_contents', [{ sha256: target, name: 'earlier.pdf', created_at: '2026' }]);
				return { target };
			},
			equals({}),
			leavesRows('edition_contents', (sha256) => ({ sha256 }), []),
		),
		absentUrl: `/api/settings/book/former-editions/${'0'.repeat(64)}`,
	},
	'PUT /api/settings/book': savesSettings('book', (book) => ({ ...book, editions: [] })),
	'GET /api/settings/outline-pairs': call(
		{},
		matches({
			parts: [
				{ part: 1, hi: null, byHand: [] },
				{ part: 2, en: null, hi: null },
			],
		}),
	),
	'PUT /api/settings/outline-pairs': savesSettings('outline-pairs', () => ({ parts: [] })),
	'GET /api/storefront/draft': call({}, ({ captionsUrl }, response) => {
		expect(response.json().fields).toContainEqual(
			expect.objectContaining({
				field: 'videos.how-to-get',
				value: expect.objectContaining({
					captions: { en: null, hi: expect.objectContaining({ blobId: captionsUrl.split('/').at(-1) }) },
				}),
			}),
		);
	}),
	'PUT /api/storefront/draft/:field': call(
		async (fixture) => ({
			body: { value: { en: randomUUID(), hi: '' }, version: await versionOf(fixture, 'author') },
			target: 'author',
		}),
		matches({ field: 'author', isChanged: true, changedBy: 'admin@example.com' }),
		leavesRows('storefront_fields', (field) => ({ field }), [{ has_draft: 1 }]),
	),
	'POST /api/storefront/publish': call(
		async (fixture) => ({ body: await changedFields(fixture) }),
		matches({ changes: ['wordmark'], publishedBy: 'admin@example.com', isCurrent: true }),
		leavesRows('storefront_fields', () => ({ has_draft: 1 as const }), []),
	),
	'POST /api/storefront/discard': call(
		async (fixture) => ({ body: await changedFields(fixture) }),
		equals({}),
		leavesRows('storefront_fields', () => ({ has_draft: 1 as const }), []),
	),
	'GET /api/storefront/versions': call({}, ({ deps }, response) => checkNewestVersion(deps, response.json().items[0])),
	'POST /api/storefront/versions/:number/restore': call(
		async ({ deps }) => ({ target: String((await findRows(deps, 'storefront_versions')).at(-1)?.number) }),
		({ deps }, response) => checkNewestVersion(deps, response.json()),
	),
	'GET /api/storefront/preview': call('?lang=hi', shows('<html lang="hi"', '₹499')),
	'POST /api/storefront/videos/:key/:part': call(
		async (fixture) => {
			const form = fileForm('film.mp4', 'text/html', await readMp4());
			const version = await versionOf(fixture, 'videos.benefits');
			return { url: `${videoUploadPath('benefits', 'film')}?version=${version}`, ...form };
		},
		matches({ field: 'videos.benefits', value: { source: 'own', film: { name: 'film.mp4' } } }),
		leavesRows('storefront_files', () => ({ kind: 'video' as const }), [{ is_published: 0 }]),
	),
	'POST /api/storefront/images': call(
		{ url: '?kind=cover', ...fileForm('cover.png', 'text/html', smallPng) },
		matches({ width: 10, height: 15 }),
		leavesRows('storefront_files', () => ({ kind: 'cover' as const }), [{ width: 10, is_published: 0 }]),
	),
	'POST /api/settings/qr': call(
		fileForm('qr.txt', 'image/png', Buffer.from('no picture')),
		equals({ qrCodeUrl: null }),
		async ({ deps }) => {
			const { value } = await getRow(deps, 'settings', { key: 'book' });
			expect(JSON.parse(value).qr.isImage).toBe(false);
		},
	),
	'GET /api/outbox/status': call({}, matches({ transport: 'file', lastError: null })),
	'POST /api/outbox/test': call(
		{ body: { to: 'desk@example.com' } },
		equals({ to: 'desk@example.com', result: 'file', error: null }),
	),
	'GET /api/outbox/unsent': call(
		async (fixture) => ({ url: '/api/outbox/unsent?limit=1', target: (await addUnsentMail(fixture)).email }),
		matches(({ target }) => ({ items: [{ to: target, kind: 'invitation', state: 'file' }] })),
	),
	'POST /api/outbox/:id/send': call(
		async (fixture) => {
			const { id, email } = await addUnsentMail(fixture);
			return { url: `/api/outbox/${id}/send`, body: {}, target: email };
		},
		equals({}),
		leavesRows('outbox', (recipient) => ({ recipient }), [{ kind: 'invitation', state: 'waiting' }]),
	),
	'POST /api/outbox/:id/login-link': call(
		async (fixture) => {
			const { id, email } = await addUnsentMail(fixture);
			return { url: `/api/outbox/${id}/login-link`, body: {}, target: email };
		},
		matches({ url: expect.stringContaining('/set-password#token=') }),
	),
	'GET /api/settings/mail': call({}, matches({ isOrderMailed: true, isChatMailed: true, orderMailTo: '', seller: '' })),
	'PUT /api/settings/mail': call(
		{
			body: { isOrderMailed: false, isChatMailed: false, orderMailTo: 'desk@example.com', seller: 'Rohan', version: 0 },
		},
		equals({ version: 1 }),
		async ({ deps }) => {
			const saved = JSON.parse((await getRow(deps, 'settings', { key: 'mail' })).value);
			expect(saved).toMatchObject({ orderMailTo: 'desk@example.com', isOrderMailed: false, isChatMailed: false });
		},
	),
	'GET /openapi.json': call({}, matches({ info: { title: 'Folio' } })),
	'GET /docs': call({}, shows('/api/sign-in')),
};
