import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import type { Node } from '#contract/files/files.ts';
import { addToFolderTotals } from '#server/features/files/spaces/spaces.queries.ts';
import { newNodeRow, newRealPath } from '#server/features/files/tree/tree.service.ts';
import { checkIntegrity } from '#server/features/maintenance/tasks/tasks.service.ts';
import { jobHandlers } from '#server/job-handlers.ts';
import { runNextJob } from '#server/platform/jobs/jobs.ts';
import { startWorker } from '#server/platform/jobs/worker.ts';
import type { HttpClient } from '../../support/app/http-client.ts';
import { createTestApp, type TestApp } from '../../support/app/test-app.ts';
import { makeSignedInUser, makeUser } from '../../support/app/users.ts';
import { makeFile, makeFolder } from '../../support/fixtures/files.ts';

/** More nodes than one step of the job copies. */
const moreThanAStep = 210;

let world: TestApp;
let admin: HttpClient;
let email: string;
let ownerId: string;

beforeAll(async () => {
	world = await createTestApp();
	admin = (await makeSignedInUser(world, 'owner@example.com', 'admin')).client;
});

beforeEach(async () => {
	email = `${randomUUID()}@example.com`;
	ownerId = await makeUser(world.deps, email);
});

afterAll(async () => {
	expect((await checkIntegrity(world.deps)).problems).toEqual([]);
	await world.close();
});

type Folder = Awaited<ReturnType<typeof makeFolder>>;

const step = () => runNextJob(world.deps, jobHandlers);

async function runAllJobs(): Promise<void> {
	while (await step());
}

const copy = (ids: string[], path = '') => admin.call('POST', '/api/nodes/copy', { ids, owner: email, path });
const move = (ids: string[], path: string) => admin.call('POST', '/api/nodes/move', { ids, path });
const file = (name: string, bytes: number, folder?: Folder) =>
	makeFile(world.deps, { ownerId, name, bytes: Buffer.alloc(bytes), ...(folder && { folder }) });

async function list(path = ''): Promise<Node[]> {
	const response = await admin.call(
		'GET',
		`/api/spaces/${email}/nodes?${new URLSearchParams({ path, limit: '1000' })}`,
	);
	expect(response.statusCode, response.body).toBe(200);
	return response.json().items;
}

/** Inserts many empty folders into a folder. */
async function fill(folder: Folder, count: number): Promise<void> {
	const { deps } = world;
	const first = Number(await newRealPath(deps, deps.db, ownerId));
	const rows = Array.from({ length: count }, (_, i) => ({
		...newNodeRow(deps, { id: randomUUID(), ownerId, parent: folder, name: `folder ${i}`, kind: 'folder' }),
		real_path: String(first + i),
	}));
	await deps.db.insertInto('nodes').values(rows).execute();
	await addToFolderTotals(deps.db, ownerId, folder.path, { folders: count, files: 0, sizeBytes: 0 });
}

async function usedBytes(): Promise<number> {
	const row = await world.deps.db
		.selectFrom('spaces')
		.select('used_bytes')
		.where('owner_id', '=', ownerId)
		.executeTakeFirstOrThrow();
	return row.used_bytes;
}

const auditSentences = async (): Promise<string[]> =>
	(await admin.call('GET', '/api/audit?limit=20'))
		.json()
		.items.map(({ sentence }: { sentence: Array<{ text: string }> }) => sentence.map(({ text }) => text).join(''));

