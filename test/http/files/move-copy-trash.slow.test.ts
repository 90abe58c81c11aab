import { afterAll, describe, expect, test, vi } from 'vitest';
import type { Node } from '#contract/files/files.ts';
import { checkIntegrity, collectGarbage } from '#server/features/maintenance/tasks/tasks.service.ts';
import { jobHandlers } from '#server/job-handlers.ts';
import { runNextJob } from '#server/platform/jobs/jobs.ts';
import { findRows, getRow } from '../../support/app/database-rows.ts';
import type { HttpClient } from '../../support/app/http-client.ts';
import { readAllItems } from '../../support/app/lists.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { storageKeyOfFile } from '../../support/app/stored-objects.ts';
import { makeSignedInUser, testPassword } from '../../support/app/users.ts';
import { makeFolder, makeTextFile } from '../../support/fixtures/files.ts';
import { beginUpload } from '../../support/fixtures/uploads.ts';

const { testApp, deps, admin } = await openTestApp();
const email = 'asha@example.com';
const { id: memberId, client: member } = await makeSignedInUser(testApp, email, 'user', '203.0.113.8');
afterAll(async () => expect((await checkIntegrity(deps)).problems).toEqual([]));

type Folder = Awaited<ReturnType<typeof makeFolder>>;

async function list(path = '', query: Record<string, string> = {}, owner = email): Promise<Node[]> {
	const response = await admin.call('GET', `/api/spaces/${owner}/nodes?${new URLSearchParams({ path, ...query })}`);
	expect(response.statusCode, response.body).toBe(200);
	return response.json().items;
}

const namesIn = async (path = '', query: Record<string, string> = {}, owner = email) =>
	(await list(path, query, owner)).map(({ name }) => name);

const newFolder = (name: string, path = '') => makeFolder(deps, email, name, path);
const file = (name: string, text = name, folder?: Folder) => makeTextFile(deps, memberId, name, text, folder);
const rename = (id: string, name: string) => admin.call('POST', `/api/nodes/${id}/rename`, { name });
const restore = (id: string) => admin.call('POST', `/api/trash/${id}/restore`, {});
const read = (id: string) => member.call('GET', `/api/files/${id}/content`);
const move = (ids: string[], path: string) => admin.call('POST', '/api/nodes/move', { ids, path });
const copy = (ids: string[], owner: string, path = '') => admin.call('POST', '/api/nodes/copy', { ids, owner, path });
const deleteNode = (id: string) => admin.call('DELETE', `/api/nodes/${id}`);
const trash = async () => (await admin.call('GET', `/api/spaces/${email}/trash`)).json();

describe('moving', () => {
	test('moves a folder with everything in it, and updates totals and paths', async () => {
		const from = await newFolder('from');
		const inner = await newFolder('inner', from.path);
		const into = await newFolder('into');
		const deep = await file('deep.txt', 'deep', inner);
		expect((await move([from.id], into.path)).json()).toEqual({ done: [from.id], refused: [] });
		expect(await namesIn(into.path)).toEqual(['from']);
		const innerPath = `${into.path}/${inner.path}`;
		expect(await namesIn(innerPath)).toEqual(['deep.txt']);
		expect((await read(deep)).body).toBe('deep');
		expect((await member.call('GET', `/api/spaces/me/nodes?path=${inner.path}`)).statusCode).toBe(404);
		expect((await list(into.path))[0]?.itemCount).toBe(1);
	});

	test('refuses to move a folder into itself or its subfolders, or a node into a folder that contains a node with the same name', async () => {
		const outer = await newFolder('outer');
		const below = await newFolder('below', outer.path);
		const taken = await file('Taken.txt');
		await file('taken.TXT', 'other', below);
		expect((await move([outer.id], outer.path)).json().refused).toMatchObject([{ code: 'INTO_ITSELF', name: 'outer' }]);
		expect((await move([outer.id], below.path)).json().refused).toMatchObject([{ code: 'INTO_ITSELF' }]);
		const { refused } = (await move([taken, outer.id], below.path)).json();
		expect(refused).toMatchObject([
			{ id: taken, code: 'FILE_EXISTS', message: 'File Taken.txt already exists' },
			{ code: 'INTO_ITSELF' },
		]);
		const duplicate = await newFolder('outer', below.path);
		expect((await move([duplicate.id], '')).json().refused).toMatchObject([
			{ code: 'NAME_EXISTS', message: 'Name exists' },
		]);
	});

	test('moves the folder 17 without the folder 171', async () => {
		const one = await newFolder('one');
		const other = await newFolder('other');
		await deps.db.updateTable('nodes').set({ real_path: '17' }).where('id', '=', one.id).execute();
		await deps.db.updateTable('nodes').set({ real_path: '171' }).where('id', '=', other.id).execute();
		await file('in 17.txt', 'x', { id: one.id, path: '17' });
		await file('in 171.txt', 'y', { id: other.id, path: '171' });
		const into = await newFolder('a place');
		await move([one.id], into.path);
		expect(await namesIn('171')).toEqual(['in 171.txt']);
		expect(await namesIn(`${into.path}/17`)).toEqual(['in 17.txt']);
	});
});

