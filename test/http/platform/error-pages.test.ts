import { expect, test } from 'vitest';
import { createHttpClient, type HttpClient } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { makeSignedInUser } from '../../support/app/users.ts';
import { makeTextFile } from '../../support/fixtures/files.ts';

const { testApp, deps, admin, adminId } = await openTestApp();
const { id: memberId, client: member } = await makeSignedInUser(testApp, 'member@example.com');
const fileUrl = `/api/files/${await makeTextFile(deps, adminId, 'theirs.txt', 'theirs')}/content?download=1`;

const navigation = { 'sec-fetch-mode': 'navigate', accept: 'text/html,*/*' };
const open = (client: HttpClient, url: string, headers: Record<string, string> = navigation) =>
	client.call('GET', url, undefined, headers);

const absent = '/api/files/AAAAAAAAAAAAAAAAAAAAAA/content';
const gone = ['This no longer exists', 'यह अब मौजूद नहीं है'] as const;
const noAccess = ['You may not open this', 'आप इसे नहीं खोल सकते'] as const;
const failed = ['This could not be opened', 'यह नहीं खुल सका'] as const;
const signInAgain = ['Please sign in again.', 'कृपया दोबारा साइन इन करें।'] as const;

test.each<[string, HttpClient, url: string, status: number, titles: readonly [string, string], linkPath: string]>([
	['a deleted file', member, absent, 404, gone, '/dashboard'],
	['a file of another user', member, fileUrl, 404, gone, '/dashboard'],
	['a thumbnail of another user', member, fileUrl.replace(/content.*/u, 'thumb'), 404, gone, '/dashboard'],
	['an archive of a deleted file', member, '/api/archive?ids=AAAAAAAAAAAAAAAAAAAAAA', 404, gone, '/dashboard'],
	['an edition without a file', admin, '/api/editions/part-1-en/content', 404, gone, '/admin'],
	['a file without a session', createHttpClient(testApp.app), fileUrl, 401, signInAgain, '/login'],
	['an image for admins', member, '/api/proofs/AAAAAAAAAAAAAAAAAAAAAA/image', 403, noAccess, '/dashboard'],
	['an invalid address', member, '/api/archive?ids=', 422, failed, '/dashboard'],
])('a browser that opens %s gets an error page', async (_what, client, url, status, titles, linkPath) => {
	for (const [index, locale] of (['en', 'hi'] as const).entries()) {
		const address = `${url}${url.includes('?') ? '&' : '?'}lang=${locale}`;
		const answer = await open(client, address);
		expect(answer.statusCode).toBe(status);
		expect(answer.headers).toMatchObject({
			'content-type': 'text/html; charset=utf-8',
			'cache-control': 'no-store',
			'x-content-type-options': 'nosniff',
		});
		expect(answer.headers['content-disposition']).toBeUndefined();
		expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
		expect(answer.body).toContain(`<html lang="${locale}">`);
		expect(answer.body).toContain(`<h1>${titles[index]}</h1>`);
		expect(answer.body).toContain(`<a href="${linkPath}">`);
		expect(answer.body).not.toContain('"code"');
		// Older browsers send no Sec-Fetch headers.
		expect((await open(client, address, { accept: 'text/html' })).body).toContain(`<h1>${titles[index]}</h1>`);
		for (const headers of [{ accept: '*/*' }, { ...navigation, 'sec-fetch-mode': 'cors' }]) {
			expect((await open(client, address, headers)).json()).toMatchObject({ status });
		}
	}
});

test('a browser gets the file for a permitted link, and JSON errors for API calls', async () => {
	const answer = await open(admin, fileUrl);
	expect([answer.statusCode, answer.body]).toEqual([200, 'theirs']);
	expect((await open(member, '/api/spaces/nobody@example.com/nodes')).json()).toMatchObject({ code: 'NOT_FOUND' });
	expect((await open(member, '/api/nothing')).json()).toMatchObject({ code: 'NOT_FOUND' });
});

test('a deactivated member gets an error page about the inactive account', async () => {
	await admin.call('POST', `/api/users/${memberId}/active`, { active: false });
	const answer = await open(member, fileUrl);
	expect(answer.statusCode).toBe(403);
	expect(answer.body).toContain('Your account is not active.');
	expect(answer.body).toContain('<a href="/login">');
});

test('a user whose session has expired gets an error page that asks them to sign in', async () => {
	const { client } = await makeSignedInUser(testApp, 'late@example.com');
	testApp.clock.advance(400 * 24 * 3600);
	const answer = await open(client, fileUrl);
	expect(answer.statusCode).toBe(401);
	expect(answer.body).toContain('Your session is over. Sign in, then open the link once more.');
});
