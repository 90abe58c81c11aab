import { expect } from 'vitest';
import { multipart } from '../../support/app/http-client.ts';
import { makePicture } from '../../support/documents/images.ts';
import { type AccessFixture, freshFolder } from '../access-fixture.ts';
import type { AccessCalls } from './access-call.ts';

function findNode({ deps }: AccessFixture, id = '') {
	return deps.db.selectFrom('nodes').selectAll().where('id', '=', id).executeTakeFirst();
}

async function freshTrash(world: AccessFixture, owner: string): Promise<string> {
	const id = await freshFolder(world, owner);
	await world.send('D', 'DELETE', { url: `/api/nodes/${id}` });
	return id;
}

/** Calls for admins only: moving, copying, the trash, quotas and posters. */
export const fileCalls: AccessCalls = {
	'POST /api/files/:id/poster': {
		async request(world, actor) {
			const picture = await makePicture('png');
			const form = multipart({}, { field: 'file', name: 'frame.png', type: 'image/png', bytes: picture });
			const target = world.videosWithoutPoster[world.spaces[actor]];
			return { url: `/api/files/${target}/poster`, body: form.body, headers: form.headers, target };
		},
		async check(world, response, { target }) {
			expect(response.json()).toEqual({});
			const thumb = await world.send('D', 'GET', { url: `/api/files/${target}/thumb` });
			expect(thumb.headers['content-type']).toBe('image/webp');
		},
	},
	'POST /api/nodes/move': {
		async request(world, actor) {
			const owner = world.spaces[actor];
			const target = await freshFolder(world, owner);
			const into = await findNode(world, await freshFolder(world, owner));
			return { url: '/api/nodes/move', body: { ids: [target], path: into?.real_path }, target };
		},
		async check(world, response, { target, body }) {
			expect(response.json()).toMatchObject({ done: [{ id: target }], refused: [] });
			expect((await findNode(world, target))?.path).toBe((body as { path: string }).path);
		},
	},
	'POST /api/nodes/copy': {
		async request(world, actor) {
			const target = await freshFolder(world, world.spaces[actor]);
			return { url: '/api/nodes/copy', body: { ids: [target], owner: 'guest', path: '' }, target };
		},
		async check(world, response, { target }) {
			expect(response.json()).toEqual({ done: [], refused: [], underWay: [target] });
			const rows = await world.deps.db.selectFrom('nodes').select('state').where('state', '=', 'arriving').execute();
			expect(rows.length).toBeGreaterThan(0);
		},
	},
	'POST /api/nodes/remove': {
		async request(world, actor) {
			const target = await freshFolder(world, world.spaces[actor]);
			return { url: '/api/nodes/remove', body: { ids: [target] }, target };
		},
		async check(world, response, { target }) {
			expect(response.json()).toEqual({ done: [target], refused: [] });
			expect((await findNode(world, target))?.deleted_at).not.toBeNull();
		},
	},
	'GET /api/spaces/:owner/trash': {
		async request(world, actor) {
			const target = await freshTrash(world, world.spaces[actor]);
			return { url: `/api/spaces/${world.spaces[actor]}/trash?limit=1`, target };
		},
		check(_world, response) {
			expect(response.json()).toMatchObject({ items: [{ kind: 'folder', size: 0 }], space: {} });
		},
	},
	'POST /api/trash/:id/restore': {
		async request(world, actor) {
			const target = await freshTrash(world, world.spaces[actor]);
			return { url: `/api/trash/${target}/restore`, body: {}, target };
		},
		async check(world, response, { target }) {
			expect(response.json()).toMatchObject({ id: target, kind: 'folder' });
			expect((await findNode(world, target))?.deleted_at).toBeNull();
		},
	},
	'DELETE /api/trash/:id': {
		async request(world, actor) {
			const target = await freshTrash(world, world.spaces[actor]);
			return { url: `/api/trash/${target}`, target };
		},
		async check(world, response, { target }) {
			expect(response.json()).toEqual({});
			expect((await findNode(world, target))?.state).toBe('leaving');
		},
	},
	'POST /api/trash/restore': {
		async request(world, actor) {
			const target = await freshTrash(world, world.spaces[actor]);
			return { url: '/api/trash/restore', body: { ids: [target] }, target };
		},
		async check(world, response, { target }) {
			expect(response.json()).toEqual({ done: [target], refused: [] });
			expect((await findNode(world, target))?.deleted_at).toBeNull();
		},
	},
	'POST /api/trash/purge': {
		async request(world, actor) {
			const target = await freshTrash(world, world.spaces[actor]);
			return { url: '/api/trash/purge', body: { ids: [target] }, target };
		},
		async check(world, response, { target }) {
			expect(response.json()).toEqual({ done: [target], refused: [] });
			expect((await findNode(world, target))?.state).toBe('leaving');
		},
	},
	'POST /api/spaces/:owner/trash/empty': {
		async request(world, actor) {
			const target = await freshTrash(world, world.spaces[actor]);
			return { url: `/api/spaces/${world.spaces[actor]}/trash/empty`, body: {}, target };
		},
		async check(world, response, { target }) {
			expect(response.json().count).toBeGreaterThan(0);
			expect((await findNode(world, target))?.state).toBe('leaving');
		},
	},
	'GET /api/spaces': {
		request: () => ({ url: '/api/spaces' }),
		check(_world, response) {
			expect(response.json().items).toContainEqual(expect.objectContaining({ ownerId: 'book', email: 'book' }));
		},
	},
	'PUT /api/spaces/:owner/quota': {
		request: () => ({ url: '/api/spaces/guest/quota', body: { quotaBytes: null } }),
		check(_world, response) {
			expect(response.json()).toMatchObject({ ownerId: 'guest', quotaBytes: null });
		},
	},
	'GET /api/settings/files': {
		request: () => ({ url: '/api/settings/files' }),
		check(_world, response) {
			expect(response.json()).toMatchObject({ trashDays: 30, quotaBytes: null });
		},
	},
	'PUT /api/settings/files': {
		async request(world) {
			const current = (await world.send('D', 'GET', { url: '/api/settings/files' })).json();
			return { url: '/api/settings/files', body: current, target: String(current.version) };
		},
		check(_world, response, { target }) {
			expect(response.json()).toEqual({ version: Number(target) + 1 });
		},
	},
};
