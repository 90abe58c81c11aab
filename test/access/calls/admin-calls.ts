import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { storefrontDefaults } from '#contract/storefront/storefront-settings.ts';
import { videoPartPath } from '#contract/storefront/video-parts.ts';
import { findRows, getRow } from '../../support/app/database-rows.ts';
import { multipart } from '../../support/app/http-client.ts';
import { readMp4 } from '../../support/documents/videos.ts';
import { proofBytes } from '../../support/fixtures/orders.ts';
import { plainStatement } from '../../support/fixtures/statements.ts';
import { type AccessFixture, freshOrder } from '../access-fixture.ts';
import type { AccessCalls } from './access-call.ts';
import {
	equals,
	leavesRows,
	matches,
	reads,
	savesSettings,
	savesVersion,
	sends,
	sendsCsvRow,
	shows,
} from './access-call.ts';

async function videoVersion(fixture: AccessFixture): Promise<number> {
	return (await fixture.send('D', 'GET', { url: '/api/settings/films' })).json().version;
}

const checkVideoVersion = savesVersion('films');

/** Creates a request whose target is a new user. */
const forNewUser = (path: string, body: object) => async (fixture: AccessFixture) => {
	const { id } = await fixture.freshUser();
	return { url: `/api/users/${id}/${path}`, body, target: id };
};

/** Creates a request whose target is an email address without an account. */
const forNewEmail = (url: string, bodyOf: (email: string) => object) => () => {
	const email = `${randomUUID()}@example.com`;
	return { url, body: bodyOf(email), target: email };
};

/** Creates a request whose target is a new order. */
const forNewOrder =
	(path: string, bodyOf?: (order: { id: string; email: string }) => object) => async (fixture: AccessFixture) => {
		const order = await freshOrder(fixture);
		return { url: path.replace(':id', order.id), body: bodyOf?.(order), target: order.id };
	};

/** Returns the number of orders, and how many of them are complete. */
async function countOrders({ deps }: AccessFixture) {
	const orders = await findRows(deps, 'orders');
	return { total: orders.length, complete: orders.filter(({ status }) => status === 'Complete').length };
}

