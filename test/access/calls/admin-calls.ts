import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { storefrontDefaults } from '#contract/storefront/storefront-settings.ts';
import { videoPartPath } from '#contract/storefront/video-parts.ts';
import { multipart } from '../../support/app/http-client.ts';
import { readMp4 } from '../../support/documents/videos.ts';
import { proofBytes } from '../../support/fixtures/orders.ts';
import { plainStatement } from '../../support/fixtures/statements.ts';
import { type AccessFixture, freshOrder } from '../access-fixture.ts';
import type { AccessCall, AccessCalls } from './access-call.ts';

async function videoVersion(world: AccessFixture): Promise<number> {
	return (await world.send('D', 'GET', { url: '/api/settings/films' })).json().version;
}

const checkVideoVersion: AccessCall['check'] = async ({ deps }, response, { target }) => {
	expect(response.json()).toEqual({ version: Number(target) + 1 });
	const row = await deps.db.selectFrom('settings').select('version').where('key', '=', 'films').executeTakeFirst();
	expect(row?.version).toBe(Number(target) + 1);
};

/** Calls for admins only. */
export const adminCalls: AccessCalls = {
	'GET /api/users': {
		request: () => ({ url: '/api/users?search=bystander' }),
		check(world, response) {
			expect(response.json()).toMatchObject({
				total: 1,
				items: [{ id: world.userIds.other, email: 'bystander@example.com' }],
			});
		},
	},
	'POST /api/users': {
		request() {
			const email = `${randomUUID()}@example.com`;
			return { url: '/api/users', body: { email, password: 'abcdef', role: 'admin' }, target: email };
		},
		async check({ deps }, response, { target = '' }) {
			expect(response.json()).toMatchObject({ email: target, role: 'admin', active: true });
			const rows = await deps.db.selectFrom('users').select(['role', 'active']).where('email', '=', target).execute();
			expect(rows).toEqual([{ role: 'admin', active: 1 }]);
		},
	},
	'POST /api/users/:id/active': {
		async request(world) {
			const { id } = await world.freshUser();
			return { url: `/api/users/${id}/active`, body: { active: false }, target: id };
		},
		async check({ deps }, response, { target = '' }) {
			expect(response.json()).toMatchObject({ id: target, active: false });
			expect(await deps.db.selectFrom('users').select('active').where('id', '=', target).execute()).toEqual([
				{ active: 0 },
			]);
		},
	},
	'GET /api/users/:id/book-access': {
		request: (world) => ({ url: `/api/users/${world.userIds.R}/book-access` }),
		check(_world, response) {
			expect(response.json()).toEqual({ access: 'open', grant: null });
		},
	},
	'PUT /api/users/:id/book-grant': {
		async request(world) {
			const { id } = await world.freshUser();
			return { url: `/api/users/${id}/book-grant`, body: { isGranted: true }, target: id };
		},
		async check({ deps }, response, { target = '' }) {
			expect(response.json()).toMatchObject({ access: 'open', grant: { by: 'admin@example.com' } });
			expect(
				await deps.db.selectFrom('book_access').select('granted_by').where('user_id', '=', target).execute(),
			).toEqual([{ granted_by: 'admin@example.com' }]);
		},
	},
	'GET /api/login-history': {
		request: () => ({ url: '/api/login-history?email=guest-reader@example.com' }),
		check(world, response) {
			expect(response.json()).toMatchObject({
				person: { id: world.userIds.G, email: 'guest-reader@example.com' },
				items: [{ loginCount: 1, ipAddresses: [{ loginNumber: 1 }] }],
			});
		},
	},
	'GET /api/audit': {
		request: () => ({ url: '/api/audit?kind=people&person=inactive@example.com' }),
		check(_world, response) {
			const whomPlace = { screen: 'person', email: 'inactive@example.com' };
			expect(response.json()).toMatchObject({ items: [{ action: 'user-deactivated', whomPlace }] });
		},
	},
	'GET /api/audit.csv': {
		request: () => ({ url: '/api/audit.csv?kind=people&person=inactive@example.com' }),
		check(_world, response) {
			expect(response.headers['content-type']).toContain('text/csv');
			expect(response.body.trim().split('\r\n')).toHaveLength(2);
			expect(response.body).toContain('deactivated inactive@example.com.');
		},
	},
	'POST /api/users/:id/role': {
		async request(world) {
			const { id } = await world.freshUser();
			return { url: `/api/users/${id}/role`, body: { role: 'admin' }, target: id };
		},
		async check({ deps }, response, { target = '' }) {
			expect(response.json()).toMatchObject({ id: target, role: 'admin' });
			expect(await deps.db.selectFrom('users').select('role').where('id', '=', target).execute()).toEqual([
				{ role: 'admin' },
			]);
		},
	},
	'POST /api/users-import': {
		request() {
			const email = `${randomUUID()}@example.com`;
			return { url: '/api/users-import', body: { csv: `email\n${email}` }, target: email };
		},
		async check({ deps }, response, { target = '' }) {
			expect(response.json()).toEqual({ added: 1, problems: [], rest: '' });
			const rows = await deps.db.selectFrom('users').select('role').where('email', '=', target).execute();
			expect(rows).toEqual([{ role: 'user' }]);
		},
	},
	'GET /firestore-users': {
		request: () => ({ url: '/firestore-users' }),
		async check({ deps, userIds }, response) {
			expect(response.json()).toHaveLength((await deps.db.selectFrom('users').select('id').execute()).length);
			expect(response.json()).toContainEqual({
				id: userIds.other,
				email: 'bystander@example.com',
				role: 'user',
				active: true,
			});
		},
	},
	'POST /api/users/register': {
		request() {
			const email = `${randomUUID()}@example.com`;
			return { url: '/api/users/register', body: { email, password: 'abcdef' }, target: email };
		},
		async check({ deps }, response, { target = '' }) {
			expect(response.json()).toMatchObject({ email: target, role: 'user', active: true });
			const rows = await deps.db.selectFrom('users').select('role').where('email', '=', target).execute();
			expect(rows).toEqual([{ role: 'user' }]);
		},
	},
	'POST /delete-user-all': {
		async request(world) {
			const { id } = await world.freshUser();
			return { url: '/delete-user-all', body: { uid: id }, target: id };
		},
		async check({ deps }, response, { target = '' }) {
			expect(response.json()).toEqual({ success: true, error: null });
			expect(await deps.db.selectFrom('users').select('id').where('id', '=', target).execute()).toEqual([]);
		},
	},
	'GET /api/removals': {
		request: () => ({ url: '/api/removals' }),
		async check({ deps }, response) {
			const jobs = await deps.db.selectFrom('jobs').select('id').where('kind', '=', 'person-removal').execute();
			expect(response.json()).toHaveLength(jobs.length);
		},
	},
	'GET /api/orders': {
		request: () => ({ url: '/api/orders?search=unpaid' }),
		check(world, response) {
			expect(response.json()).toMatchObject({
				total: 1,
				items: [{ id: world.order.id, upiId: 'asha@examplebank', price: 499 }],
			});
		},
	},
	'GET /api/orders-summary': {
		request: () => ({ url: '/api/orders-summary' }),
		async check({ deps }, response) {
			const orders = await deps.db.selectFrom('orders').select('status').execute();
			const complete = orders.filter(({ status }) => status === 'Complete').length;
			expect(response.json()).toEqual({
				total: orders.length,
				complete,
				pending: orders.length - complete,
				totalSales: orders.length * 499,
				verifiedSales: complete * 499,
			});
		},
	},
	'GET /api/orders-days': {
		request: () => ({ url: '/api/orders-days?days=1' }),
		async check({ deps }, response) {
			const orders = await deps.db.selectFrom('orders').select('status').execute();
			const complete = orders.filter(({ status }) => status === 'Complete').length;
			expect(response.json()).toMatchObject({
				items: [{ orders: orders.length, totalSales: orders.length * 499, verifiedSales: complete * 499 }],
			});
		},
	},
	'GET /api/orders.csv': {
		request: () => ({ url: '/api/orders.csv?search=unpaid' }),
		check(_world, response) {
			expect(response.headers['content-type']).toContain('text/csv');
			expect(response.body.trim().split('\r\n')).toHaveLength(2);
			expect(response.body).toContain('asha@examplebank');
		},
	},
	'POST /api/orders-complete': {
		async request(world) {
			const { id } = await freshOrder(world);
			return { url: '/api/orders-complete', body: { orders: [{ id, version: 1 }] }, target: id };
		},
		async check({ deps }, response, { target = '' }) {
			expect(response.json()).toEqual({ items: [{ id: target, outcome: 'done' }] });
			const row = await deps.db.selectFrom('orders').select('status').where('id', '=', target).executeTakeFirst();
			expect(row).toEqual({ status: 'Complete' });
		},
	},
	'POST /api/orders-statement': {
		request() {
			const bytes = Buffer.from(plainStatement([['UPI/632600000001/SOMEBODY', '499.00']]));
			const form = multipart({}, { field: 'file', name: 'statement.csv', type: 'text/csv', bytes });
			return { url: '/api/orders-statement', body: form.body, headers: form.headers };
		},
		check: (_world, response) =>
			expect(response.json()).toMatchObject({ state: 'read', lines: [{ line: 2, amount: 499, kind: 'missing' }] }),
	},
	'GET /api/orders/:id/row': {
		request: (world) => ({ url: `/api/orders/${world.order.id}/row` }),
		check: (world, response) =>
			expect(response.json()).toMatchObject({ id: world.order.id, upiId: 'asha@examplebank' }),
	},
	'GET /api/orders/:id/proofs': {
		request: (world) => ({ url: `/api/orders/${world.order.id}/proofs` }),
		check(world, response) {
			const url = `/api/proofs/${world.order.proofId}/image`;
			expect(response.json()).toMatchObject([{ id: world.order.proofId, url }]);
		},
	},
	'PUT /api/orders/:id': {
		async request(world) {
			const { id, email } = await freshOrder(world);
			const body = { name: 'New Name', email, phone: '1', upiId: 'new@bank', status: 'Complete', version: 1 };
			return { url: `/api/orders/${id}`, body, target: id };
		},
		async check({ deps }, response, { target = '' }) {
			expect(response.json()).toMatchObject({
				id: target,
				name: 'New Name',
				upiId: 'new@bank',
				status: 'Complete',
				version: 2,
			});
			const row = await deps.db
				.selectFrom('orders')
				.select(['name', 'status'])
				.where('id', '=', target)
				.executeTakeFirst();
			expect(row).toEqual({ name: 'New Name', status: 'Complete' });
		},
	},
	'POST /api/orders/:id/note': {
		async request(world) {
			const { id } = await freshOrder(world);
			const body = { note: 'The amount cannot be read.', was: null, isProofWanted: true };
			return { url: `/api/orders/${id}/note`, body, target: id };
		},
		async check({ deps }, response, { target = '' }) {
			expect(response.json()).toMatchObject({ id: target, note: 'The amount cannot be read.', isProofWanted: true });
			const row = await deps.db.selectFrom('orders').select('note').where('id', '=', target).executeTakeFirst();
			expect(row).toEqual({ note: 'The amount cannot be read.' });
		},
	},
	'DELETE /api/orders/:id': {
		async request(world) {
			const { id } = await freshOrder(world);
			return { url: `/api/orders/${id}`, target: id };
		},
		async check({ deps }, response, { target = '' }) {
			expect(response.json()).toEqual({});
			expect(await deps.db.selectFrom('orders').select('id').where('id', '=', target).execute()).toEqual([]);
		},
	},
	'GET /api/proofs/:id/image': {
		request: (world) => ({ url: `/api/proofs/${world.order.proofId}/image` }),
		hasRanges: true,
		check: (_world, { statusCode, rawPayload }) => {
			expect(statusCode).toBe(200);
			expect(rawPayload).toEqual(proofBytes);
		},
	},
	'GET /api/settings/book': {
		request: () => ({ url: '/api/settings/book' }),
		check: (_world, response) => {
			expect(response.json()).toMatchObject({ title: 'Build Your Empire', bookFiles: [{ name: 'part-1.pdf' }] });
		},
	},
	'GET /api/settings/book/editions': {
		request: () => ({ url: '/api/settings/book/editions' }),
		check: (_world, response) => expect(response.json()).toEqual({ items: expect.any(Array) }),
	},
	'PUT /api/settings/book': {
		async request(world) {
			const current = (await world.send('D', 'GET', { url: '/api/settings/book' })).json();
			const { title, originalPrice, discountedPrice, bank, version } = current;
			const body = { title, originalPrice, discountedPrice, bank, editions: [], version };
			return { url: '/api/settings/book', body, target: String(version) };
		},
		async check({ deps }, response, { target }) {
			expect(response.json()).toEqual({ version: Number(target) + 1 });
			const row = await deps.db.selectFrom('settings').select('version').where('key', '=', 'book').executeTakeFirst();
			expect(row?.version).toBe(Number(target) + 1);
		},
	},
	'GET /api/settings/outline-pairs': {
		request: () => ({ url: '/api/settings/outline-pairs' }),
		check: (_world, response) =>
			expect(response.json()).toMatchObject({
				parts: [
					{ part: 1, hi: null, byHand: [] },
					{ part: 2, en: null, hi: null },
				],
			}),
	},
	'PUT /api/settings/outline-pairs': {
		async request(world) {
			const { version } = (await world.send('D', 'GET', { url: '/api/settings/outline-pairs' })).json();
			return { url: '/api/settings/outline-pairs', body: { parts: [], version }, target: String(version) };
		},
		async check({ deps }, response, { target }) {
			expect(response.json()).toEqual({ version: Number(target) + 1 });
			const row = await deps.db
				.selectFrom('settings')
				.select('version')
				.where('key', '=', 'outline-pairs')
				.executeTakeFirst();
			expect(row?.version).toBe(Number(target) + 1);
		},
	},
	'GET /api/settings/storefront': {
		request: () => ({ url: '/api/settings/storefront' }),
		check: (_world, response) => expect(response.json()).toMatchObject({ ...storefrontDefaults, version: 0 }),
	},
	'PUT /api/settings/storefront': {
		async request(world) {
			const { version } = (await world.send('D', 'GET', { url: '/api/settings/storefront' })).json();
			return { url: '/api/settings/storefront', body: { ...storefrontDefaults, version }, target: String(version) };
		},
		async check({ deps }, response, { target }) {
			expect(response.json()).toEqual({ version: Number(target) + 1 });
			const row = await deps.db
				.selectFrom('settings')
				.select('version')
				.where('key', '=', 'storefront')
				.executeTakeFirst();
			expect(row?.version).toBe(Number(target) + 1);
		},
	},
	'GET /api/settings/films': {
		request: () => ({ url: '/api/settings/films' }),
		check: (_world, response) =>
			expect(response.json()).toMatchObject({ films: { benefits: { film: null } }, version: 1 }),
	},
	'PUT /api/settings/films/:film': {
		async request(world) {
			const body = { title: { en: 'Five habits', hi: '' }, version: await videoVersion(world) };
			return { url: '/api/settings/films/benefits', body, target: String(body.version) };
		},
		check: checkVideoVersion,
	},
	'POST /api/settings/films/:film/remove': {
		async request(world) {
			const version = await videoVersion(world);
			const body = { part: 'captions-en', version };
			return { url: '/api/settings/films/benefits/remove', body, target: String(version) };
		},
		check: checkVideoVersion,
	},
	'POST /api/settings/films/:film/:part': {
		async request(world) {
			const bytes = await readMp4();
			const form = multipart({}, { field: 'file', name: 'film.mp4', type: 'text/html', bytes });
			const version = await videoVersion(world);
			const url = `${videoPartPath('benefits', 'film')}?version=${version}`;
			return { url, body: form.body, headers: form.headers, target: String(version) };
		},
		check: checkVideoVersion,
	},
	'POST /api/settings/qr': {
		request() {
			const form = multipart(
				{},
				{ field: 'file', name: 'qr.txt', type: 'image/png', bytes: Buffer.from('no picture') },
			);
			return { url: '/api/settings/qr', body: form.body, headers: form.headers };
		},
		async check({ deps }, response) {
			expect(response.json()).toEqual({ qrCodeUrl: null });
			const row = await deps.db
				.selectFrom('settings')
				.select('value')
				.where('key', '=', 'book')
				.executeTakeFirstOrThrow();
			expect(JSON.parse(row.value).qr.isImage).toBe(false);
		},
	},
	'GET /api/outbox/status': {
		request: () => ({ url: '/api/outbox/status' }),
		check: (_world, response) => expect(response.json()).toMatchObject({ transport: 'file', lastError: null }),
	},
	'POST /api/outbox/test': {
		request: () => ({ url: '/api/outbox/test', body: {} }),
		check: (world, response) => expect(response.json()).toEqual({ to: world.emails.D, result: 'file', error: null }),
	},
	'GET /api/settings/mail': {
		request: () => ({ url: '/api/settings/mail' }),
		check: (_world, response) =>
			expect(response.json()).toMatchObject({ isOrderMailed: true, isChatMailed: true, orderMailTo: '', seller: '' }),
	},
	'PUT /api/settings/mail': {
		request: () => ({
			url: '/api/settings/mail',
			body: { isOrderMailed: false, isChatMailed: false, orderMailTo: 'desk@example.com', seller: 'Rohan', version: 0 },
		}),
		async check({ deps }, response) {
			expect(response.json()).toEqual({ version: 1 });
			const row = await deps.db.selectFrom('settings').select('value').where('key', '=', 'mail').executeTakeFirst();
			expect(JSON.parse(row?.value ?? '')).toMatchObject({
				orderMailTo: 'desk@example.com',
				isOrderMailed: false,
				isChatMailed: false,
			});
		},
	},
	'GET /openapi.json': {
		request: () => ({ url: '/openapi.json' }),
		check: (_world, response) => expect(response.json()).toMatchObject({ info: { title: 'Folio' } }),
	},
	'GET /docs': {
		request: () => ({ url: '/docs' }),
		check: (_world, { statusCode, body }) => {
			expect(statusCode).toBe(200);
			expect(body).toContain('/api/sign-in');
		},
	},
};
