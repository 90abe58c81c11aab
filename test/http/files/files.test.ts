import { describe, expect, test } from 'vitest';
import type { Node } from '#contract/files/files.ts';
import { createHttpClient } from '../../support/app/http-client.ts';
import { type Page, readPages } from '../../support/app/lists.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { makeUser, testPassword } from '../../support/app/users.ts';
import { makeFile, makeFolder, makeTextFile, tinyPdf } from '../../support/fixtures/files.ts';

const { testApp, deps, admin } = await openTestApp();
let count = 0;

async function newSpace(): Promise<{ id: string; email: string }> {
	count += 1;
	const email = `space-${count}@example.com`;
	return { email, id: await makeUser(deps, email) };
}

async function list(owner: string, query: Record<string, string> = {}) {
	const response = await admin.call('GET', `/api/spaces/${owner}/nodes?${new URLSearchParams(query)}`);
	return response.json() as Page<Node> & { totals: unknown; breadcrumb: unknown };
}
const namesIn = async (owner: string, query?: Record<string, string>) =>
	(await list(owner, query)).items.map(({ name }) => name);
const createFolder = (owner: string, name: string, path = '') =>
	admin.call('POST', `/api/spaces/${owner}/folders`, { name, path });

// The order in section 9 of the specification: by numeric prefix, then alphabetically, ignoring case.
const ordered = [
	'007 bond.txt',
	'9 lives.txt',
	'10 green bottles.txt',
	'0100.txt',
	'100.txt',
	'99999999999999999999.txt',
	'100000000000000000000.txt',
	'_under.txt',
	'Apple.txt',
	'apricot.txt',
	'Banana.txt',
	'zebra.txt',
	'Éclair.txt',
	'अनार.txt',
	'आम.txt',
];

describe('the list of a folder', () => {
	test('has folders before files, and sorts names by leading number, then alphabetically, ignoring case', async () => {
		const { id, email } = await newSpace();
		const shuffled = ordered.map((name, i) => ordered[(i * 7) % ordered.length] ?? name);
		for (const name of shuffled) await makeFile(deps, { ownerId: id, name, bytes: Buffer.from('x') });
		for (const name of ['Zoo', '2 second', '10 tenth']) await makeFolder(deps, email, name);
		const names = await namesIn(email, { limit: '1000' });
		expect(names.slice(0, 3)).toEqual(['2 second', '10 tenth', 'Zoo']);
		// Names with the same number are sorted by their random IDs.
		const withoutSameNumber = (list: string[]) => list.filter((name) => !/^0?100\.txt$/u.test(name));
		expect(withoutSameNumber(names.slice(3))).toEqual(withoutSameNumber(ordered));
		for (const limit of [1, 2, 7]) {
			const pages = await readPages<Node>(admin, `/api/spaces/${email}/nodes?limit=${limit}`);
			for (const { items } of pages) expect(items.length).toBeLessThanOrEqual(limit);
			expect(pages.flatMap(({ items }) => items.map(({ name }) => name))).toEqual(names);
		}
	});

	test.each<Record<string, string>>([
		{},
		{ sort: 'size', order: 'desc' },
		{ sort: 'date', order: 'asc' },
		{ type: 'pdf' },
		{ search: 'part' },
	])('contains new files when the page between two cursors is read again: %o', async (query) => {
		const { id, email } = await newSpace();
		for (let at = 0; at < 4; at += 1) await makeFolder(deps, email, `part ${2 * at}`);
		const make = (at: number) => makeFile(deps, { ownerId: id, name: `part ${at}.pdf`, bytes: Buffer.alloc(10 + at) });
		for (let at = 0; at < 8; at += 1) await make(2 * at);
		const readList = async (more: Record<string, string>) => {
			const page = await list(email, { limit: '3', ...query, ...more });
			return { names: page.items.map(({ name }) => name), next: page.nextCursor ?? '' };
		};
		const first = await readList({});
		const second = await readList({ cursor: first.next });
		const third = await readList({ cursor: second.next });
		const between = { cursor: first.next, until: second.next, limit: '1000' };
		expect(await readList(between)).toEqual({ names: second.names, next: '' });
		const both = { names: [...first.names, ...second.names], next: '' };
		expect(await readList({ until: second.next, limit: '1000' })).toEqual(both);
		for (let at = 0; at < 8; at += 1) await make(2 * at + 1);
		await makeFolder(deps, email, 'part 5');
		const whole = (await readList({ limit: '1000' })).names;
		const now = (await readList(between)).names;
		const from = whole.indexOf(first.names.at(-1) ?? '') + 1;
		expect(now).toEqual(whole.slice(from, whole.indexOf(second.names.at(-1) ?? '') + 1));
		expect(third.names.some((name) => now.includes(name))).toBe(false);
	});

	test.each(['0', '1001', '-5', 'many'])('is refused with a page size of %s', async (limit) => {
		const response = await admin.call('GET', `/api/spaces/guest/nodes?limit=${limit}`);
		expect(response.json()).toMatchObject({ status: 422, fields: { limit: expect.any(String) } });
	});

	test.each([
		'nonsense',
		Buffer.from('[1e300,"x",null]').toString('base64url'),
		Buffer.from('[1e300,"x","y"]').toString('base64url'),
	])('does not cause a server error for the cursor %s', async (cursor) => {
		for (const name of ['cursor', 'until'])
			expect((await admin.call('GET', `/api/spaces/guest/nodes?${name}=${cursor}`)).statusCode).toBeOneOf([200, 422]);
	});

	test('is filtered by name and file type, and has the totals of the whole folder', async () => {
		const { id, email } = await newSpace();
		const endings = ['pdf', 'jpg', 'bmp', 'mp4', 'ogg', 'wav', 'm4a', 'docx', 'txt', 'zip', '7z', 'exe'];
		for (const ending of endings) await makeTextFile(deps, id, `Holiday.${ending.toUpperCase()}`, '12');
		await makeFolder(deps, email, 'Holiday folder');
		const byType = async (type: string) =>
			(await namesIn(email, { type })).map((name) => name.split('.')[1]?.toLowerCase());
		expect(await byType('pdf')).toEqual(['pdf']);
		expect(await byType('images')).toEqual(['jpg']);
		expect(await byType('videos')).toEqual(['mp4']);
		expect(await byType('audio')).toEqual(['ogg', 'wav']);
		expect(await byType('documents')).toEqual(['docx', 'txt']);
		expect(await byType('compressed')).toEqual(['7z', 'zip']);
		const found = await list(email, { search: ' HOLIDAY.P' });
		expect(found).toMatchObject({ items: [{ name: 'Holiday.PDF' }], totals: { folders: 1, files: 12, size: 24 } });
		expect(await namesIn(email, { search: '%' })).toEqual([]);
		expect(await namesIn(email, { search: 'holiday', type: 'all' })).toHaveLength(13);
	});
});