test('renaming keeps the ID of a file, sets the file type that matches the new name, and refuses an existing name', async () => {
	const id = await file('notes.dat');
	expect((await rename(id, 'notes.txt')).json()).toMatchObject({ id, name: 'notes.txt' });
	expect(await namesIn('', { type: 'documents', search: 'notes' })).toEqual(['notes.txt']);
	expect((await rename(id, 'INTO')).json()).toMatchObject({ code: 'NAME_EXISTS', message: 'Name exists' });
});

describe('copying', () => {
	test('copies a folder to another space, and the copy keeps its bytes when the original is purged', async () => {
		const source = await newFolder('course');
		const inner = await newFolder('module', source.path);
		for (let i = 0; i < 210; i += 1) await file(`lesson ${i}.txt`, `lesson ${i}`, inner);
		expect((await copy([source.id], 'guest')).json()).toEqual({ done: [], refused: [], underWay: [source.id] });
		expect(await namesIn('', {}, 'guest')).not.toContain('course');
		await testApp.runDueWork();
		const [course] = await list('', { search: 'course' }, 'guest');
		const [module] = await list(String(course?.realPath), {}, 'guest');
		expect(module).toMatchObject({ name: 'module', itemCount: 210 });
		const [lesson] = await list(`${course?.realPath}/${module?.realPath}`, { limit: '1' }, 'guest');
		expect((await member.call('GET', String(lesson?.url))).body).toBe('lesson 0');
		// The original and the copy share the stored bytes, which must remain until both are purged.
		await deleteNode(source.id);
		await admin.call('POST', `/api/spaces/${email}/trash/empty`, {});
		await testApp.runDueWork();
		await collectGarbage(deps);
		expect((await member.call('GET', String(lesson?.url))).body).toBe('lesson 0');
	});

	test('adds a number to the name of a copy in the same folder, and refuses an existing name in another space', async () => {
		const id = await file('chapter.pdf');
		for (const owner of [email, email, 'guest']) expect((await copy([id], owner)).json().done).toEqual([id]);
		const copies = ['chapter.pdf', 'chapter (2).pdf', 'chapter (3).pdf'];
		expect(await namesIn('', { search: 'chapter' })).toEqual(expect.arrayContaining(copies));
		expect((await copy([id], 'guest')).json().refused).toMatchObject([
			{ code: 'FILE_EXISTS', message: 'File chapter.pdf already exists' },
		]);
	});
});

describe('the trash', () => {
	test('restores a folder with its content, and adds a number to its name when the name exists', async () => {
		const folder = await newFolder('Plans');
		const inside = await file('plan.txt', 'a plan', folder);
		await deleteNode(folder.id);
		expect((await read(inside)).statusCode).toBe(404);
		expect(await namesIn('', { search: 'plan.txt' })).toEqual([]);
		expect((await trash()).items[0]).toMatchObject({ id: folder.id, name: 'Plans', size: 6, folders: [] });
		await newFolder('plans');
		expect((await restore(folder.id)).json()).toMatchObject({ name: 'Plans (2)', itemCount: 1 });
		expect((await read(inside)).body).toBe('a plan');
	});

	test('restores a node to the root when its former folder is deleted', async () => {
		const folder = await newFolder('short-lived');
		const id = await file('survivor.txt', 'x', folder);
		await deleteNode(id);
		await deleteNode(folder.id);
		expect((await restore(id)).json()).toMatchObject({ path: '' });
		expect((await restore(id)).statusCode).toBe(404);
	});

	test('purges a file and its bytes 31 days after it was deleted', async () => {
		const id = await file('old.txt', 'x'.repeat(1000));
		const key = await storageKeyOfFile(deps, id);
		await deleteNode(id);
		testApp.clock.advance(31 * 24 * 3600);
		await admin.signIn('admin@example.com', testPassword);
		await member.signIn(email, testPassword);
		await collectGarbage(deps);
		expect((await trash()).items).toEqual([]);
		await testApp.runDueWork();
		expect(await deps.storage.findSize(key)).toBeNull();
	});

	test('restores or purges several nodes at once, and returns the refused nodes', async () => {
		const names = ['m1.txt', 'm2.txt', 'm3.txt'];
		const ids = await Promise.all(names.map((name) => file(name)));
		await admin.call('POST', '/api/nodes/remove', { ids });
		const restored = (await admin.call('POST', '/api/trash/restore', { ids: [ids[0], 'absent', ids[1]] })).json();
		expect(restored.done).toEqual([ids[0], ids[1]]);
		expect(restored.refused).toMatchObject([{ id: 'absent', code: 'NOT_FOUND' }]);
		expect(await namesIn()).toEqual(expect.arrayContaining(['m1.txt', 'm2.txt']));
		const purged = (await admin.call('POST', '/api/trash/purge', { ids: [ids[0], ids[2]] })).json();
		expect([purged.done, purged.refused.length], 'one of the nodes was restored').toEqual([[ids[2]], 1]);
		await testApp.runDueWork();
		expect(await findRows(deps, 'nodes', { id: ids[2] ?? '' })).toEqual([]);
	});
});

