import { expect } from 'vitest';
import { findRows, getRow } from '../../support/app/database-rows.ts';
import { makePicture } from '../../support/documents/images.ts';
import { type AccessFixture, type Actor, freshFolder } from '../access-fixture.ts';
import type { Check } from './access-call.ts';
import { type AccessCalls, call, equals, fileForm, lists, matches, savesSettings } from './access-call.ts';

/** Creates a request whose target is a new folder in the space that the actor requests. */
const forFolder = (bodyOf?: (id: string) => object) => async (fixture: AccessFixture, actor: Actor) => {
	const target = await freshFolder(fixture, fixture.spaces[actor]);
	return { body: bodyOf?.(target), target };
};

/** Creates a request whose target is a deleted folder in the space that the actor requests. */
const forTrash = (bodyOf?: (id: string) => object) => async (fixture: AccessFixture, actor: Actor) => {
	const input = await forFolder(bodyOf)(fixture, actor);
	await fixture.send('D', 'DELETE', { url: `/api/nodes/${input.target}` });
	return input;
};

const isDeleted: Check = async ({ deps }, _response, { target = '' }) =>
	expect((await getRow(deps, 'nodes', { id: target })).deleted_at).not.toBeNull();
const isRestored: Check = async ({ deps }, _response, { target = '' }) =>
	expect((await getRow(deps, 'nodes', { id: target })).deleted_at).toBeNull();
const isBeingPurged: Check = async ({ deps }, _response, { target = '' }) =>
	expect((await getRow(deps, 'nodes', { id: target })).state).toBe('leaving');

const isDone = equals(({ target }) => ({ done: [target], refused: [] }));

export const fileWriteCalls: AccessCalls = {
	'POST /api/files/:id/poster': call(
		async (fixture, actor) => {
			const form = fileForm('frame.png', 'image/png', await makePicture('png'));
			return { ...form, target: fixture.videosWithoutPoster[fixture.spaces[actor]] };
		},
		equals({}),
		async (fixture, _response, { target }) => {
			const thumb = await fixture.send('D', 'GET', { url: `/api/files/${target}/thumb` });
			expect(thumb.headers['content-type']).toBe('image/webp');
		},
	),
	'POST /api/nodes/move': call(
		async (fixture, actor) => {
			const owner = fixture.spaces[actor];
			const target = await freshFolder(fixture, owner);
			const into = await getRow(fixture.deps, 'nodes', { id: await freshFolder(fixture, owner) });
			return { body: { ids: [target], path: into.real_path }, target };
		},
		isDone,
		async ({ deps }, _response, { target = '', body }) =>
			expect((await getRow(deps, 'nodes', { id: target })).path).toBe((body as { path: string }).path),
	),
	'POST /api/nodes/copy': call(
		forFolder((id) => ({ ids: [id], owner: 'guest', path: '' })),
		equals(({ target }) => ({ done: [], refused: [], underWay: [target] })),
		async ({ deps }) => expect((await findRows(deps, 'nodes', { state: 'arriving' })).length).toBeGreaterThan(0),
	),
	'POST /api/nodes/remove': call(
		forFolder((id) => ({ ids: [id] })),
		isDone,
		isDeleted,
	),
	'GET /api/spaces/:owner/trash': call(
		async (fixture, actor) => ({ ...(await forTrash()(fixture, actor)), url: '?limit=1' }),
		matches({ items: [{ kind: 'folder', size: 0 }], space: {} }),
	),
	'POST /api/trash/:id/restore': call(
		forTrash(() => ({})),
		matches(({ target }) => ({ id: target, kind: 'folder' })),
		isRestored,
	),
	'DELETE /api/trash/:id': call(forTrash(), equals({}), isBeingPurged),
	'POST /api/trash/restore': call(
		forTrash((id) => ({ ids: [id] })),
		isDone,
		isRestored,
	),
	'POST /api/trash/purge': call(
		forTrash((id) => ({ ids: [id] })),
		isDone,
		isBeingPurged,
	),
	'POST /api/spaces/:owner/trash/empty': call(
		forTrash(() => ({})),
		(_world, response) => expect(response.json().count).toBeGreaterThan(0),
		isBeingPurged,
	),
};

export const adminStorageCalls: AccessCalls = {
	'GET /api/spaces': call({}, lists({ ownerId: 'book', email: 'book' })),
	'PUT /api/spaces/:owner/quota': call(
		{ url: '/api/spaces/guest/quota', body: { quotaBytes: null } },
		matches({ ownerId: 'guest', quotaBytes: null }),
	),
	'GET /api/settings/files': call({}, matches({ trashDays: 30, quotaBytes: null })),
	'PUT /api/settings/files': savesSettings('files'),
};
