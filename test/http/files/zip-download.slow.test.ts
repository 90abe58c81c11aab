import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { afterEach, expect, test, vi } from 'vitest';
import { watchEventLoop } from '../../support/app/cpu-time.ts';
import { findRows, getRow, insertRows } from '../../support/app/database-rows.ts';
import { listen, requireWithinASecond } from '../../support/app/event-streams.ts';
import { createHttpClient } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { storageKeyOfFile } from '../../support/app/stored-objects.ts';
import { makeSignedInUser, makeUser, testPassword } from '../../support/app/users.ts';
import { readZip } from '../../support/documents/read-zip.ts';
import { makeFile, makeFolder } from '../../support/fixtures/files.ts';

const { testApp, deps, admin } = await openTestApp();
const email = 'reader@example.com';
const { id: memberId, client: member } = await makeSignedInUser(testApp, email);
const url = await listen(testApp.app);
afterEach(() => vi.restoreAllMocks());

type Folder = { id: string; path: string };
const add = (name: string, text: string | Buffer, folder?: Folder, ownerId = memberId) =>
	makeFile(deps, { ownerId, name, bytes: Buffer.from(text), folder });
const newFolder = (name: string, path = '', owner = email) => makeFolder(deps, owner, name, path);
const downloadZip = (ids: string[], client = member) => client.call('GET', `/api/archive?ids=${ids.join(',')}`);
async function unpackZip(ids: string[], client = member): Promise<Record<string, string>> {
	const response = await downloadZip(ids, client);
	expect(response.statusCode).toBe(200);
	return Object.fromEntries(readZip(response.rawPayload).map(({ name, bytes }) => [name, bytes.toString()]));
}

test('a ZIP of a folder contains everything in it, with media stored and text compressed', async () => {
	const root = await newFolder('वार्षिक रिपोर्ट');
	const inner = await newFolder('2026', root.path);
	await newFolder('empty', root.path);
	const long = 'the same words again and again. '.repeat(200);
	const film = Buffer.alloc(70_000, 'film');
	await add('सारांश.txt', long, root);
	await add('clip.mp4', film, inner);
	const response = await downloadZip([root.id]);
	expect(response.headers).toMatchObject({ 'content-type': 'application/zip', 'cache-control': 'no-store' });
	const name = encodeURIComponent('वार्षिक रिपोर्ट.zip');
	expect(response.headers['content-disposition']).toContain(
		`attachment; filename="_______ _______.zip"; filename*=UTF-8''${name}`,
	);
	const entries = readZip(response.rawPayload);
	expect(entries.map((entry) => entry.name).sort()).toEqual(
		['/', '/2026/', '/2026/clip.mp4', '/empty/', '/सारांश.txt'].map((path) => `वार्षिक रिपोर्ट${path}`),
	);
	const find = (ending: string) => entries.find((entry) => entry.name.endsWith(ending));
	expect(find('सारांश.txt')?.bytes.toString()).toBe(long);
	expect(find('clip.mp4')?.bytes.equals(film)).toBe(true);
	expect([find('clip.mp4')?.isStored, find('सारांश.txt')?.isStored]).toEqual([true, false]);
	// 09:12 in India is 03:42 UTC.
	expect(new Set(entries.map((entry) => entry.date))).toEqual(new Set(['2026-11-20 09:12:00']));
});

test('a ZIP of several files has no equal names and no forbidden characters in names', async () => {
	const one = await newFolder('one');
	const two = await newFolder('two');
	const ids = [
		await add('Report.txt', 'first', one),
		await add('REPORT.TXT', 'second', two),
		await add('a?b.txt', 'question', one),
		await add('a*b.txt', 'star', one),
		await add('..\u202ftrick', 'dots', one),
		await add('CON.txt', 'device', one),
		await add('dots...', 'end', one),
		await add('C:evil', 'drive', one),
	];
	const response = await downloadZip([...ids, ids[0] ?? '']);
	expect(response.headers['content-disposition']).toContain('filename="Folio files.zip"');
	const files = Object.fromEntries(readZip(response.rawPayload).map(({ name, bytes }) => [name, String(bytes)]));
	expect(files).toEqual({
		'Report.txt': 'first',
		'REPORT (2).TXT': 'second',
		'a_b.txt': 'question',
		'a_b (2).txt': 'star',
		'..\u202ftrick': 'dots',
		'_CON.txt': 'device',
		dots___: 'end',
		C_evil: 'drive',
	});
});

