import { describe, expect, test } from 'vitest';
import { up as moveContactEmail } from '#server/platform/database/migrations/steps/0013-one-contact-info.ts';
import { listen, openEventStream } from '../../support/app/event-streams.ts';
import { createHttpClient } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { makeSignedInUser } from '../../support/app/users.ts';

const { testApp, admin } = await openTestApp();
const { client: member } = await makeSignedInUser(testApp, 'member@example.com');

const readContactInfo = async () => (await member.call('GET', '/api/contact-info')).json();
const save = (body: object) => admin.call('PUT', '/api/settings/contact-info', body);

describe('contact info', () => {
	test('is empty at first, contains what the owner has saved, and refuses a stale save', async () => {
		expect(await readContactInfo()).toEqual({ email: '', phone: '', version: 0 });
		const body = { email: ' help@books.example ', phone: ' +91 98000 12345 ', version: 0 };
		expect((await save(body)).json()).toEqual({ version: 1 });
		expect(await readContactInfo()).toEqual({ email: 'help@books.example', phone: '+91 98000 12345', version: 1 });
		const late = await save(body);
		expect([late.statusCode, late.json().code]).toEqual([409, 'STALE']);
		const [entry] = (await admin.call('GET', '/api/audit?kind=settings&limit=1')).json().items;
		expect(entry).toMatchObject({ action: 'contact-info-saved', kind: 'settings' });
	});

	test.each<[body: object, fields: object]>([
		[{ email: 'nobody', phone: '' }, { email: 'Enter a full address, like name@example.com.' }],
		[{ email: 'a@b.c?bcc=x"onmouseover="', phone: '' }, { email: 'Enter a full address, like name@example.com.' }],
		[{ email: '', phone: '9'.repeat(41) }, { phone: 'This is too long.' }],
		...['1\n2', '\u202e12', '1\0'].map((phone): [object, object] => [
			{ email: '', phone },
			{ phone: expect.any(String) },
		]),
	])('refuses %j with a field error', async (body, fields) => {
		const { version } = await readContactInfo();
		const answer = await save({ ...body, version });
		expect([answer.statusCode, answer.json().fields]).toEqual([422, fields]);
	});

	test('is linked on the storefront pages immediately', async () => {
		const visitor = createHttpClient(testApp.app);
		expect((await visitor.call('GET', '/')).body).not.toContain('hello@books.example');
		const { version } = await readContactInfo();
		await save({ email: 'hello@books.example', phone: '+91 (0) 98-000', version });
		for (const page of ['/', '/privacy']) {
			const { body } = await visitor.call('GET', page);
			expect(body, page).toContain('<a href="mailto:hello@books.example">hello@books.example</a>');
			expect(body, page).toContain('<a href="tel:+9198000">+91 (0) 98-000</a>');
		}
	});

	test('is shown without a link when the phone field contains no number', async () => {
		const { version } = await readContactInfo();
		await save({ email: '', phone: 'on request', version });
		const { body } = await createHttpClient(testApp.app).call('GET', '/');
		expect(body).toContain('<li>on request</li>');
		expect(body).not.toContain('href="tel:');
	});

	test('is migrated from the contact email of the storefront settings, unless contact info was saved before', async () => {
		const { db } = testApp.deps;
		await db.deleteFrom('settings').where('key', '=', 'contact-info').execute();
		const storefront = { socialLinks: [], chatUrl: '/contact', contactEmail: 'old@books.example' };
		const row = { key: 'storefront', value: JSON.stringify(storefront), version: 3, updated_at: '2026-01-01' };
		await db.insertInto('settings').values(row).execute();
		for (const email of ['old@books.example', 'new@books.example']) {
			await moveContactEmail(db as never);
			expect(await readContactInfo()).toMatchObject({ email, phone: '' });
			const stored = await db.selectFrom('settings').selectAll().where('key', '=', 'storefront').executeTakeFirst();
			expect(JSON.parse(stored?.value ?? '')).toEqual({ socialLinks: [], chatUrl: '/contact' });
			// A repeated migration must not overwrite the saved value.
			await save({ email: 'new@books.example', phone: '', version: (await readContactInfo()).version });
			await db.updateTable('settings').set({ value: row.value }).where('key', '=', 'storefront').execute();
		}
	});

	test('can be removed, which is published on event streams', async () => {
		const events = await openEventStream(await listen(testApp.app), member.cookie());
		const { version } = await readContactInfo();
		await save({ email: '', phone: '', version });
		expect(await events.waitFor('contact-info')).toEqual({ topic: 'contact-info' });
		expect(await readContactInfo()).toMatchObject({ email: '', phone: '' });
		events.close();
	});
});