describe('names of nodes', () => {
	const hindi = 'क'.repeat(85);
	test.each([
		['255 bytes of Hindi', hindi],
		['right-to-left marks', '\u202Egpj.exe\u200F'],
		['markup', '<script>alert(1)</script>'.replaceAll('/', '∕')],
		['emoji', '🏔️ शिखर 🏔️'],
		['a percent escape', '%2f%2e%2e'],
		['quotes', `"it's"; drop table nodes --`],
		['a formula', '=1+1'],
		['dots at both ends', '..hidden..'],
	])('may contain %s, and are returned as typed', async (_what, name) => {
		const { email } = await newSpace();
		const made = await createFolder(email, name);
		expect(made.json()).toMatchObject({ kind: 'folder', name });
		expect(await namesIn(email)).toEqual([name]);
	});

	const invalid = 'A name may not contain / or control characters, nor be only dots.';
	test.each([
		['no characters', '', 422, 'Folder name required'],
		['only spaces', ' \t ', 422, 'Folder name required'],
		['a path to the parent folder', '../x', 422, invalid],
		['a backslash', '..\\x', 422, invalid],
		['only dots', '..', 422, invalid],
		['NUL', 'a\0b', 422, invalid],
		['a line break', 'a\nb', 422, invalid],
		['a lone surrogate', 'a\uD800', 422, invalid],
		['258 bytes of Hindi', `${hindi}क`, 422, 'This name is too long: 255 bytes at most.'],
	])('are refused with a field error when they are invalid: %s', async (_what, name, status, message) => {
		const { email } = await newSpace();
		expect((await createFolder(email, name)).json()).toMatchObject({ status, message, fields: { name: message } });
		expect(await namesIn(email)).toEqual([]);
	});

	test.each([
		['the same', 'Plans', 'Plans'],
		['another case', 'Plans', 'pLANS'],
		['composed and decomposed', 'Caf\u00E9', 'Cafe\u0301'],
		['sharp s', 'Straße', 'STRASSE'],
		['surrounding spaces', 'Plans', ' Plans '],
	])(
		'are compared in normalized form, also the name of a folder with the name of a file: %s',
		async (_what, first, second) => {
			const { id, email } = await newSpace();
			expect((await createFolder(email, first)).statusCode).toBe(200);
			const duplicate = await createFolder(email, second);
			expect(duplicate.json()).toMatchObject({ status: 409, message: 'Name exists', fields: { name: 'Name exists' } });
			await expect(makeTextFile(deps, id, second.trim())).rejects.toThrow();
			expect(await namesIn(email)).toEqual([first]);
		},
	);

	test('can be changed without changes of the ID, path and content of a folder', async () => {
		const { id, email } = await newSpace();
		const folder = await makeFolder(deps, email, 'Old');
		await makeTextFile(deps, id, 'inside.txt', 'x', folder);
		await makeFolder(deps, email, 'Taken');
		const rename = (name: string) => admin.call('POST', `/api/nodes/${folder.id}/rename`, { name });
		expect((await rename('taken')).json()).toMatchObject({ status: 409, message: 'Name exists' });
		expect((await rename('  ')).json()).toMatchObject({ status: 422, message: 'Folder name required' });
		expect((await rename('OLD')).json()).toMatchObject({ name: 'OLD', realPath: folder.path, itemCount: 1 });
		expect((await rename('New')).json()).toMatchObject({ id: folder.id, name: 'New' });
		expect(await list(email, { path: folder.path })).toMatchObject({
			breadcrumb: [{ id: folder.id, name: 'New', path: folder.path }],
			items: [{ name: 'inside.txt' }],
		});
	});

	test('FOLDER_GONE is returned for a path that does not exist or belongs to another space', async () => {
		const otherSpace = await newSpace();
		const folder = await makeFolder(deps, otherSpace.email, 'Theirs');
		const { email } = await newSpace();
		for (const path of [folder.path, '1', `1/${folder.path}`, '..', '/', `${folder.path}/`, "1' or '1'='1"]) {
			const response = await admin.call('GET', `/api/spaces/${email}/nodes?path=${encodeURIComponent(path)}`);
			expect(response.json()).toMatchObject({ status: 404, code: 'FOLDER_GONE' });
			expect((await createFolder(email, 'x', path)).statusCode).toBe(404);
		}
	});
});

