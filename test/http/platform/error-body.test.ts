import { describe, expect, test } from 'vitest';
import { createHttpClient } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { makeSignedInUser } from '../../support/app/users.ts';

const { testApp, admin } = await openTestApp();
const { client: member } = await makeSignedInUser(testApp, 'member@example.com');
const { id, client: deactivated } = await makeSignedInUser(testApp, 'deactivated@example.com');
await admin.call('POST', `/api/users/${id}/active`, { active: false });
const clients = { anonymous: createHttpClient(testApp.app), member, deactivated, admin };

const json = { 'content-type': 'application/json' };
const form = 'multipart/form-data; boundary=x';

// The specified response of both calls is {success, error}, and clients may read only these fields.
describe.each(['/delete-user-all', '/api/insta-credentials/add'])('POST %s', (url) => {
	test.each<[string, keyof typeof clients, unknown, Record<string, string>, number]>([
		['without a session', 'anonymous', {}, {}, 401],
		['as a member', 'member', {}, {}, 403],
		['after a deactivation', 'deactivated', {}, {}, 403],
		['from another site', 'admin', {}, { origin: 'http://elsewhere.test' }, 403],
		['as plain text', 'admin', '{}', { 'content-type': 'text/plain' }, 415],
		['as a form', 'admin', 'uid=x', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
		['as a form with files', 'admin', '--x--', { 'content-type': form }, 415],
		['as a part of an upload', 'admin', '{}', { 'content-type': 'application/offset+octet-stream' }, 415],
		['as a batch of files', 'admin', '{}', { 'content-type': 'application/vnd.folio.files' }, 415],
		['with broken JSON', 'admin', '{"uid":', json, 422],
		['with an array instead of an object', 'admin', '[]', json, 422],
		['with a body that is too large', 'admin', `{"uid":"${'x'.repeat(70_000)}"}`, json, 413],
	])(
		'returns success: false and an error in the right language for a request %s',
		async (_what, who, body, headers, status) => {
			const answer = await clients[who].call('POST', url, body, headers);
			expect(answer.statusCode).toBe(status);
			const errorBody = answer.json();
			expect(errorBody).toMatchObject({
				success: false,
				error: expect.stringMatching(/\S/u),
				code: expect.any(String),
				status,
			});
			expect(errorBody.error).toBe(errorBody.message);
			const hindi = await clients[who].call('POST', `${url}?lang=hi`, body, headers);
			expect(hindi.json().error).toMatch(/\p{Script=Devanagari}/u);
		},
	);
});

test('other calls return error bodies without the field success', async () => {
	const answer = await clients.anonymous.call('GET', '/api/users');
	expect(answer.statusCode).toBe(401);
	expect(answer.json()).not.toHaveProperty('success');
});