describe('simultaneous changes', () => {
	test('refuse at least one of three moves that would nest three folders in a cycle', async () => {
		for (let round = 0; round < 6; round += 1) {
			const folders = await Promise.all(['a', 'b', 'c'].map((name) => newFolder(`circle ${round} ${name}`)));
			const answers = await Promise.all(
				folders.map(({ id }, index) => move([id], folders[(index + 1) % folders.length]?.path ?? '')),
			);
			const refused = answers.flatMap((answer) => answer.json().refused);
			expect(refused.length).toBeGreaterThan(0);
			for (const { code } of refused) expect(['INTO_ITSELF', 'FOLDER_GONE']).toContain(code);
			// All three folders still exist.
			const found = await list('', { search: `circle ${round} `, kind: 'folder' });
			expect(found.map(({ name }) => name)).toEqual(['a', 'b', 'c'].map((name) => `circle ${round} ${name}`));
		}
	});

	test('never give the same name to two nodes when a restore and two renames use this name', async () => {
		const folder = await newFolder('wanted');
		for (let round = 0; round < 6; round += 1) {
			const name = `wanted ${round}.txt`;
			const trashed = await file(name, 'x', folder);
			await deleteNode(trashed);
			const others = await Promise.all(['one', 'two'].map((other) => file(`${other} ${round}.txt`, 'x', folder)));
			const [restored, ...renamed] = await Promise.all([
				restore(trashed),
				...others.map((id, index) => rename(id, index === 0 ? name : name.toUpperCase())),
			]);
			expect(restored?.statusCode).toBe(200);
			for (const answer of renamed) expect([200, 409], answer.body).toContain(answer.statusCode);
			const keys = (await namesIn(folder.path)).map((listed) => listed.toLowerCase());
			expect(new Set(keys).size).toBe(3 * (round + 1));
			expect(keys).toContain(name);
		}
	});

	test('refuse to rename a file that was just deleted, and write no audit entry for the rename', async () => {
		const going = await file('going.txt');
		const { db } = deps;
		const begin = db.transaction.bind(db);
		const deletedFirst = {
			async execute(work: Parameters<ReturnType<typeof begin>['execute']>[0]) {
				expect((await deleteNode(going)).statusCode).toBe(200);
				return begin().execute(work);
			},
		};
		vi.spyOn(db, 'transaction').mockImplementationOnce(() => deletedFirst as ReturnType<typeof begin>);
		const late = await rename(going, 'late.txt');
		expect(late.statusCode).toBe(404);
		expect((await trash()).items.find(({ id }: { id: string }) => id === going)?.name).toBe('going.txt');
		expect(await findRows(deps, 'audit', { subject_id: going })).toMatchObject([{ action: 'file-deleted' }]);
	});
});

test('the integrity check accepts an interrupted purge, and the next jobs complete it', async () => {
	const outer = await newFolder('purged in steps');
	const inner = await newFolder('inner', outer.path);
	for (let index = 0; index < 201; index += 1) await file(`${index}.txt`, 'x', inner);
	await deleteNode(outer.id);
	await admin.call('DELETE', `/api/trash/${outer.id}`);
	await runNextJob(deps, jobHandlers);
	const remaining = () => findRows(deps, 'nodes', { parent_id: inner.id });
	expect((await remaining()).length).toBeGreaterThan(0);
	expect((await checkIntegrity(deps)).problems).toEqual([]);
	await testApp.runDueWork();
	expect(await remaining()).toEqual([]);
});

