import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { findRows, getRow } from '../../support/app/database-rows.ts';
import { encodeBatch, encodeMetadata, tus, tusChunk } from '../../support/fixtures/uploads.ts';
import { type AccessFixture, type Actor, freshFolder, uploadBytes } from '../access-fixture.ts';
import { type AccessCalls, type Check, call, equals, leavesRows, lists, matches } from './access-call.ts';

const chunk = { headers: { ...tusChunk(0), 'content-length': '8' }, body: uploadBytes };

/** Creates a request whose target is a new upload into the space that the actor requests. */
async function forUpload(fixture: AccessFixture, actor: Actor) {
	return { headers: tus, target: await fixture.freshUpload(fixture.spaces[actor]) };
}

const supports =
	(extension: string): Check =>
	(_world, { statusCode, headers }) => {
		expect(statusCode).toBe(204);
		expect(headers['tus-extension']).toContain(extension);
	};

export const uploadAndFolderCalls: AccessCalls = {
	'POST /api/uploads': call(
		(fixture, actor) => {
			const filename = `${randomUUID()}.bin`;
			const metadata = encodeMetadata({ owner: fixture.spaces[actor], filename });
			const headers = { ...tus, 'upload-length': '8', 'upload-metadata': metadata };
			return { headers, target: filename };
		},
		async ({ deps, userIds }, { statusCode, headers }, { target }) => {
			expect(statusCode).toBe(201);
			const upload = await getRow(deps, 'uploads', { id: String(headers.location).split('/').at(-1) ?? '' });
			expect(upload).toMatchObject({ name: target, owner_id: userIds.other, user_id: userIds.D, size_bytes: 8 });
		},
	),
	'GET /api/uploads': call(
		async (fixture, actor) => ({ ...(await forUpload(fixture, actor)), url: '?limit=1000' }),
		lists(({ target, fixture }) => ({ id: target, owner: fixture.spaces.D, sizeBytes: 8, arrivedBytes: 0 })),
	),
	'POST /api/upload-batches': call(
		(fixture, actor) => {
			const name = `${randomUUID()}.bin`;
			return { ...encodeBatch([{ owner: fixture.spaces[actor], name, bytes: uploadBytes }]), target: name };
		},
		equals({ items: [null] }),
		async ({ deps, userIds }, _response, { target }) => {
			expect(await findRows(deps, 'nodes', { name: target })).toMatchObject([{ owner_id: userIds.other }]);
		},
	),
	'OPTIONS /api/uploads': call({ headers: tus }, supports('creation')),
	'HEAD /api/uploads/:id': call(forUpload, (_world, { statusCode, headers }) => {
		expect(statusCode).toBe(200);
		expect(headers).toMatchObject({ 'upload-offset': '0', 'upload-length': '8' });
	}),
	'PATCH /api/uploads/:id': call(
		async (fixture, actor) => ({ ...(await forUpload(fixture, actor)), ...chunk }),
		async (fixture, { statusCode, headers }, { target = '' }) => {
			expect(statusCode).toBe(204);
			expect(headers['upload-offset']).toBe('8');
			const upload = await getRow(fixture.deps, 'uploads', { id: target });
			const content = await fixture.send('D', 'GET', { url: `/api/files/${upload.node_id}/content` });
			expect(content.rawPayload).toEqual(uploadBytes);
		},
	),
	'DELETE /api/uploads/:id': call(forUpload, async ({ deps }, { statusCode }, { target = '' }) => {
		expect(statusCode).toBe(204);
		await expect.poll(() => findRows(deps, 'uploads', { id: target })).toEqual([]);
	}),
	'OPTIONS /api/uploads/:id': call(forUpload, supports('termination')),
	'POST /api/spaces/:owner/folders': call(
		() => {
			const name = `New ${randomUUID()}`;
			return { body: { name, path: '' }, target: name };
		},
		matches(({ target }) => ({ kind: 'folder', name: target, path: '' })),
		async ({ deps, userIds }, response, { target }) => {
			const folder = await getRow(deps, 'nodes', { id: response.json().id });
			expect(folder).toMatchObject({ name: target, owner_id: userIds.other });
		},
	),
	'POST /api/spaces/:owner/folder-paths': call(
		() => {
			const name = `Tree ${randomUUID()}`;
			return { body: { path: '', paths: [[name, 'Below']] }, target: name };
		},
		matches({ items: [{ code: null }] }),
		leavesRows('nodes', (name, { fixture }) => ({ name, owner_id: fixture.userIds.other ?? '' }), [{}]),
	),
	'POST /api/nodes/:id/rename': call(
		async (fixture, actor) => {
			const target = await freshFolder(fixture, fixture.spaces[actor]);
			return { body: { name: `Other ${target}` }, target };
		},
		matches(({ target }) => ({ id: target, name: `Other ${target}` })),
		leavesRows('nodes', (id) => ({ id, name: `Other ${id}` }), [{}]),
	),
	'DELETE /api/nodes/:id': call(
		async (fixture, actor) => ({ target: await freshFolder(fixture, fixture.spaces[actor]) }),
		equals({}),
		async ({ deps }, _response, { target = '' }) =>
			expect((await getRow(deps, 'nodes', { id: target })).deleted_at).not.toBeNull(),
	),
};