test('refuses a ZIP of nodes that are unreadable, deleted or unknown', async () => {
	const own = await add('own.txt', 'own');
	const other = await makeUser(deps, 'other@example.com');
	const foreign = await add('foreign.txt', 'foreign', undefined, other);
	const book = await add('book.txt', 'book', undefined, 'book');
	expect((await downloadZip([own, foreign])).json()).toMatchObject({ status: 404 });
	expect((await downloadZip([own, book])).json()).toMatchObject({ status: 404 });
	expect(await unpackZip([own, foreign, book], admin)).toMatchObject({ 'foreign.txt': 'foreign' });
	for (const query of ['', '?ids=', '?ids=,,', `?ids=${Array(501).fill('x').join(',')}`, '?ids=a&ids=b'])
		expect((await member.call('GET', `/api/archive${query}`)).json(), query).toMatchObject({ status: 422 });
	expect((await member.call('HEAD', `/api/archive?ids=${own}`)).statusCode).toBe(200);
	await admin.call('DELETE', `/api/nodes/${own}`);
	expect((await downloadZip([own])).statusCode).toBe(404);
});

test('a ZIP lists the files that became unreadable or were deleted while it was packed', async () => {
	const root = await newFolder('going');
	const ids = await Promise.all(['a.txt', 'b.txt', 'c.mp4', 'd.txt'].map((name) => add(name, `text of ${name}`, root)));
	const [first = '', gone = '', broken = ''] = ids;
	const names = new Map((await findRows(deps, 'nodes', { parent_id: root.id })).map(({ id, name }) => [id, name]));
	const deleted = ids.find((id) => ![first, gone, broken].includes(id)) ?? '';
	await deps.storage.remove([await storageKeyOfFile(deps, gone)]);
	const [firstKey, brokenKey] = [await storageKeyOfFile(deps, first), await storageKeyOfFile(deps, broken)];
	const { read } = deps.storage;
	vi.spyOn(deps.storage, 'read').mockImplementation(async (key, range) => {
		if (key === firstKey) await admin.call('DELETE', `/api/nodes/${deleted}`);
		if (key !== brokenKey) return read.call(deps.storage, key, range);
		return Readable.from(
			(function* () {
				yield Buffer.from('half');
				throw new Error('the disk says no');
			})(),
		);
	});
	const files = await unpackZip([root.id]);
	expect(files).toEqual({
		'going/': '',
		[`going/${names.get(first)}`]: `text of ${names.get(first)}`,
		[`going/${names.get(broken)}`]: 'half',
		'Not in this archive.txt': [
			'While this archive was being made, these files were deleted or could no longer be read:',
			'',
			...[`going/${names.get(gone)}`, `going/${names.get(deleted)}`],
			'',
			'Of these files only a part is in the archive:',
			'',
			`going/${names.get(broken)}`,
			'',
		].join('\r\n'),
	});
});

