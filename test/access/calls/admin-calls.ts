import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { storefrontDefaults } from '#contract/storefront/storefront-settings.ts';
import { videoPartPath } from '#contract/storefront/video-parts.ts';
import { findRows, getRow } from '../../support/app/database-rows.ts';
import { readMp4 } from '../../support/documents/videos.ts';
import { proofBytes } from '../../support/fixtures/orders.ts';
import { plainStatement } from '../../support/fixtures/statements.ts';
import { type AccessFixture, freshOrder } from '../access-fixture.ts';
import {
	type AccessCalls,
	call,
	equals,
	fileForm,
	leavesRows,
	matches,
	savesSettings,
	savesVersion,
	sends,
	sendsCsvRow,
	sendsRanges,
	shows,
} from './access-call.ts';

async function videoVersion(fixture: AccessFixture): Promise<number> {
	return (await fixture.send('D', 'GET', { url: '/api/settings/films' })).json().version;
}

const checkVideoVersion = savesVersion('films');

const forNewUser = (bodyOf: (id: string) => object) => async (fixture: AccessFixture) => {
	const { id } = await fixture.freshUser();
	return { body: bodyOf(id), target: id };
};

/** Creates a request whose target is an email address without an account. */
const forNewEmail = (bodyOf: (email: string) => object) => () => {
	const email = `${randomUUID()}@example.com`;
	return { body: bodyOf(email), target: email };
};

const forNewOrder = (bodyOf?: (order: { id: string; email: string }) => object) => async (fixture: AccessFixture) => {
	const order = await freshOrder(fixture);
	return { body: bodyOf?.(order), target: order.id };
};

async function countOrders({ deps }: AccessFixture) {
	const orders = await findRows(deps, 'orders');
	return { total: orders.length, complete: orders.filter(({ status }) => status === 'Complete').length };
}

export const adminCalls: AccessCalls = {
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
		forNewUser((id) => ({ uid: id })),
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
	'GET /api/settings/book/editions': call({}, equals({ items: expect.any(Array) })),
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
	'GET /api/settings/storefront': call({}, matches({ ...storefrontDefaults, version: 0 })),
	'PUT /api/settings/storefront': savesSettings('storefront', () => storefrontDefaults),
	'GET /api/settings/films': call({}, matches({ films: { benefits: { film: null } }, version: 1 })),
	'PUT /api/settings/films/:film': call(async (fixture) => {
		const body = { title: { en: 'Five habits', hi: '' }, version: await videoVersion(fixture) };
		return { url: '/api/settings/films/benefits', body, target: String(body.version) };
	}, checkVideoVersion),
	'POST /api/settings/films/:film/remove': call(async (fixture) => {
		const body = { part: 'captions-en', version: await videoVersion(fixture) };
		return { url: '/api/settings/films/benefits/remove', body, target: String(body.version) };
	}, checkVideoVersion),
	'POST /api/settings/films/:film/:part': call(async (fixture) => {
		const form = fileForm('film.mp4', 'text/html', await readMp4());
		const version = await videoVersion(fixture);
		return { url: `${videoPartPath('benefits', 'film')}?version=${version}`, ...form, target: String(version) };
	}, checkVideoVersion),
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
		{ body: {} },
		equals(({ fixture }) => ({ to: fixture.emails.D, result: 'file', error: null })),
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
