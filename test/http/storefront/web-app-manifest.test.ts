import { expect, test } from 'vitest';
import { createHttpClient } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { makeSignedInUser } from '../../support/app/users.ts';

const { world, admin } = await openTestApp();

test('the web app manifest has the title of the book and the language of the visitor', async () => {
	const visitor = createHttpClient(world.app);
	const english = await visitor.call('GET', '/manifest.webmanifest');
	expect(english.headers['content-type']).toBe('application/manifest+json; charset=utf-8');
	expect(english.json()).toMatchObject({
		id: '/dashboard',
		start_url: '/dashboard',
		scope: '/',
		display: 'standalone',
		lang: 'en',
		name: 'Build Your Empire',
	});
	const hindi = await world.app.inject({ url: '/manifest.webmanifest', headers: { cookie: 'lang=hi' } });
	expect(hindi.json()).toMatchObject({ lang: 'hi', name: expect.stringMatching(/[\u0900-\u097f]/u) });
	const icons = (english.json() as { icons: { src: string; purpose?: string }[] }).icons;
	expect(icons.map(({ purpose }) => purpose)).toContain('maskable');
	for (const { src } of icons) expect(world.app.routeList).toContainEqual(expect.objectContaining({ url: src }));

	const settings = (await admin.call('GET', '/api/settings/book')).json() as object;
	await admin.call('PUT', '/api/settings/book', { ...settings, title: 'Small Shops' });
	expect((await visitor.call('GET', '/manifest.webmanifest')).json()).toMatchObject({ name: 'Small Shops' });
});

test('the dashboard links to the manifest, and the landing page does not', async () => {
	const { client } = await makeSignedInUser(world, 'member@example.com');
	expect((await client.call('GET', '/dashboard')).body).toContain('rel="manifest"');
	const landing = (await createHttpClient(world.app).call('GET', '/')).body;
	expect(landing).toContain('<title>');
	expect(landing).not.toMatch(/manifest|offline\.js|serviceWorker/u);
});