test('DELETE /api/nodes/:id deletes a folder with everything in it immediately, and no other folder', async () => {
	const { id, email } = await newSpace();
	const member = createHttpClient(testApp.app);
	await member.signIn(email, testPassword);
	const folder = await makeFolder(deps, email, '171');
	const deeper = await makeFolder(deps, email, 'deeper', folder.path);
	const beside = await makeFolder(deps, email, '1712');
	const inside = await makeTextFile(deps, id, 'a.txt', 'a', deeper);
	const outside = await makeTextFile(deps, id, 'b.txt', 'b', beside);
	const read = (file: string) => member.call('GET', `/api/files/${file}/content`);
	expect((await read(inside)).body).toBe('a');
	expect((await admin.call('DELETE', `/api/nodes/${folder.id}`)).json()).toEqual({});
	expect((await read(inside)).statusCode).toBe(404);
	expect((await read(outside)).body).toBe('b');
	expect((await member.call('GET', `/api/spaces/me/nodes?path=${deeper.path}`)).statusCode).toBe(404);
	expect(await namesIn(email)).toEqual(['1712']);
	expect((await admin.call('DELETE', `/api/nodes/${folder.id}`)).statusCode).toBe(404);
	// A new folder with this name is empty and has a different path.
	const again = (await createFolder(email, '171')).json();
	expect(again).toMatchObject({ itemCount: 0 });
	expect(again.realPath).not.toBe(folder.path);
	await admin.call('DELETE', `/api/nodes/${outside}`);
	expect((await read(outside)).statusCode).toBe(404);
});

