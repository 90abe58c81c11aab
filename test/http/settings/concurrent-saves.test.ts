import { beforeEach, expect, test } from 'vitest';
import { findRows } from '../../support/app/database-rows.ts';
import { postFile } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { makePicture } from '../../support/documents/images.ts';

const { deps, admin } = await openTestApp();
// Each test needs a first save, for which PostgreSQL has no row to lock.
beforeEach(async () => {
	await deps.db.deleteFrom('settings').execute();
});

const simultaneous = Array.from({ length: 8 });
const save = (path: string, body: object) => admin.call('PUT', path, body);

test.each([
	['book', '/api/settings/book', { editions: [] }],
	['mail', '/api/settings/mail', {}],
	['visits', '/api/settings/visits', {}],
	['files', '/api/settings/files', {}],
] as [key: string, path: string, changes: object][])(
	'accepts one of eight simultaneous first saves of the settings (%s), and returns 409 for the others',
	async (key, path, changes) => {
		const first = (await admin.call('GET', path)).json();
		expect(first.version).toBe(0);
		const answers = await Promise.all(simultaneous.map(() => save(path, { ...first, ...changes })));
		const outcomes = answers.map((answer) => answer.json().code ?? answer.statusCode);
		expect(outcomes.sort()).toEqual([200, ...Array<string>(7).fill('STALE')]);
		expect((await admin.call('GET', path)).json().version).toBe(1);
		expect(await findRows(deps, 'audit', { subject_kind: 'settings', subject_id: key })).toHaveLength(1);
	},
);

test('keeps a QR code that is uploaded while the settings are saved for the first time', async () => {
	const { version, ...book } = (await admin.call('GET', '/api/settings/book')).json();
	const picture = await makePicture();
	const uploads = simultaneous.map(() => postFile(admin, '/api/settings/qr', 'qr.png', picture));
	const saves = simultaneous.map(() => save('/api/settings/book', { ...book, title: 'Mine', editions: [], version }));
	const answers = await Promise.all([...uploads, ...saves]);
	const isSaved = answers.slice(simultaneous.length).some(({ statusCode }) => statusCode === 200);
	expect((await admin.call('GET', '/api/settings/book')).json()).toMatchObject({
		title: isSaved ? 'Mine' : book.title,
		qrCodeUrl: expect.stringContaining('/api/qr/'),
		version: simultaneous.length + (isSaved ? 1 : 0),
	});
});
