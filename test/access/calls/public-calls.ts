import sharp from 'sharp';
import { expect } from 'vitest';
import { legalPages } from '#contract/storefront/landing.ts';
import { videoKeys, videoPagePath } from '#contract/storefront/video-parts.ts';
import { findRows } from '../../support/app/database-rows.ts';
import { multipart } from '../../support/app/http-client.ts';
import { testPassword } from '../../support/app/users.ts';
import { makePicture } from '../../support/documents/images.ts';
import { captions } from '../../support/documents/videos.ts';
import { type AccessCalls, call, equals, forNewUser, leavesRows, sends, sendsRanges, shows } from './access-call.ts';

export const publicCalls: AccessCalls = {
	'GET /': call({}, shows('₹499', 'Get Instant Access')),
	...Object.fromEntries(
		legalPages.map((page) => {
			const canonical = `<link rel="canonical" href="http://folio.test/${page}?lang=en"/>`;
			return [`GET /${page}`, call({}, shows(canonical))];
		}),
	),
	'GET /api/book': call(
		{},
		equals(({ fixture }) => ({
			title: 'Build Your Empire',
			originalPrice: 999,
			discountedPrice: 499,
			bank: { name: 'Sample Bank', accountNumber: '1234567890', ifsc: 'SAMP0000001', accountHolder: 'Owner' },
			upi: { id: '', name: '' },
			qrCodeUrl: fixture.qrUrl,
			utrRequest: 'wanted',
		})),
	),
	'GET /api/qr/:id': call(
		(fixture) => fixture.qrUrl,
		async (_world, { statusCode, headers, rawPayload }) => {
			expect(statusCode).toBe(200);
			expect(headers['content-type']).toBe('image/png');
			expect(await sharp(rawPayload).metadata()).toMatchObject({ format: 'png', width: 8, height: 8 });
		},
		sendsRanges,
	),
	'GET /api/films/:id': call(
		(fixture) => fixture.captionsUrl,
		sends(Buffer.from(captions), 'text/vtt; charset=utf-8'),
		sendsRanges,
	),
	'GET /storefront/images/:id/:name': call(
		(fixture) => fixture.pictureUrl,
		async (_world, { headers, rawPayload }) => {
			expect(headers['content-type']).toBe('image/png');
			expect(await sharp(rawPayload).metadata()).toMatchObject({ format: 'png', width: 512, height: 512 });
		},
		sendsRanges,
	),
	...Object.fromEntries(videoKeys.map((film) => [`GET ${videoPagePath(film)}`, call({}, shows('<video '))])),
	'POST /purchase': call(
		async (fixture) => {
			const { email } = await fixture.freshUser();
			const form = multipart(
				{ name: 'Asha Rao', phone: '98230 55512', email, upiId: 'asha@examplebank', price: '1' },
				{ field: 'screenshot', name: 'paid.png', type: 'image/png', bytes: await makePicture('png') },
			);
			const headers = { ...form.headers, accept: 'application/json' };
			return { body: form.body, headers, target: email };
		},
		equals({
			message: 'Purchase Complated Id Password sent on Email',
			statusUrl: expect.stringMatching(/^\/order\/[\w-]{43}$/u),
			code: expect.stringMatching(/^[A-Z]{3}-\w{4}-\w{2}$/u),
		}),
		leavesRows('orders', (email) => ({ email }), [{ price_paise: 49_900 }]),
	),
	'POST /api/sign-in': call(
		forNewUser(({ email }) => ({ email, password: testPassword }), 'email'),
		(_world, response, { target }) => {
			expect(response.json()).toMatchObject({ email: target, role: 'user' });
			expect(response.headers['set-cookie']).toEqual([
				expect.stringMatching(/^folio_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/u),
				expect.stringMatching(
					/^folio_device=(?:[\w-]{22}\.[\w-]{22}~?)+; Max-Age=31536000; Path=\/api; HttpOnly; SameSite=Lax$/u,
				),
			]);
		},
	),
	'POST /api/sign-out': call(
		async (fixture, actor) => {
			const { cookie } = actor === 'A' || actor === 'I' ? { cookie: undefined } : await fixture.freshSession();
			return { body: {}, cookie };
		},
		async (fixture, response, { cookie }) => {
			expect(response.json()).toEqual({});
			if (cookie !== undefined)
				expect((await fixture.send('A', 'GET', { url: '/api/me', cookie })).statusCode).toBe(401);
		},
	),
	'POST /api/password/request-reset': call(
		forNewUser(({ email }) => ({ email }), 'email'),
		equals({}),
		async ({ deps }, _response, { target }) => {
			const jobs = await findRows(deps, 'jobs');
			expect(jobs.map(({ payload }) => JSON.parse(payload).emailKey)).toContain(target);
		},
	),
	'POST /api/password/check-link': call(
		async (fixture) => ({ body: { token: (await fixture.freshLink()).token } }),
		equals({ isUsable: true }),
	),
	'POST /api/password/set': call(
		async (fixture) => {
			const { token, email } = await fixture.freshLink();
			return { body: { token, password: 'another word' }, target: email };
		},
		async (fixture, response, { target }) => {
			expect(response.json()).toEqual({});
			const body = { email: target, password: 'another word' };
			expect((await fixture.send('A', 'POST', { url: '/api/sign-in', body })).statusCode).toBe(200);
		},
	),
};
