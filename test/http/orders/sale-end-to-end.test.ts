import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttpClient, multipart } from '../../support/app/http-client.ts';
import { createTestApp, type TestApp } from '../../support/app/test-app.ts';
import { makeUser, testPassword } from '../../support/app/users.ts';
import { disableOrderMails } from '../../support/fixtures/orders.ts';

let world: TestApp;

beforeAll(async () => {
	world = await createTestApp();
	await makeUser(world.deps, 'owner@example.com', 'admin');
	await disableOrderMails(world.deps);
});
afterAll(() => world.close());

const fields = {
	name: 'Meera Nair',
	phone: '98230 55512',
	email: 'meera.nair@example.com',
	upiId: 'meera.nair@examplebank',
	price: '1',
	status: 'Complete',
};

async function buy(overrides: Record<string, string> = {}) {
	const bytes = await readFile('demo/pictures/receipt-01-meera-nair.jpg');
	const form = multipart(
		{ ...fields, ...overrides },
		{ field: 'screenshot', name: 'receipt.jpg', type: 'image/jpeg', bytes },
	);
	return createHttpClient(world.app).call('POST', '/purchase', form.body, {
		...form.headers,
		accept: 'application/json',
	});
}

test("a sale works from the purchase form to the open book and a password of the buyer's choice", async () => {
	const answer = await buy();
	expect(answer.json().message).toBe('Purchase Complated Id Password sent on Email');
	expect(answer.statusCode).toBe(200);

	const [mail] = await world.runDueWork();
	const password = /Password: (\S+)/u.exec(mail?.text ?? '')?.[1] ?? '';
	const token = /#token=(\S+)/u.exec(mail?.text ?? '')?.[1] ?? '';
	expect(mail?.to?.[0]?.address).toBe('meera.nair@example.com');
	expect(mail?.text).toContain('http://folio.test/set-password');

	const owner = createHttpClient(world.app);
	await owner.signIn('owner@example.com', testPassword);
	const { items } = (await owner.call('GET', '/api/orders')).json();
	expect(items).toHaveLength(1);
	expect(items[0]).toMatchObject({
		name: 'Meera Nair',
		price: 499,
		totalPrice: 499,
		status: 'Pending',
		proofCount: 1,
		oddFields: [],
	});

	const buyer = createHttpClient(world.app);
	await expect(buyer.signIn('meera.nair@example.com', 'Meera Nair')).rejects.toThrow('LOGIN_FAILED');
	await buyer.signIn('meera.nair@example.com', password);
	expect((await buyer.call('GET', '/api/shelf')).json()).toMatchObject({ access: 'pending', editions: [] });

	const { id, name, email, phone, upiId, version } = items[0];
	const updated = await owner.call('PUT', `/api/orders/${id}`, {
		name,
		email,
		phone,
		upiId,
		status: 'Complete',
		version,
	});
	expect(updated.json()).toMatchObject({ status: 'Complete', version: version + 1 });
	const stale = await owner.call('PUT', `/api/orders/${id}`, { name, email, phone, upiId, status: 'Pending', version });
	expect(stale.statusCode).toBe(409);
	expect((await buyer.call('GET', '/api/shelf')).json()).toMatchObject({ access: 'open' });

	const set = await buyer.call('POST', '/api/password/set', { token, password: 'my own words' });
	expect(set.statusCode).toBe(200);
	const again = await buyer.call('POST', '/api/password/set', { token, password: 'another word' });
	expect(again.json()).toMatchObject({ code: 'LINK_INVALID' });
	expect((await buyer.call('GET', '/api/me')).statusCode).toBe(401);
	await buyer.signIn('meera.nair@example.com', 'my own words');
});

test('the landing page is rendered on the server with the price of the settings', async () => {
	const page = await createHttpClient(world.app).call('GET', '/');
	expect(page.statusCode).toBe(200);
	expect(page.headers['content-type']).toContain('text/html');
	expect(page.body).toContain('₹499');
});