describe('a copy of a large folder', () => {
	test('yields to the event loop after every step, has a small job payload, and is complete', async () => {
		const source = await makeFolder(world.deps, email, 'many');
		await fill(source, 700);
		await copy([source.id]);
		let steps = 0;
		let longest = 0;
		let turns = 0;
		let isOver = false;
		const count = () => {
			turns += 1;
			if (!isOver) setImmediate(count);
		};
		setImmediate(count);
		await new Promise<void>((resolve) => {
			const worker = startWorker('jobs', world.deps.log, 1000, async () => {
				const didWork = await step();
				if (didWork) steps += 1;
				else void worker.stop().then(resolve);
				const [job] = await world.deps.db
					.selectFrom('jobs')
					.select('payload')
					.where('kind', '=', 'folder-copy')
					.execute();
				longest = Math.max(longest, job?.payload.length ?? 0);
				return didWork;
			});
		});
		isOver = true;
		expect(steps).toBeGreaterThan(3);
		expect(turns).toBeGreaterThanOrEqual(steps);
		expect(longest).toBeLessThan(1000);
		expect((await list()).find(({ name }) => name === 'many (2)')?.itemCount).toBe(700);
	});

	test('is completed in its target folder although that was moved meanwhile', async () => {
		const source = await makeFolder(world.deps, email, 'source');
		await fill(source, moreThanAStep);
		const target = await makeFolder(world.deps, email, 'target');
		const elsewhere = await makeFolder(world.deps, email, 'elsewhere');
		await copy([source.id], target.path);
		await step();
		expect((await move([target.id], elsewhere.path)).json().refused).toEqual([]);
		await runAllJobs();
		expect(await list(`${elsewhere.path}/${target.path}`)).toMatchObject([
			{ name: 'source', itemCount: moreThanAStep },
		]);
		expect((await checkIntegrity(world.deps)).problems).toEqual([]);
	});

	test('is put at the root when its target was deleted, and discarded when the target was purged', async () => {
		for (const isForGood of [false, true]) {
			const source = await makeFolder(world.deps, email, `source ${isForGood}`);
			await fill(source, moreThanAStep);
			const target = await makeFolder(world.deps, email, `target ${isForGood}`);
			await copy([source.id], target.path);
			await step();
			await admin.call('DELETE', `/api/nodes/${target.id}`);
			if (isForGood) await admin.call('DELETE', `/api/trash/${target.id}`);
			await runAllJobs();
		}
		expect((await list()).map(({ name, itemCount }) => [name, itemCount])).toEqual([
			['source false', moreThanAStep],
			['source false (2)', moreThanAStep],
			['source true', moreThanAStep],
		]);
		expect((await checkIntegrity(world.deps)).problems).toEqual([]);
		expect(await world.deps.db.selectFrom('nodes').select('id').where('state', 'is not', null).execute()).toEqual([]);
	});

	test('leaves out a file that was purged meanwhile', async () => {
		const source = await makeFolder(world.deps, email, 'losing');
		await fill(source, moreThanAStep);
		const late = await file('zz late.txt', 10, source);
		await copy([source.id]);
		await step();
		await admin.call('DELETE', `/api/nodes/${late}`);
		await admin.call('DELETE', `/api/trash/${late}`);
		await runAllJobs();
		expect((await list()).find(({ name }) => name === 'losing (2)')?.itemCount).toBe(moreThanAStep);
	});
});