describe('GET /api/files/:id/content', () => {
	const text = 'abcdefghij';
	const read = (id: string, headers: Record<string, string> = {}, query = '', method: 'GET' | 'HEAD' = 'GET') =>
		admin.call(method, `/api/files/${id}/content${query}`, undefined, headers);
	const makeText = async (name = 'ten.txt') => makeTextFile(deps, (await newSpace()).id, name, text);

	test.each<[range: string, status: number, body: string, contentRange?: string]>([
		['bytes=0-0', 206, 'a', 'bytes 0-0/10'],
		['bytes=2-4', 206, 'cde', 'bytes 2-4/10'],
		['bytes=7-', 206, 'hij', 'bytes 7-9/10'],
		['bytes=-3', 206, 'hij', 'bytes 7-9/10'],
		['bytes=-99', 206, text, 'bytes 0-9/10'],
		['bytes=5-99', 206, 'fghij', 'bytes 5-9/10'],
		['bytes=10-', 416, '', 'bytes */10'],
		['bytes=99-100', 416, '', 'bytes */10'],
		['bytes=-0', 416, '', 'bytes */10'],
		['bytes=4-2', 200, text],
		['bytes=', 200, text],
		['bytes=a-b', 200, text],
		['lines=0-1', 200, text],
		['bytes=0-1,3-4', 200, text],
		['bytes=-', 200, text],
	])('returns for the range %s the status %i and the bytes "%s"', async (range, status, body, contentRange) => {
		const response = await read(await makeText(), { range });
		const { headers } = response;
		expect([response.statusCode, response.body, headers['content-range']]).toEqual([status, body, contentRange]);
		if (status === 206)
			expect(headers).toMatchObject({ 'content-length': String(body.length), 'accept-ranges': 'bytes' });
	});

	test('returns a range when If-Range has the current ETag, and the whole file otherwise', async () => {
		const id = await makeText();
		const { etag } = (await read(id)).headers;
		expect((await read(id, { range: 'bytes=0-1', 'if-range': String(etag) })).body).toBe('ab');
		expect((await read(id, { range: 'bytes=0-1', 'if-range': '"other"' })).body).toBe(text);
	});

	test('returns 304 when If-None-Match is *, or has the current ETag among others or as a weak one', async () => {
		const id = await makeText();
		const { etag } = (await read(id)).headers;
		for (const header of [`${etag}`, `"a", ${etag}`, `W/${etag}`, '*']) {
			const same = await read(id, { 'if-none-match': header });
			expect([header, same.statusCode, same.body]).toEqual([header, 304, '']);
		}
		for (const header of ['"a"', `"a"${etag}`, ''])
			expect([header, (await read(id, { 'if-none-match': header })).statusCode]).toEqual([header, 200]);
	});

	test('returns the size and no body for HEAD', async () => {
		const response = await read(await makeText(), {}, '', 'HEAD');
		expect([response.statusCode, response.body]).toEqual([200, '']);
		expect(response.headers['content-length']).toBe('10');
	});

	test('returns an empty file without a range, and 416 with a range', async () => {
		const id = await makeTextFile(deps, (await newSpace()).id, 'empty.txt', '');
		const whole = await read(id);
		expect([whole.statusCode, whole.body, whole.headers['content-length']]).toEqual([200, '', '0']);
		expect((await read(id, { range: 'bytes=0-' })).statusCode).toBe(416);
	});

	test.each([
		['plan.pdf', 'application/pdf', tinyPdf, 'only in the reader'],
		['photo.JPG', 'image/jpeg', Buffer.from('jpeg'), true],
		['photo.bmp', 'image/bmp', Buffer.from('bmp'), true],
		['voice.ogg', 'audio/ogg', Buffer.from('ogg'), true],
		['film.ogg', 'video/ogg', Buffer.from('ogg'), true],
		['evil.svg', 'image/svg+xml', Buffer.from('<svg onload="alert(1)"/>'), false],
		['evil.html', 'text/html', Buffer.from('<script>alert(1)</script>'), false],
		['forged.png', 'image/svg+xml', Buffer.from('<svg/>'), false],
		['forged.pdf', 'text/html', Buffer.from('<script>'), false],
		['forged.jpg', 'application/pdf', tinyPdf, false],
		['notes.txt', 'application/octet-stream', Buffer.from('text'), false],
		['page.xhtml', 'application/xml', Buffer.from('<x/>'), false],
	])(
		'returns the file %s with the stored type %s inline only when this is safe in a browser',
		async (name, contentType, bytes, isInline) => {
			const id = await makeFile(deps, { ownerId: (await newSpace()).id, name, bytes, contentType });
			const { headers, rawPayload } = await read(id);
			expect(rawPayload).toEqual(bytes);
			expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
			expect(headers['content-security-policy']).toContain('sandbox');
			if (isInline === true) {
				expect(headers['content-type']).toBe(contentType);
				expect(headers['content-disposition']).toBeUndefined();
			} else {
				expect(headers['content-type']).toBe(isInline === false ? 'application/octet-stream' : contentType);
				expect(headers['content-disposition']).toMatch(/^attachment;/u);
			}
			expect((await read(id, {}, '?download=1')).headers['content-disposition']).toMatch(/^attachment;/u);
		},
	);

	test.each([
		['report.txt', `attachment; filename="report.txt"; filename*=UTF-8''report.txt`],
		[
			'वार्षिक रिपोर्ट.txt',
			`attachment; filename="_______ _______.txt"; filename*=UTF-8''${encodeURIComponent('वार्षिक रिपोर्ट.txt')}`,
		],
		[`a"b\u202E(c)'d%.txt`, `attachment; filename="a_b_(c)'d_.txt"; filename*=UTF-8''a%22b%E2%80%AE%28c%29%27d%25.txt`],
	])('encodes the name %s in Content-Disposition as in RFC 6266 and RFC 8187', async (name, disposition) => {
		expect((await read(await makeText(name))).headers['content-disposition']).toBe(disposition);
	});
});