/** Calls for admins only. */
export const adminCalls: AccessCalls = {
	'GET /api/users': reads(
		'/api/users?search=bystander',
		matches(({ fixture }) => ({ total: 1, items: [{ id: fixture.userIds.other, email: 'bystander@example.com' }] })),
	),
	'POST /api/users': {
		request: forNewEmail('/api/users', (email) => ({ email, password: 'abcdef', role: 'admin' })),
		check: [
			matches(({ target }) => ({ email: target, role: 'admin', active: true })),
			leavesRows('users', (email) => ({ email }), [{ role: 'admin', active: 1 }]),
		],
	},
	'POST /api/users/:id/active': {
		request: forNewUser('active', { active: false }),
		check: [
			matches(({ target }) => ({ id: target, active: false })),
			leavesRows('users', (id) => ({ id }), [{ active: 0 }]),
		],
	},
	'GET /api/users/:id/book-access': reads(
		(fixture) => `/api/users/${fixture.userIds.R}/book-access`,
		equals({ access: 'open', grant: null }),
	),
	'PUT /api/users/:id/book-grant': {
		request: forNewUser('book-grant', { isGranted: true }),
		check: [
			matches({ access: 'open', grant: { by: 'admin@example.com' } }),
			leavesRows('book_access', (user_id) => ({ user_id }), [{ granted_by: 'admin@example.com' }]),
		],
	},
	'GET /api/login-history': reads(
		'/api/login-history?email=guest-reader@example.com',
		matches(({ fixture }) => ({
			person: { id: fixture.userIds.G, email: 'guest-reader@example.com' },
			items: [{ loginCount: 1, ipAddresses: [{ loginNumber: 1 }] }],
		})),
	),
	'GET /api/audit': reads(
		'/api/audit?kind=people&person=inactive@example.com',
		matches({
			items: [{ action: 'user-deactivated', whomPlace: { screen: 'person', email: 'inactive@example.com' } }],
		}),
	),
	'GET /api/audit.csv': reads(
		'/api/audit.csv?kind=people&person=inactive@example.com',
		sendsCsvRow('deactivated inactive@example.com.'),
	),
	'POST /api/users/:id/role': {
		request: forNewUser('role', { role: 'admin' }),
		check: [
			matches(({ target }) => ({ id: target, role: 'admin' })),
			leavesRows('users', (id) => ({ id }), [{ role: 'admin' }]),
		],
	},
	'POST /api/users-import': {
		request: forNewEmail('/api/users-import', (email) => ({ csv: `email\n${email}` })),
		check: [
			equals({ added: 1, problems: [], rest: '' }),
			leavesRows('users', (email) => ({ email }), [{ role: 'user' }]),
		],
	},
	'GET /firestore-users': reads('/firestore-users', async ({ deps, userIds }, response) => {
		expect(response.json()).toHaveLength((await findRows(deps, 'users')).length);
		const other = { id: userIds.other, email: 'bystander@example.com', role: 'user', active: true };
		expect(response.json()).toContainEqual(other);
	}),
	'POST /api/users/register': {
		request: forNewEmail('/api/users/register', (email) => ({ email, password: 'abcdef' })),
		check: [
			matches(({ target }) => ({ email: target, role: 'user', active: true })),
			leavesRows('users', (email) => ({ email }), [{ role: 'user' }]),
		],
	},
	'POST /delete-user-all': {
		async request(fixture) {
			const { id } = await fixture.freshUser();
			return { url: '/delete-user-all', body: { uid: id }, target: id };
		},
		check: [equals({ success: true, error: null }), leavesRows('users', (id) => ({ id }), [])],
	},
	'GET /api/removals': reads('/api/removals', async ({ deps }, response) =>
		expect(response.json()).toHaveLength((await findRows(deps, 'jobs', { kind: 'person-removal' })).length),
	),
	'GET /api/orders': reads(
		'/api/orders?search=unpaid',
		matches(({ fixture }) => ({ total: 1, items: [{ id: fixture.order.id, upiId: 'asha@examplebank', price: 499 }] })),
	),
	'GET /api/orders-summary': reads('/api/orders-summary', async (fixture, response) => {
		const { total, complete } = await countOrders(fixture);
		const sales = { totalSales: total * 499, verifiedSales: complete * 499 };
		expect(response.json()).toEqual({ total, complete, pending: total - complete, ...sales });
	}),
	'GET /api/orders-days': reads('/api/orders-days?days=1', async (fixture, response) => {
		const { total, complete } = await countOrders(fixture);
		const sales = { totalSales: total * 499, verifiedSales: complete * 499 };
		expect(response.json()).toMatchObject({ items: [{ orders: total, ...sales }] });
	}),
	'GET /api/orders.csv': reads('/api/orders.csv?search=unpaid', sendsCsvRow('asha@examplebank')),
	'POST /api/orders-complete': {
		request: forNewOrder('/api/orders-complete', ({ id }) => ({ orders: [{ id, version: 1 }] })),
		check: [
			equals(({ target }) => ({ items: [{ id: target, outcome: 'done' }] })),
			leavesRows('orders', (id) => ({ id }), [{ status: 'Complete' }]),
		],
	},
	'POST /api/orders-statement': {
		request() {
			const bytes = Buffer.from(plainStatement([['UPI/632600000001/SOMEBODY', '499.00']]));
			const form = multipart({}, { field: 'file', name: 'statement.csv', type: 'text/csv', bytes });
			return { url: '/api/orders-statement', ...form };
		},
		check: matches({ state: 'read', lines: [{ line: 2, amount: 499, kind: 'missing' }] }),
	},
	'GET /api/orders/:id/row': reads(
		(fixture) => `/api/orders/${fixture.order.id}/row`,
		matches(({ fixture }) => ({ id: fixture.order.id, upiId: 'asha@examplebank' })),
	),
	'GET /api/orders/:id/proofs': reads(
		(fixture) => `/api/orders/${fixture.order.id}/proofs`,
		matches(({ fixture: { order } }) => [{ id: order.proofId, url: `/api/proofs/${order.proofId}/image` }]),
	),
	'PUT /api/orders/:id': {
		request: forNewOrder('/api/orders/:id', ({ email }) => {
			return { name: 'New Name', email, phone: '1', upiId: 'new@bank', status: 'Complete', version: 1 };
		}),
		check: [
			matches(({ target: id }) => ({ id, name: 'New Name', upiId: 'new@bank', status: 'Complete', version: 2 })),
			leavesRows('orders', (id) => ({ id }), [{ name: 'New Name', status: 'Complete' }]),
		],
	},
	'POST /api/orders/:id/note': {
		request: forNewOrder('/api/orders/:id/note', () => {
			return { note: 'The amount cannot be read.', was: null, isProofWanted: true };
		}),
		check: [
			matches(({ target }) => ({ id: target, note: 'The amount cannot be read.', isProofWanted: true })),
			leavesRows('orders', (id) => ({ id }), [{ note: 'The amount cannot be read.' }]),
		],
	},
	'DELETE /api/orders/:id': {
		request: forNewOrder('/api/orders/:id'),
		check: [equals({}), leavesRows('orders', (id) => ({ id }), [])],
	},
	'GET /api/proofs/:id/image': reads((fixture) => `/api/proofs/${fixture.order.proofId}/image`, sends(proofBytes), {
		hasRanges: true,
	}),
	'GET /api/settings/book': reads(
		'/api/settings/book',
		matches({ title: 'Build Your Empire', bookFiles: [{ name: 'part-1.pdf' }] }),
	),
	'GET /api/settings/book/editions': reads('/api/settings/book/editions', equals({ items: expect.any(Array) })),
	'PUT /api/settings/book': savesSettings('book', (book) => ({ ...book, editions: [] })),
	'GET /api/settings/outline-pairs': reads(
		'/api/settings/outline-pairs',
		matches({
			parts: [
				{ part: 1, hi: null, byHand: [] },
				{ part: 2, en: null, hi: null },
			],
		}),
	),
	'PUT /api/settings/outline-pairs': savesSettings('outline-pairs', () => ({ parts: [] })),
	'GET /api/settings/storefront': reads('/api/settings/storefront', matches({ ...storefrontDefaults, version: 0 })),
	'PUT /api/settings/storefront': savesSettings('storefront', () => storefrontDefaults),
	'GET /api/settings/films': reads('/api/settings/films', matches({ films: { benefits: { film: null } }, version: 1 })),
	'PUT /api/settings/films/:film': {
		async request(fixture) {
			const body = { title: { en: 'Five habits', hi: '' }, version: await videoVersion(fixture) };
			return { url: '/api/settings/films/benefits', body, target: String(body.version) };
		},
		check: checkVideoVersion,
	},
	'POST /api/settings/films/:film/remove': {
		async request(fixture) {
			const body = { part: 'captions-en', version: await videoVersion(fixture) };
			return { url: '/api/settings/films/benefits/remove', body, target: String(body.version) };
		},
		check: checkVideoVersion,
	},
	'POST /api/settings/films/:film/:part': {
		async request(fixture) {
			const form = multipart({}, { field: 'file', name: 'film.mp4', type: 'text/html', bytes: await readMp4() });
			const version = await videoVersion(fixture);
			return { url: `${videoPartPath('benefits', 'film')}?version=${version}`, ...form, target: String(version) };
		},
		check: checkVideoVersion,
	},
	'POST /api/settings/qr': {
		request() {
			const bytes = Buffer.from('no picture');
			return { url: '/api/settings/qr', ...multipart({}, { field: 'file', name: 'qr.txt', type: 'image/png', bytes }) };
		},
		check: [
			equals({ qrCodeUrl: null }),
			async ({ deps }) => {
				const { value } = await getRow(deps, 'settings', { key: 'book' });
				expect(JSON.parse(value).qr.isImage).toBe(false);
			},
		],
	},
	'GET /api/outbox/status': reads('/api/outbox/status', matches({ transport: 'file', lastError: null })),
	'POST /api/outbox/test': {
		request: () => ({ url: '/api/outbox/test', body: {} }),
		check: equals(({ fixture }) => ({ to: fixture.emails.D, result: 'file', error: null })),
	},
	'GET /api/settings/mail': reads(
		'/api/settings/mail',
		matches({ isOrderMailed: true, isChatMailed: true, orderMailTo: '', seller: '' }),
	),
	'PUT /api/settings/mail': {
		request: () => ({
			url: '/api/settings/mail',
			body: { isOrderMailed: false, isChatMailed: false, orderMailTo: 'desk@example.com', seller: 'Rohan', version: 0 },
		}),
		check: [
			equals({ version: 1 }),
			async ({ deps }) => {
				const saved = JSON.parse((await getRow(deps, 'settings', { key: 'mail' })).value);
				expect(saved).toMatchObject({ orderMailTo: 'desk@example.com', isOrderMailed: false, isChatMailed: false });
			},
		],
	},
	'GET /openapi.json': reads('/openapi.json', matches({ info: { title: 'Folio' } })),
	'GET /docs': reads('/docs', shows('/api/sign-in')),
};