describe('the quota of a space', () => {
	const setQuota = (quotaBytes: number) => admin.call('PUT', `/api/spaces/${email}/quota`, { quotaBytes });

	test('is not exceeded when several folders are copied at once', async () => {
		const folders: Folder[] = [];
		for (let i = 0; i < 3; i += 1) {
			const folder = await makeFolder(world.deps, 'guest', `${email} ${i}`);
			await makeFile(world.deps, { ownerId: 'guest', name: 'a.bin', bytes: Buffer.alloc(900), folder });
			folders.push(folder);
		}
		await makeFolder(world.deps, email, 'there');
		await setQuota(1000);
		const answer = (await copy(folders.map(({ id }) => id))).json();
		expect(answer.underWay).toEqual([folders[0]?.id]);
		expect(answer.refused.map(({ code }: { code: string }) => code)).toEqual(['QUOTA_EXCEEDED', 'QUOTA_EXCEEDED']);
		await runAllJobs();
		expect(await usedBytes()).toBe(900);
	});

	test('counts the pending bytes of uploads when a file or a folder is copied', async () => {
		const folder = await makeFolder(world.deps, email, 'folder');
		const id = await file('a.bin', 400, folder);
		await setQuota(1000);
		await world.deps.db
			.insertInto('uploads')
			.values({
				id: randomUUID(),
				user_id: ownerId,
				owner_id: ownerId,
				parent_id: null,
				path: '',
				name: 'announced.bin',
				storage_key: randomUUID(),
				size_bytes: 300,
				created_at: '2026-11-20T00:00:00.000Z',
				finished_at: null,
				node_id: null,
			})
			.execute();
		const answer = (await copy([id, folder.id])).json();
		expect(answer.refused.map(({ code }: { code: string }) => code)).toEqual(['QUOTA_EXCEEDED', 'QUOTA_EXCEEDED']);
	});

	test('that is lowered during a copy undoes the copy, and the audit list says so', async () => {
		const source = await makeFolder(world.deps, email, 'too much');
		await fill(source, moreThanAStep);
		await file('zz.bin', 500, source);
		await copy([source.id]);
		await step();
		await setQuota(600);
		world.clock.advance(1);
		await runAllJobs();
		expect((await list()).map(({ name }) => name)).toEqual(['too much']);
		expect(await usedBytes()).toBe(500);
		expect(await auditSentences()).toContain(
			'The copy of the folder too much, which owner@example.com had asked for, was undone: there was not enough space.',
		);
		expect(await world.deps.db.selectFrom('nodes').select('id').where('state', 'is not', null).execute()).toEqual([]);
	});
});

describe('the maximum folder depth', () => {
	const tooDeep = { code: 'TOO_DEEP', message: 'Folders can stand in each other 100 deep at most.' };

	/** Creates folders of one name inside each other. @returns the outermost one, and the path of the innermost */
	async function nest(levels: number, name: string): Promise<{ outermost: Node; path: string }> {
		let path = '';
		for (let left = levels; left > 0; left -= limits.folderDepthMax) {
			const names = Array.from({ length: Math.min(left, limits.folderDepthMax) }, () => name);
			const response = await admin.call('POST', `/api/spaces/${email}/folder-paths`, { path, paths: [names] });
			path = response.json().items[0].path;
		}
		return { outermost: (await list()).find((node) => node.name === name) as Node, path };
	}

	test('is enforced when folders are created, moved and copied', async () => {
		const { path, outermost } = await nest(limits.folderLevelsMax, 'deep');
		const created = await admin.call('POST', `/api/spaces/${email}/folders`, { path, name: 'one more' });
		expect(created.statusCode).toBe(422);
		expect(created.json()).toMatchObject(tooDeep);
		expect(
			(await admin.call('POST', `/api/spaces/${email}/folder-paths`, { path, paths: [['one more']] })).json().items,
		).toMatchObject([{ path: null, ...tooDeep }]);
		const pair = await nest(2, 'pair');
		const almost = path.split('/').slice(0, -1).join('/');
		expect((await move([pair.outermost.id], almost)).json().refused).toMatchObject([tooDeep]);
		expect((await copy([pair.outermost.id], almost)).json().refused).toMatchObject([tooDeep]);
		expect((await move([outermost.id], pair.path)).json().refused).toMatchObject([tooDeep]);
		const two = path.split('/').slice(0, -2).join('/');
		expect((await move([pair.outermost.id], two)).json().refused).toEqual([]);
		// A copy is undone when its source has become too deep meanwhile.
		const growing = await nest(1, 'growing');
		expect((await copy([growing.outermost.id], almost)).json().underWay).toEqual([growing.outermost.id]);
		await admin.call('POST', `/api/spaces/${email}/folders`, { path: growing.path, name: 'more' });
		world.clock.advance(1);
		await runAllJobs();
		expect((await list(almost)).map(({ name }) => name)).toEqual(['deep']);
		expect(await auditSentences()).toContainEqual(expect.stringContaining('folders would have stood too deep'));
	});
});