test('a search in the trash finds and counts nodes by name, also across pages, and omits nodes inside deleted folders', async () => {
	const folder = await newFolder('गणित deleted folder');
	await file('गणित inside.txt', 'x', folder);
	const names = ['गणित 1.txt', 'GANIT 2.txt', 'ganit_3.txt', 'गणित gone.txt'];
	const ids = await Promise.all(names.map((name) => file(name)));
	await file('ganit live.txt');
	const foreign = await makeTextFile(deps, 'guest', 'ganit guest.txt');
	await admin.call('POST', '/api/nodes/remove', { ids: [...ids, folder.id, foreign] });
	await admin.call('DELETE', `/api/trash/${ids[3]}`);
	const find = async (search: string, limit = 50) => {
		const url = `/api/spaces/${email}/trash?${new URLSearchParams({ search, limit: String(limit) })}`;
		const found = (await readAllItems<Node>(admin, url)).map(({ name }) => name);
		expect((await admin.call('GET', url)).json().total).toBe(found.length);
		return found.sort();
	};
	expect(await find('गणित')).toEqual(['गणित 1.txt', 'गणित deleted folder']);
	for (const limit of [1, 50]) expect(await find('ganit', limit)).toEqual(['GANIT 2.txt', 'ganit_3.txt']);
	expect(await find('t_')).toEqual(['ganit_3.txt']);
	expect(await find('nothing at all')).toEqual([]);
	expect(await find('  ')).toEqual(expect.arrayContaining(['GANIT 2.txt', 'गणित 1.txt']));
});

test('admins see the quota of a space, and the refusal of an upload contains the free space', async () => {
	const { used_bytes: used } = await getRow(deps, 'spaces', { owner_id: memberId });
	await admin.call('PUT', `/api/spaces/${email}/quota`, { quotaBytes: used + 10 });
	const useSeenBy = async (client: HttpClient) => (await client.call('GET', `/api/spaces/${email}/nodes`)).json().use;
	expect(await useSeenBy(admin)).toEqual({ usedBytes: used, quotaBytes: used + 10 });
	expect(await useSeenBy(member), 'a user without write access').toBeNull();
	const refused = await beginUpload(admin, { owner: email, filename: 'eleven.bin' }, 11);
	const message = expect.stringContaining('less than 1 KB of');
	expect(refused.json()).toMatchObject({ status: 402, code: 'QUOTA_EXCEEDED', message });
	await admin.call('PUT', `/api/spaces/${email}/quota`, { quotaBytes: null });
});

describe('search, orders and filters', () => {
	test('finds names in all folders of the space, and returns the names of these folders', async () => {
		const folder = await newFolder('विद्यार्थी');
		await file('गणित 100%_a\\b.pdf', 'x', folder);
		await makeTextFile(deps, 'guest', 'गणित of guests.pdf');
		const found = await list('', { search: 'गणित' });
		expect(found.map(({ name, folders }) => [name, folders])).toEqual([['गणित 100%_a\\b.pdf', ['विद्यार्थी']]]);
		for (const text of ['100%_a', '%_', 'a\\b', 'ग'])
			expect(await namesIn('', { search: text })).toContain('गणित 100%_a\\b.pdf');
		expect(await namesIn('', { search: '100_' })).toEqual([]);
		expect(await namesIn('', { search: '\0गणित\t' })).toEqual(['गणित 100%_a\\b.pdf']);
		expect(await namesIn('', { search: 'ग\0णित' })).toEqual([]);
		expect(await namesIn('', { search: 'विद्या', kind: 'file' })).toEqual([]);
	});

	test.each(['name', 'size', 'date'])(
		'lists each node once across pages, sorted by %s in both directions',
		async (sort) => {
			const folder = await newFolder(`sorted by ${sort}`);
			for (let i = 0; i < 7; i += 1) {
				await file(`${i}.bin`, 'x'.repeat((i * 3) % 7), folder);
				await newFolder(`folder ${i}`, folder.path);
				testApp.clock.advance(1);
			}
			for (const order of ['asc', 'desc']) {
				const whole = await namesIn(folder.path, { sort, order });
				const query = new URLSearchParams({ path: folder.path, sort, order, limit: '3' });
				const paged = await readAllItems<Node>(admin, `/api/spaces/${email}/nodes?${query}`);
				expect(paged.map(({ name }) => name)).toEqual(whole);
				expect(whole.slice(0, 7).every((name) => name.startsWith('folder'))).toBe(true);
			}
			const bytes = (await list(folder.path, { sort: 'size', order: 'desc', kind: 'file' })).map(({ size }) => size);
			expect(bytes).toEqual([6, 5, 4, 3, 2, 1, 0]);
		},
	);
});
