import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import type { Node } from '#contract/files/files.ts';
import { addToFolderTotals } from '#server/features/files/spaces/spaces.queries.ts';
import { newNodeRow, newRealPath } from '#server/features/files/tree/tree.service.ts';
import { checkIntegrity } from '#server/features/maintenance/tasks/tasks.service.ts';
import { jobHandlers } from '#server/job-handlers.ts';
import { runNextJob } from '#server/platform/jobs/jobs.ts';
import { startWorker } from '#server/platform/jobs/worker.ts';
import { watchEventLoop } from '../../support/app/cpu-time.ts';
import { findRows, getRow } from '../../support/app/database-rows.ts';
import { readAllItems, readAuditSentences } from '../../support/app/lists.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { makeUser } from '../../support/app/users.ts';
import { makeFile, makeFolder } from '../../support/fixtures/files.ts';
import { beginUpload } from '../../support/fixtures/uploads.ts';

const moreThanAStep = 210;

const { testApp, deps, admin } = await openTestApp();
let email: string;
let ownerId: string;

beforeEach(async () => {
	email = `${randomUUID()}@example.com`;
	ownerId = await makeUser(deps, email);
});

afterAll(async () => expect((await checkIntegrity(deps)).problems).toEqual([]));

type Folder = Awaited<ReturnType<typeof makeFolder>>;

const step = () => runNextJob(deps, jobHandlers);

const copy = (ids: string[], path = '') => admin.call('POST', '/api/nodes/copy', { ids, owner: email, path });
const move = (ids: string[], path: string) => admin.call('POST', '/api/nodes/move', { ids, path });
const file = (name: string, bytes: number, folder?: Folder) =>
	makeFile(deps, { ownerId, name, bytes: Buffer.alloc(bytes), ...(folder && { folder }) });

const list = (path = '') =>
	readAllItems<Node>(admin, `/api/spaces/${email}/nodes?${new URLSearchParams({ path, limit: '1000' })}`);

async function fill(folder: Folder, count: number): Promise<void> {
	const first = Number(await newRealPath(deps, deps.db, ownerId));
	const rows = Array.from({ length: count }, (_, i) => ({
		...newNodeRow(deps, { ownerId, parent: folder, name: `folder ${i}`, kind: 'folder' }),
		real_path: String(first + i),
	}));
	await deps.db.insertInto('nodes').values(rows).execute();
	await addToFolderTotals(deps.db, ownerId, folder.path, { folders: count, files: 0, sizeBytes: 0 });
}

async function makeLargeFolder(name: string): Promise<Folder> {
	const folder = await makeFolder(deps, email, name);
	await fill(folder, moreThanAStep);
	return folder;
}

const listUnfinishedNodes = () => deps.db.selectFrom('nodes').select('id').where('state', 'is not', null).execute();
const usedBytes = async () => (await getRow(deps, 'spaces', { owner_id: ownerId })).used_bytes;

describe('a copy of a large folder', () => {
	test('yields to the event loop after each step, and the payload of its job stays small', async () => {
		const source = await makeFolder(deps, email, 'many');
		await fill(source, 700);
		await copy([source.id]);
		let steps = 0;
		let longestPayload = 0;
		const finished = new Promise<void>((resolve) => {
			const worker = startWorker('jobs', deps.log, 1000, async () => {
				const didWork = await step();
				if (didWork) steps += 1;
				else void worker.stop().then(resolve);
				const [job] = await findRows(deps, 'jobs', { kind: 'folder-copy' });
				longestPayload = Math.max(longestPayload, job?.payload.length ?? 0);
				return didWork;
			});
		});
		const { turns } = await watchEventLoop(finished);
		expect(steps).toBeGreaterThan(3);
		expect(turns).toBeGreaterThanOrEqual(steps);
		expect(longestPayload).toBeLessThan(1000);
		expect((await list()).find(({ name }) => name === 'many (2)')?.itemCount).toBe(700);
	});

	test('is completed in its target folder when this folder was moved during the copy', async () => {
		const source = await makeLargeFolder('source');
		const target = await makeFolder(deps, email, 'target');
		const elsewhere = await makeFolder(deps, email, 'elsewhere');
		await copy([source.id], target.path);
		await step();
		expect((await move([target.id], elsewhere.path)).json().refused).toEqual([]);
		await testApp.runDueWork();
		const copied = await list(`${elsewhere.path}/${target.path}`);
		expect(copied).toMatchObject([{ name: 'source', itemCount: moreThanAStep }]);
		expect((await checkIntegrity(deps)).problems).toEqual([]);
	});

	test('is moved to the root when its target folder is deleted meanwhile, and discarded when this folder is purged', async () => {
		for (const isForGood of [false, true]) {
			const source = await makeLargeFolder(`source ${isForGood}`);
			const target = await makeFolder(deps, email, `target ${isForGood}`);
			await copy([source.id], target.path);
			await step();
			await admin.call('DELETE', `/api/nodes/${target.id}`);
			if (isForGood) await admin.call('DELETE', `/api/trash/${target.id}`);
			await testApp.runDueWork();
		}
		expect((await list()).map(({ name, itemCount }) => [name, itemCount])).toEqual([
			['source false', moreThanAStep],
			['source false (2)', moreThanAStep],
			['source true', moreThanAStep],
		]);
		expect((await checkIntegrity(deps)).problems).toEqual([]);
		expect(await listUnfinishedNodes()).toEqual([]);
	});

	test('does not contain a file that was purged during the copy', async () => {
		const source = await makeLargeFolder('losing');
		const late = await file('zz late.txt', 10, source);
		await copy([source.id]);
		await step();
		await admin.call('DELETE', `/api/nodes/${late}`);
		await admin.call('DELETE', `/api/trash/${late}`);
		await testApp.runDueWork();
		expect((await list()).find(({ name }) => name === 'losing (2)')?.itemCount).toBe(moreThanAStep);
	});
});

