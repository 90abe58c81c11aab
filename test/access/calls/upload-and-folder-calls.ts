import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type AccessFixture, freshFolder, uploadBytes } from '../access-fixture.ts';
import type { AccessCalls } from './access-call.ts';

const tus = { 'tus-resumable': '1.0.0' };

function metadata(values: Record<string, string>): string {
	return Object.entries(values)
		.map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
		.join(',');
}

function findUpload({ deps }: AccessFixture, id = '') {
	return deps.db.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirst();
}

function findNode({ deps }: AccessFixture, id = '') {
	return deps.db.selectFrom('nodes').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

const absentUpload = () => ({ url: `/api/uploads/${randomUUID()}`, headers: tus });

/** Every tus method, and the calls that write folders and files. */
export const uploadAndFolderCalls: AccessCalls = {
	'POST /api/uploads': {
		request(world, actor) {
			const filename = `${randomUUID()}.bin`;
			const headers = {
				...tus,
				'upload-length': '8',
				'upload-metadata': metadata({ owner: world.spaces[actor], filename }),
			};
			return { url: '/api/uploads', headers, target: filename };
		},
		async check(world, { statusCode, headers }, { target }) {
			expect(statusCode).toBe(201);
			expect(await findUpload(world, String(headers.location).split('/').at(-1))).toMatchObject({
				name: target,
				owner_id: world.userIds.other,
				user_id: world.userIds.D,
				size_bytes: 8,
			});
		},
	},
	'GET /api/uploads': {
		async request(world, actor) {
			return { url: '/api/uploads?limit=1000', target: await world.freshUpload(world.spaces[actor]) };
		},
		check: (world, response, { target }) => {
			const { items } = response.json();
			expect(items).toContainEqual(
				expect.objectContaining({ id: target, owner: world.spaces.D, sizeBytes: 8, arrivedBytes: 0 }),
			);
		},
	},
	'OPTIONS /api/uploads': {
		request: () => ({ url: '/api/uploads', headers: tus }),
		check: (_world, { statusCode, headers }) => {
			expect(statusCode).toBe(204);
			expect(headers['tus-extension']).toContain('creation');
		},
	},
	'HEAD /api/uploads/:id': {
		async request(world, actor) {
			return { url: `/api/uploads/${await world.freshUpload(world.spaces[actor])}`, headers: tus };
		},
		absent: absentUpload,
		check: (_world, { statusCode, headers }) => {
			expect(statusCode).toBe(200);
			expect(headers).toMatchObject({ 'upload-offset': '0', 'upload-length': '8' });
		},
	},
	'PATCH /api/uploads/:id': {
		async request(world, actor) {
			const target = await world.freshUpload(world.spaces[actor]);
			const headers = {
				...tus,
				'upload-offset': '0',
				'content-type': 'application/offset+octet-stream',
				'content-length': '8',
			};
			return { url: `/api/uploads/${target}`, headers, body: uploadBytes, target };
		},
		absent: () => ({
			...absentUpload(),
			headers: {
				...tus,
				'upload-offset': '0',
				'content-type': 'application/offset+octet-stream',
				'content-length': '8',
			},
			body: uploadBytes,
		}),
		async check(world, { statusCode, headers }, { target }) {
			expect(statusCode).toBe(204);
			expect(headers['upload-offset']).toBe('8');
			const upload = await findUpload(world, target);
			const content = await world.send('D', 'GET', { url: `/api/files/${upload?.node_id}/content` });
			expect(content.rawPayload).toEqual(uploadBytes);
		},
	},
	'DELETE /api/uploads/:id': {
		async request(world, actor) {
			const target = await world.freshUpload(world.spaces[actor]);
			return { url: `/api/uploads/${target}`, headers: tus, target };
		},
		absent: absentUpload,
		async check(world, { statusCode }, { target }) {
			expect(statusCode).toBe(204);
			await expect.poll(() => findUpload(world, target)).toBeUndefined();
		},
	},
	'OPTIONS /api/uploads/:id': {
		async request(world, actor) {
			return { url: `/api/uploads/${await world.freshUpload(world.spaces[actor])}`, headers: tus };
		},
		check: (_world, { statusCode, headers }) => {
			expect(statusCode).toBe(204);
			expect(headers['tus-extension']).toContain('termination');
		},
	},
	'POST /api/spaces/:owner/folders': {
		request(world, actor) {
			const name = `New ${randomUUID()}`;
			return { url: `/api/spaces/${world.spaces[actor]}/folders`, body: { name, path: '' }, target: name };
		},
		absent: () => ({ url: '/api/spaces/nobody@example.com/folders', body: { name: 'New', path: '' } }),
		async check(world, response, { target }) {
			expect(response.json()).toMatchObject({ kind: 'folder', name: target, path: '' });
			expect(await findNode(world, response.json().id)).toMatchObject({ name: target, owner_id: world.userIds.other });
		},
	},
	'POST /api/spaces/:owner/folder-paths': {
		request(world, actor) {
			const name = `Tree ${randomUUID()}`;
			const body = { path: '', paths: [[name, 'Below']] };
			return { url: `/api/spaces/${world.spaces[actor]}/folder-paths`, body, target: name };
		},
		absent: () => ({ url: '/api/spaces/nobody@example.com/folder-paths', body: { path: '', paths: [['New']] } }),
		async check(world, response, { target = '' }) {
			expect(response.json()).toMatchObject({ created: 2, items: [{ code: null }] });
			const { nodes } = await world.deps.db
				.selectFrom('nodes')
				.select((all) => all.fn.countAll().as('nodes'))
				.where('name', '=', target)
				.where('owner_id', '=', world.userIds.other ?? '')
				.executeTakeFirstOrThrow();
			expect(Number(nodes)).toBe(1);
		},
	},
	'POST /api/nodes/:id/rename': {
		async request(world, actor) {
			const target = await freshFolder(world, world.spaces[actor]);
			return { url: `/api/nodes/${target}/rename`, body: { name: `Other ${target}` }, target };
		},
		absent: () => ({ url: '/api/nodes/AAAAAAAAAAAAAAAAAAAAAA/rename', body: { name: 'Other' } }),
		async check(world, response, { target }) {
			expect(response.json()).toMatchObject({ id: target, name: `Other ${target}` });
			expect(await findNode(world, target)).toMatchObject({ name: `Other ${target}` });
		},
	},
	'DELETE /api/nodes/:id': {
		async request(world, actor) {
			const target = await freshFolder(world, world.spaces[actor]);
			return { url: `/api/nodes/${target}`, target };
		},
		absent: () => ({ url: '/api/nodes/AAAAAAAAAAAAAAAAAAAAAA' }),
		async check(world, response, { target }) {
			expect(response.json()).toEqual({});
			expect((await findNode(world, target)).deleted_at).not.toBeNull();
		},
	},
};
