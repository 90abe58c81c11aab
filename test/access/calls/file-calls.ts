import { expect } from 'vitest';
import { findRows, getRow } from '../../support/app/database-rows.ts';
import { multipart } from '../../support/app/http-client.ts';
import { makePicture } from '../../support/documents/images.ts';
import { type AccessFixture, freshFolder } from '../access-fixture.ts';
import type { Actor } from '../access-table.ts';
import type { Check } from './access-call.ts';
import { type AccessCalls, equals, lists, matches, reads, savesSettings } from './access-call.ts';

async function freshTrash(fixture: AccessFixture, owner: string): Promise<string> {
	const id = await freshFolder(fixture, owner);
	await fixture.send('D', 'DELETE', { url: `/api/nodes/${id}` });
	return id;
}

/** Creates a request whose target is a new folder in the space that the actor requests. */
const forFolder = (url: string, bodyOf: (id: string) => object) => async (fixture: AccessFixture, actor: Actor) => {
	const target = await freshFolder(fixture, fixture.spaces[actor]);
	return { url, body: bodyOf(target), target };
};

/** Creates a request whose target is a deleted folder in the space that the actor requests. */
const forTrash = (url: string, bodyOf?: (id: string) => object) => async (fixture: AccessFixture, actor: Actor) => {
	const target = await freshTrash(fixture, fixture.spaces[actor]);
	const address = url.replace(':id', target).replace(':owner', fixture.spaces[actor]);
	return { url: address, body: bodyOf?.(target), target };
};

const isDeleted: Check = async ({ deps }, _response, { target = '' }) =>
	expect((await getRow(deps, 'nodes', { id: target })).deleted_at).not.toBeNull();
const isRestored: Check = async ({ deps }, _response, { target = '' }) =>
	expect((await getRow(deps, 'nodes', { id: target })).deleted_at).toBeNull();
const isBeingPurged: Check = async ({ deps }, _response, { target = '' }) =>
	expect((await getRow(deps, 'nodes', { id: target })).state).toBe('leaving');

const isDone = equals(({ target }) => ({ done: [target], refused: [] }));

/** Calls for admins only: moving, copying, the trash, quotas and posters. */
export const fileCalls: AccessCalls = {
	'POST /api/files/:id/poster': {
		async request(fixture, actor) {
			const picture = await makePicture('png');
			const form = multipart({}, { field: 'file', name: 'frame.png', type: 'image/png', bytes: picture });
			const target = fixture.videosWithoutPoster[fixture.spaces[actor]];
			return { url: `/api/files/${target}/poster`, ...form, target };
		},
		check: [
			equals({}),
			async (fixture, _response, { target }) => {
				const thumb = await fixture.send('D', 'GET', { url: `/api/files/${target}/thumb` });
				expect(thumb.headers['content-type']).toBe('image/webp');
			},
		],
	},
	'POST /api/nodes/move': {
		async request(fixture, actor) {
			const owner = fixture.spaces[actor];
			const target = await freshFolder(fixture, owner);
			const into = await getRow(fixture.deps, 'nodes', { id: await freshFolder(fixture, owner) });
			return { url: '/api/nodes/move', body: { ids: [target], path: into.real_path }, target };
		},
		check: [
			matches(({ target }) => ({ done: [{ id: target }], refused: [] })),
			async ({ deps }, _response, { target = '', body }) =>
				expect((await getRow(deps, 'nodes', { id: target })).path).toBe((body as { path: string }).path),
		],
	},
	'POST /api/nodes/copy': {
		request: forFolder('/api/nodes/copy', (id) => ({ ids: [id], owner: 'guest', path: '' })),
		check: [
			equals(({ target }) => ({ done: [], refused: [], underWay: [target] })),
			async ({ deps }) => expect((await findRows(deps, 'nodes', { state: 'arriving' })).length).toBeGreaterThan(0),
		],
	},
	'POST /api/nodes/remove': {
		request: forFolder('/api/nodes/remove', (id) => ({ ids: [id] })),
		check: [isDone, isDeleted],
	},
	'GET /api/spaces/:owner/trash': {
		request: forTrash('/api/spaces/:owner/trash?limit=1'),
		check: matches({ items: [{ kind: 'folder', size: 0 }], space: {} }),
	},
	'POST /api/trash/:id/restore': {
		request: forTrash('/api/trash/:id/restore', () => ({})),
		check: [matches(({ target }) => ({ id: target, kind: 'folder' })), isRestored],
	},
	'DELETE /api/trash/:id': {
		request: forTrash('/api/trash/:id'),
		check: [equals({}), isBeingPurged],
	},
	'POST /api/trash/restore': {
		request: forTrash('/api/trash/restore', (id) => ({ ids: [id] })),
		check: [isDone, isRestored],
	},
	'POST /api/trash/purge': {
		request: forTrash('/api/trash/purge', (id) => ({ ids: [id] })),
		check: [isDone, isBeingPurged],
	},
	'POST /api/spaces/:owner/trash/empty': {
		request: forTrash('/api/spaces/:owner/trash/empty', () => ({})),
		check: [(_world, response) => expect(response.json().count).toBeGreaterThan(0), isBeingPurged],
	},
	'GET /api/spaces': reads('/api/spaces', lists({ ownerId: 'book', email: 'book' })),
	'PUT /api/spaces/:owner/quota': {
		request: () => ({ url: '/api/spaces/guest/quota', body: { quotaBytes: null } }),
		check: matches({ ownerId: 'guest', quotaBytes: null }),
	},
	'GET /api/settings/files': reads('/api/settings/files', matches({ trashDays: 30, quotaBytes: null })),
	'PUT /api/settings/files': savesSettings('files'),
};