describe('the quota of a space', () => {
	const setQuota = (quotaBytes: number) => admin.call('PUT', `/api/spaces/${email}/quota`, { quotaBytes });

	test('is not exceeded when several folders are copied at the same time', async () => {
		const folders: Folder[] = [];
		for (let i = 0; i < 3; i += 1) {
			const folder = await makeFolder(deps, 'guest', `${email} ${i}`);
			await makeFile(deps, { ownerId: 'guest', name: 'a.bin', bytes: Buffer.alloc(900), folder });
			folders.push(folder);
		}
		await makeFolder(deps, email, 'there');
		await setQuota(1000);
		const answer = (await copy(folders.map(({ id }) => id))).json();
		expect(answer.underWay).toEqual([folders[0]?.id]);
		expect(answer.refused.map(({ code }: { code: string }) => code)).toEqual(['QUOTA_EXCEEDED', 'QUOTA_EXCEEDED']);
		await testApp.runDueWork();
		expect(await usedBytes()).toBe(900);
	});

	test('includes the announced sizes of uploads when a file or a folder is copied', async () => {
		const folder = await makeFolder(deps, email, 'folder');
		const id = await file('a.bin', 400, folder);
		await setQuota(1000);
		expect((await beginUpload(admin, { owner: email, filename: 'announced.bin' }, 300)).statusCode).toBe(201);
		const answer = (await copy([id, folder.id])).json();
		expect(answer.refused.map(({ code }: { code: string }) => code)).toEqual(['QUOTA_EXCEEDED', 'QUOTA_EXCEEDED']);
	});

	test('reverts a copy and writes an audit entry when the quota is lowered during the copy', async () => {
		const source = await makeLargeFolder('too much');
		await file('zz.bin', 500, source);
		await copy([source.id]);
		await step();
		await setQuota(600);
		testApp.clock.advance(1);
		await testApp.runDueWork();
		expect((await list()).map(({ name }) => name)).toEqual(['too much']);
		expect(await usedBytes()).toBe(500);
		expect(await readAuditSentences(admin, 'limit=20')).toContain(
			'The copy of the folder too much, which admin@example.com had asked for, was undone: there was not enough space.',
		);
		expect(await listUnfinishedNodes()).toEqual([]);
	});
});

const tooDeep = { code: 'TOO_DEEP', message: 'Folders can be nested at most 100 levels deep.' };

/** Creates nested folders with the same name. @returns the outermost folder, and the path of the innermost folder */
async function nest(levels: number, name: string): Promise<{ outermost: Node; path: string }> {
	let path = '';
	for (let left = levels; left > 0; left -= limits.folderDepthMax) {
		const names = Array.from({ length: Math.min(left, limits.folderDepthMax) }, () => name);
		const response = await admin.call('POST', `/api/spaces/${email}/folder-paths`, { path, paths: [names] });
		path = response.json().items[0].path;
	}
	return { outermost: (await list()).find((node) => node.name === name) as Node, path };
}

test('the maximum folder depth is enforced when folders are created, moved and copied', async () => {
	const { path, outermost } = await nest(limits.folderLevelsMax, 'deep');
	const created = await admin.call('POST', `/api/spaces/${email}/folders`, { path, name: 'one more' });
	expect(created.statusCode).toBe(422);
	expect(created.json()).toMatchObject(tooDeep);
	const tree = { path, paths: [['one more']] };
	const { items } = (await admin.call('POST', `/api/spaces/${email}/folder-paths`, tree)).json();
	expect(items).toMatchObject([{ path: null, ...tooDeep }]);
	const pair = await nest(2, 'pair');
	const parentOfDeepest = path.split('/').slice(0, -1).join('/');
	expect((await move([pair.outermost.id], parentOfDeepest)).json().refused).toMatchObject([tooDeep]);
	expect((await copy([pair.outermost.id], parentOfDeepest)).json().refused).toMatchObject([tooDeep]);
	expect((await move([outermost.id], pair.path)).json().refused).toMatchObject([tooDeep]);
	const twoLevelsUp = path.split('/').slice(0, -2).join('/');
	expect((await move([pair.outermost.id], twoLevelsUp)).json().refused).toEqual([]);
	// The depth of the source grows during the copy, so that the copy is reverted.
	const growing = await nest(1, 'growing');
	expect((await copy([growing.outermost.id], parentOfDeepest)).json().underWay).toEqual([growing.outermost.id]);
	await admin.call('POST', `/api/spaces/${email}/folders`, { path: growing.path, name: 'more' });
	testApp.clock.advance(1);
	await testApp.runDueWork();
	expect((await list(parentOfDeepest)).map(({ name }) => name)).toEqual(['deep']);
	expect(await readAuditSentences(admin, 'limit=20')).toContainEqual(
		expect.stringContaining('folders would be nested too deeply'),
	);
});