test.each([
	['the first file', 0],
	['the second file', 1],
])('a ZIP download is aborted when the access ends before %s', async (_when, filesBefore) => {
	const owner = await makeUser(deps, `owner${filesBefore}@example.com`);
	const shared = await newFolder('Shared', '', `owner${filesBefore}@example.com`);
	await add('lesson.txt', 'lesson', shared, owner);
	await admin.call('POST', '/api/shares', { nodeId: shared.id, email });
	const first = await add(`first${filesBefore}.txt`, 'first');
	const empty = await newFolder(`Empty ${filesBefore}`);
	// Without an event, this process does not know that the share was deleted.
	const deleteShare = () => deps.db.deleteFrom('shares').where('node_id', '=', shared.id).execute();
	const { read } = deps.storage;
	vi.spyOn(deps.storage, 'read').mockImplementation(async (key, range) => {
		await deleteShare();
		return read.call(deps.storage, key, range);
	});
	const { add: addConnection } = deps.live;
	let deletion: Promise<unknown> = Promise.resolve();
	vi.spyOn(deps.live, 'add').mockImplementation((connection) => {
		if (filesBefore === 0) deletion = deleteShare();
		return addConnection.call(deps.live, connection);
	});
	const ids = filesBefore === 0 ? [empty.id, shared.id] : [first, shared.id];
	const outcome = await new Promise<string>((resolve) => {
		const sent = request(`${url}/api/archive?ids=${ids.join(',')}`, { headers: { cookie: member.cookie() } }).end();
		sent.once('error', () => resolve('cut off'));
		sent.once('response', (response) => {
			response.resume().once('error', () => {});
			response.once('close', () => resolve(response.complete ? `whole ${response.statusCode}` : 'cut off'));
		});
	});
	await deletion;
	expect(['cut off', 'whole 404']).toContain(outcome);
	await expect.poll(() => deps.live.count()).toBe(0);
});

test('packing a ZIP yields to the event loop for every folder, also when it reads several pages of rows', async () => {
	const root = await newFolder('wide');
	const row = await getRow(deps, 'nodes', { id: root.id });
	const inside = { ...row, parent_id: root.id, path: root.path };
	const rows = Array.from({ length: 1500 }, (_, index) => {
		const name = `f${String(index).padStart(5, '0')}`;
		const real_path = String(Number(row.real_path) + 1 + index);
		return { ...inside, id: `wide-${name}`, real_path, name, name_key: name, sort_key: `1${name}` };
	});
	await insertRows(deps, 'nodes', rows);
	const { result, turns } = await watchEventLoop(downloadZip([root.id]));
	const names = new Set(readZip(result.rawPayload).map((entry) => entry.name));
	expect(names).toEqual(new Set(['wide/', ...rows.map(({ name }) => `wide/${name}/`)]));
	expect(turns).toBeGreaterThan(rows.length);
});

test('a ZIP download is aborted when the client disconnects, and within a second after its user signs out', async () => {
	const root = await newFolder('endless');
	await add('endless.mp4', 'x', root);
	let chunkCount = 0;
	let closed = 0;
	vi.spyOn(deps.storage, 'read').mockImplementation(async () => {
		const endless = new Readable({
			read() {
				chunkCount += 1;
				this.push(Buffer.alloc(64 * 1024, chunkCount % 256));
			},
		});
		endless.once('close', () => {
			closed += 1;
		});
		return endless;
	});
	const client = createHttpClient(testApp.app);
	await client.signIn(email, testPassword);
	const begin = async () => {
		const sent = request(`${url}/api/archive?ids=${root.id}`, { headers: { cookie: client.cookie() } }).end();
		sent.on('error', () => {});
		const [response] = (await once(sent, 'response')) as [IncomingMessage];
		response.on('error', () => {});
		return response;
	};

	const abandoned = await begin();
	abandoned.resume();
	// The response starts with the entry of the folder, before the server reads the file.
	await expect.poll(() => chunkCount).toBeGreaterThan(0);
	abandoned.destroy();
	await expect.poll(() => closed).toBe(1);

	const slow = await begin();
	await once(slow, 'readable');
	// The server must stop reading the file while the client does not read.
	let before = -1;
	const isStill = () => {
		const isSame = chunkCount === before;
		before = chunkCount;
		return isSame;
	};
	await expect.poll(isStill).toBe(true);
	expect(chunkCount * 64).toBeLessThan(64 * 1024);
	const responseClosed = new Promise((resolve) => slow.once('close', resolve));
	slow.resume();
	await client.call('POST', '/api/sign-out', {});
	await requireWithinASecond(responseClosed, 'the archive');
	expect(slow.complete).toBe(false);
	await expect.poll(() => closed).toBe(2);
});
