import { expect } from 'vitest';
import { type AccessFixture, fileName, freshFolder, sharer } from '../access-fixture.ts';
import type { AccessCalls } from './access-call.ts';

/** Returns the email address that a call is about: that of the actor, or of R for an admin or an anonymous actor. */
const recipientOf = (world: AccessFixture, actor: string) => world.emails[actor === 'D' || actor === 'A' ? 'R' : actor];

function findShareRows({ deps }: AccessFixture, nodeId = '') {
	return deps.db.selectFrom('shares').select('kind').where('node_id', '=', nodeId).execute();
}

/** Calls that write and list shares as an admin, read shared nodes, and read the course made of them. */
export const sharingCalls: AccessCalls = {
	'GET /api/shared': {
		request: () => ({ url: '/api/shared' }),
		check(world, response, _request, actor) {
			const ids = response.json().items.map(({ node }: { node: { id: string } }) => node.id);
			expect(ids).toEqual(actor === 'R' ? [world.shared.id] : []);
		},
	},
	'GET /api/shared/:id/nodes': {
		request: (world) => ({ url: `/api/shared/${world.shared.id}/nodes` }),
		absent: () => ({ url: '/api/shared/AAAAAAAAAAAAAAAAAAAAAA/nodes' }),
		check(world, response) {
			expect(response.json()).toMatchObject({ folder: { id: world.shared.id }, totals: { files: 3 } });
			expect(response.json().items.map(({ name }: { name: string }) => name)).toContain(fileName(sharer));
		},
	},
	'GET /api/course': {
		request: () => ({ url: '/api/course' }),
		check(world, response, _request, actor) {
			const modules = response
				.json()
				.items.map((item: { node: { id: string }; lessons: number }) => [item.node.id, item.lessons]);
			expect(modules).toEqual(actor === 'R' ? [[world.shared.id, 3]] : []);
		},
	},
	'GET /api/course/modules/:id': {
		request: (world) => ({ url: `/api/course/modules/${world.shared.id}` }),
		absent: () => ({ url: '/api/course/modules/AAAAAAAAAAAAAAAAAAAAAA' }),
		check(world, response) {
			const { module, lessons } = response.json();
			expect(module.id).toBe(world.shared.id);
			expect(lessons.map(({ node }: { node: { id: string } }) => node.id)).toContain(world.files[sharer]);
		},
	},
	'PUT /api/course/lessons/:id/progress': {
		request: (world) => ({
			url: `/api/course/lessons/${world.videos[sharer]}/progress`,
			body: { position: 70, total: 600 },
		}),
		absent: () => ({ url: '/api/course/lessons/AAAAAAAAAAAAAAAAAAAAAA/progress', body: { position: 70, total: 600 } }),
		async check(world, response, _request, actor) {
			expect(response.json()).toMatchObject({ position: 70, isDone: false });
			const rows = await world.deps.db
				.selectFrom('lesson_progress')
				.select('position')
				.where('user_id', '=', world.userIds[actor] ?? '')
				.execute();
			expect(rows).toEqual([{ position: 70 }]);
		},
	},
	'GET /api/shares': {
		request: (world, actor) => ({ url: `/api/shares?email=${recipientOf(world, actor)}` }),
		check(world, response) {
			expect(response.json()).toMatchObject({
				person: { email: world.emails.R },
				items: [{ node: { id: world.shared.id } }],
			});
		},
	},
	'GET /api/shares/:id/nodes': {
		request: (world, actor) => ({ url: `/api/shares/${world.shared.id}/nodes?email=${recipientOf(world, actor)}` }),
		check(world, response) {
			expect(response.json()).toMatchObject({ folder: { id: world.shared.id }, totals: { files: 3 } });
		},
	},
	'POST /api/shares': {
		async request(world, actor) {
			const target = await freshFolder(world, sharer);
			return { url: '/api/shares', body: { nodeId: target, email: recipientOf(world, actor) }, target };
		},
		async check(world, response, { target }) {
			expect(response.json()).toMatchObject({ state: { id: target, state: 'own' } });
			expect(await findShareRows(world, target)).toEqual([{ kind: 'share' }]);
		},
	},
	'POST /api/shares/remove': {
		async request(world, actor) {
			const target = await freshFolder(world, sharer);
			const { email } = await world.freshUser();
			await world.send('D', 'POST', { url: '/api/shares', body: { nodeId: target, email } });
			const of = actor === 'D' ? email : recipientOf(world, actor);
			return { url: '/api/shares/remove', body: { nodeId: target, email: of }, target };
		},
		async check(world, response, { target }) {
			expect(response.json()).toMatchObject({ state: { id: target, state: 'none' } });
			expect(await findShareRows(world, target)).toEqual([]);
		},
	},
	'POST /api/shares/states': {
		request: (world, actor) => ({
			url: '/api/shares/states',
			body: { email: recipientOf(world, actor), ids: [world.files[sharer]] },
		}),
		check(world, response) {
			expect(response.json().items).toMatchObject([{ state: 'inherited', from: { id: world.shared.id } }]);
		},
	},
	'POST /api/shares/marks': {
		request: (world) => ({ url: '/api/shares/marks', body: { ids: [world.shared.id, world.files[sharer]] } }),
		check(world, response) {
			expect(response.json()).toEqual({ ids: [world.shared.id] });
		},
	},
	'GET /api/nodes/:id/readers': {
		request: (world) => ({ url: `/api/nodes/${world.files[sharer]}/readers` }),
		check(world, response) {
			expect(response.json()).toMatchObject({ owner: sharer, items: [{ email: world.emails.R, canRead: true }] });
		},
	},
	'GET /api/shared-folders': {
		request: () => ({ url: '/api/shared-folders' }),
		check(world, response) {
			const documents = response
				.json()
				.items.filter((each: { sharedWith: string }) => each.sharedWith === world.emails.R);
			expect(documents.map(({ folderPath }: { folderPath: string }) => folderPath)).toContain(world.shared.path);
		},
	},
	'GET /api/shared-files': {
		request: (world) => ({ url: `/api/shared-files?email=${world.emails.R}` }),
		check(_world, response) {
			expect(response.json()).toEqual({ items: [], nextCursor: null });
		},
	},
	'GET /api/settings/dashboard': {
		request: () => ({ url: '/api/settings/dashboard' }),
		check(_world, response) {
			expect(response.json()).toEqual({ showSharedFolders: true });
		},
	},
	'PUT /api/settings/dashboard': {
		request: () => ({ url: '/api/settings/dashboard', body: { showSharedFolders: false } }),
		check(_world, response) {
			expect(response.json()).toEqual({ showSharedFolders: false });
		},
	},
};
