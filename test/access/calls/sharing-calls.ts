import { expect } from 'vitest';
import { type AccessFixture, fileName, freshFolder, sharer } from '../access-fixture.ts';
import { type AccessCalls, absentId, equals, leavesRows, matches, reads } from './access-call.ts';

/** Returns the email address that a call is about: that of the actor, or of R for an admin or an anonymous actor. */
const recipientOf = (world: AccessFixture, actor: string) => world.emails[actor === 'D' || actor === 'A' ? 'R' : actor];

/** Calls that write and list shares as an admin, read shared nodes, and read the course made of them. */
export const sharingCalls: AccessCalls = {
	'GET /api/shared': reads('/api/shared', (world, response, _request, actor) => {
		const ids = response.json().items.map(({ node }: { node: { id: string } }) => node.id);
		expect(ids).toEqual(actor === 'R' ? [world.shared.id] : []);
	}),
	'GET /api/shared/:id/nodes': reads(
		(world) => `/api/shared/${world.shared.id}/nodes`,
		(world, response) => {
			expect(response.json()).toMatchObject({ folder: { id: world.shared.id }, totals: { files: 3 } });
			expect(response.json().items.map(({ name }: { name: string }) => name)).toContain(fileName(sharer));
		},
		{ absent: `/api/shared/${absentId}/nodes` },
	),
	'GET /api/course': reads('/api/course', (world, response, _request, actor) => {
		const { items } = response.json();
		const modules = items.map((item: { node: { id: string }; lessons: number }) => [item.node.id, item.lessons]);
		expect(modules).toEqual(actor === 'R' ? [[world.shared.id, 3]] : []);
	}),
	'GET /api/course/modules/:id': reads(
		(world) => `/api/course/modules/${world.shared.id}`,
		(world, response) => {
			const { module, lessons } = response.json();
			expect(module.id).toBe(world.shared.id);
			expect(lessons.map(({ node }: { node: { id: string } }) => node.id)).toContain(world.files[sharer]);
		},
		{ absent: `/api/course/modules/${absentId}` },
	),
	'PUT /api/course/lessons/:id/progress': {
		request: (world) => ({
			url: `/api/course/lessons/${world.videos[sharer]}/progress`,
			body: { position: 70, total: 600 },
		}),
		absent: () => ({ url: `/api/course/lessons/${absentId}/progress`, body: { position: 70, total: 600 } }),
		check: [
			matches({ position: 70, isDone: false }),
			leavesRows('lesson_progress', (_target, { world, actor }) => ({ user_id: world.userIds[actor] ?? '' }), [
				{ position: 70 },
			]),
		],
	},
	'GET /api/shares': reads(
		(world, actor) => `/api/shares?email=${recipientOf(world, actor)}`,
		matches(({ world }) => ({ person: { email: world.emails.R }, items: [{ node: { id: world.shared.id } }] })),
	),
	'GET /api/shares/:id/nodes': reads(
		(world, actor) => `/api/shares/${world.shared.id}/nodes?email=${recipientOf(world, actor)}`,
		matches(({ world }) => ({ folder: { id: world.shared.id }, totals: { files: 3 } })),
	),
	'POST /api/shares': {
		async request(world, actor) {
			const target = await freshFolder(world, sharer);
			return { url: '/api/shares', body: { nodeId: target, email: recipientOf(world, actor) }, target };
		},
		check: [
			matches(({ target }) => ({ state: { id: target, state: 'own' } })),
			leavesRows('shares', (node_id) => ({ node_id }), [{ kind: 'share' }]),
		],
	},
	'POST /api/shares/many': {
		async request(world, actor) {
			const target = await freshFolder(world, sharer);
			return { url: '/api/shares/many', body: { ids: [target, absentId], email: recipientOf(world, actor) }, target };
		},
		check: [
			matches(({ target }) => ({ done: [target], refused: [{ id: absentId, code: 'NOT_FOUND' }] })),
			leavesRows('shares', (node_id) => ({ node_id }), [{ kind: 'share' }]),
		],
	},
	'POST /api/shares/remove': {
		async request(world, actor) {
			const target = await freshFolder(world, sharer);
			const { email } = await world.freshUser();
			await world.send('D', 'POST', { url: '/api/shares', body: { nodeId: target, email } });
			const of = actor === 'D' ? email : recipientOf(world, actor);
			return { url: '/api/shares/remove', body: { nodeId: target, email: of }, target };
		},
		check: [
			matches(({ target }) => ({ state: { id: target, state: 'none' } })),
			leavesRows('shares', (node_id) => ({ node_id }), []),
		],
	},
	'POST /api/shares/states': {
		request: (world, actor) => ({
			url: '/api/shares/states',
			body: { email: recipientOf(world, actor), ids: [world.files[sharer]] },
		}),
		check: matches(({ world }) => ({ items: [{ state: 'inherited', from: { id: world.shared.id } }] })),
	},
	'POST /api/shares/marks': {
		request: (world) => ({ url: '/api/shares/marks', body: { ids: [world.shared.id, world.files[sharer]] } }),
		check: equals(({ world }) => ({ ids: [world.shared.id] })),
	},
	'GET /api/nodes/:id/readers': reads(
		(world) => `/api/nodes/${world.files[sharer]}/readers`,
		matches(({ world }) => ({ owner: sharer, items: [{ email: world.emails.R, canRead: true }] })),
	),
	'GET /api/shared-folders': reads('/api/shared-folders', (world, response) => {
		const documents: Array<{ sharedWith: string; folderPath: string }> = response.json().items;
		const ofReader = documents.filter(({ sharedWith }) => sharedWith === world.emails.R);
		expect(ofReader.map(({ folderPath }) => folderPath)).toContain(world.shared.path);
	}),
	'GET /api/shared-files': reads(
		(world) => `/api/shared-files?email=${world.emails.R}`,
		equals({ items: [], nextCursor: null }),
	),
	'GET /api/settings/dashboard': reads('/api/settings/dashboard', equals({ showSharedFolders: true })),
	'PUT /api/settings/dashboard': {
		request: () => ({ url: '/api/settings/dashboard', body: { showSharedFolders: false } }),
		check: equals({ showSharedFolders: false }),
	},
};
