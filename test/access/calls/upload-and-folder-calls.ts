import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { findRows, getRow } from '../../support/app/database-rows.ts';
import { encodeMetadata, tus, tusChunk } from '../../support/fixtures/uploads.ts';
import { type AccessFixture, freshFolder, uploadBytes } from '../access-fixture.ts';
import type { Actor } from '../access-table.ts';
import type { Check } from './access-call.ts';
import { type AccessCalls, absentId, equals, leavesRows, lists, matches } from './access-call.ts';

const absentUpload = () => ({ url: `/api/uploads/${randomUUID()}`, headers: tus });
const chunk = { headers: { ...tusChunk(0), 'content-length': '8' }, body: uploadBytes };

/** Creates a request whose target is a new upload into the space that the actor requests. */
async function forUpload(fixture: AccessFixture, actor: Actor) {
	const target = await fixture.freshUpload(fixture.spaces[actor]);
	return { url: `/api/uploads/${target}`, headers: tus, target };
}

const supports =
	(extension: string): Check =>
	(_world, { statusCode, headers }) => {
		expect(statusCode).toBe(204);
		expect(headers['tus-extension']).toContain(extension);
	};

/** All methods of tus, and calls that create, rename and delete folders and files. */
export const uploadAndFolderCalls: AccessCalls = {
	'POST /api/uploads': {
		request(fixture, actor) {
			const filename = `${randomUUID()}.bin`;
			const metadata = encodeMetadata({ owner: fixture.spaces[actor], filename });
			const headers = { ...tus, 'upload-length': '8', 'upload-metadata': metadata };
			return { url: '/api/uploads', headers, target: filename };
		},
		async check({ deps, userIds }, { statusCode, headers }, { target }) {
			expect(statusCode).toBe(201);
			const upload = await getRow(deps, 'uploads', { id: String(headers.location).split('/').at(-1) ?? '' });
			expect(upload).toMatchObject({ name: target, owner_id: userIds.other, user_id: userIds.D, size_bytes: 8 });
		},
	},
	'GET /api/uploads': {
		async request(fixture, actor) {
			return { url: '/api/uploads?limit=1000', target: await fixture.freshUpload(fixture.spaces[actor]) };
		},
		check: lists(({ target, fixture }) => ({ id: target, owner: fixture.spaces.D, sizeBytes: 8, arrivedBytes: 0 })),
	},
	'OPTIONS /api/uploads': {
		request: () => ({ url: '/api/uploads', headers: tus }),
		check: supports('creation'),
	},
	'HEAD /api/uploads/:id': {
		request: forUpload,
		absent: absentUpload,
		check: (_world, { statusCode, headers }) => {
			expect(statusCode).toBe(200);
			expect(headers).toMatchObject({ 'upload-offset': '0', 'upload-length': '8' });
		},
	},
	'PATCH /api/uploads/:id': {
		request: async (fixture, actor) => ({ ...(await forUpload(fixture, actor)), ...chunk }),
		absent: () => ({ ...absentUpload(), ...chunk }),
		async check(fixture, { statusCode, headers }, { target = '' }) {
			expect(statusCode).toBe(204);
			expect(headers['upload-offset']).toBe('8');
			const upload = await getRow(fixture.deps, 'uploads', { id: target });
			const content = await fixture.send('D', 'GET', { url: `/api/files/${upload.node_id}/content` });
			expect(content.rawPayload).toEqual(uploadBytes);
		},
	},
	'DELETE /api/uploads/:id': {
		request: forUpload,
		absent: absentUpload,
		async check({ deps }, { statusCode }, { target = '' }) {
			expect(statusCode).toBe(204);
			await expect.poll(() => findRows(deps, 'uploads', { id: target })).toEqual([]);
		},
	},
	'OPTIONS /api/uploads/:id': { request: forUpload, check: supports('termination') },
	'POST /api/spaces/:owner/folders': {
		request(fixture, actor) {
			const name = `New ${randomUUID()}`;
			return { url: `/api/spaces/${fixture.spaces[actor]}/folders`, body: { name, path: '' }, target: name };
		},
		absent: () => ({ url: '/api/spaces/nobody@example.com/folders', body: { name: 'New', path: '' } }),
		check: [
			matches(({ target }) => ({ kind: 'folder', name: target, path: '' })),
			async ({ deps, userIds }, response, { target }) => {
				const folder = await getRow(deps, 'nodes', { id: response.json().id });
				expect(folder).toMatchObject({ name: target, owner_id: userIds.other });
			},
		],
	},
	'POST /api/spaces/:owner/folder-paths': {
		request(fixture, actor) {
			const name = `Tree ${randomUUID()}`;
			const body = { path: '', paths: [[name, 'Below']] };
			return { url: `/api/spaces/${fixture.spaces[actor]}/folder-paths`, body, target: name };
		},
		absent: () => ({ url: '/api/spaces/nobody@example.com/folder-paths', body: { path: '', paths: [['New']] } }),
		check: [
			matches({ created: 2, items: [{ code: null }] }),
			leavesRows('nodes', (name, { fixture }) => ({ name, owner_id: fixture.userIds.other ?? '' }), [{}]),
		],
	},
	'POST /api/nodes/:id/rename': {
		async request(fixture, actor) {
			const target = await freshFolder(fixture, fixture.spaces[actor]);
			return { url: `/api/nodes/${target}/rename`, body: { name: `Other ${target}` }, target };
		},
		absent: () => ({ url: `/api/nodes/${absentId}/rename`, body: { name: 'Other' } }),
		check: [
			matches(({ target }) => ({ id: target, name: `Other ${target}` })),
			leavesRows('nodes', (id) => ({ id, name: `Other ${id}` }), [{}]),
		],
	},
	'DELETE /api/nodes/:id': {
		async request(fixture, actor) {
			const target = await freshFolder(fixture, fixture.spaces[actor]);
			return { url: `/api/nodes/${target}`, target };
		},
		absent: () => ({ url: `/api/nodes/${absentId}` }),
		check: [
			equals({}),
			async ({ deps }, _response, { target = '' }) =>
				expect((await getRow(deps, 'nodes', { id: target })).deleted_at).not.toBeNull(),
		],
	},
};
