import { expect } from 'vitest';
import { type AccessFixture, fileName, freshFolder, sharer } from '../access-fixture.ts';
import { type AccessCalls, absentId, equals, leavesRows, matches, reads } from './access-call.ts';

/** Returns the email address of a request: that of the actor, or of R if the actor is D or A. */
const recipientOf = (fixture: AccessFixture, actor: string) =>
	fixture.emails[actor === 'D' || actor === 'A' ? 'R' : actor];

/** Shares (for admins), shared nodes and the course. */
export const sharingCalls: AccessCalls = {
	'GET /api/shared': reads('/api/shared', (fixture, response, _request, actor) => {
		const ids = response.json().items.map(({ node }: { node: { id: string } }) => node.id);
		expect(ids).toEqual(actor === 'R' ? [fixture.shared.id] : []);
	}),
	'GET /api/shared/:id/nodes': reads(
		(fixture) => `/api/shared/${fixture.shared.id}/nodes`,
		(fixture, response) => {
			expect(response.json()).toMatchObject({ folder: { id: fixture.shared.id }, totals: { files: 3 } });
			expect(response.json().items.map(({ name }: { name: string }) => name)).toContain(fileName(sharer));
		},
		{ absent: `/api/shared/${absentId}/nodes` },
	),
	'GET /api/course': reads('/api/course', (fixture, response, _request, actor) => {
		const { items } = response.json();
		const modules = items.map((item: { node: { id: string }; lessons: number }) => [item.node.id, item.lessons]);
		expect(modules).toEqual(actor === 'R' ? [[fixture.shared.id, 3]] : []);
	}),
	'GET /api/course/modules/:id': reads(
		(fixture) => `/api/course/modules/${fixture.shared.id}`,
		(fixture, response) => {
			const { module, lessons } = response.json();
			expect(module.id).toBe(fixture.shared.id);
			expect(lessons.map(({ node }: { node: { id: string } }) => node.id)).toContain(fixture.files[sharer]);
		},
		{ absent: `/api/course/modules/${absentId}` },
	),
	'PUT /api/course/lessons/:id/progress': {
		request: (fixture) => ({
			url: `/api/course/lessons/${fixture.videos[sharer]}/progress`,
			body: { position: 70, total: 600 },
		}),
		absent: () => ({ url: `/api/course/lessons/${absentId}/progress`, body: { position: 70, total: 600 } }),
		check: [
			matches({ position: 70, isDone: false }),
			leavesRows('lesson_progress', (_target, { fixture, actor }) => ({ user_id: fixture.userIds[actor] ?? '' }), [
				{ position: 70 },
			]),
		],
	},
	'GET /api/shares': reads(
		(fixture, actor) => `/api/shares?email=${recipientOf(fixture, actor)}`,
		matches(({ fixture }) => ({ person: { email: fixture.emails.R }, items: [{ node: { id: fixture.shared.id } }] })),
	),
	'GET /api/shares/:id/nodes': reads(
		(fixture, actor) => `/api/shares/${fixture.shared.id}/nodes?email=${recipientOf(fixture, actor)}`,
		matches(({ fixture }) => ({ folder: { id: fixture.shared.id }, totals: { files: 3 } })),
	),
	'POST /api/shares': {
		async request(fixture, actor) {
			const target = await freshFolder(fixture, sharer);
			return { url: '/api/shares', body: { nodeId: target, email: recipientOf(fixture, actor) }, target };
		},
		check: [
			matches(({ target }) => ({ state: { id: target, state: 'own' } })),
			leavesRows('shares', (node_id) => ({ node_id }), [{ kind: 'share' }]),
		],
	},
	'POST /api/shares/many': {
		async request(fixture, actor) {
			const target = await freshFolder(fixture, sharer);
			return { url: '/api/shares/many', body: { ids: [target, absentId], email: recipientOf(fixture, actor) }, target };
		},
		check: [
			matches(({ target }) => ({ done: [target], refused: [{ id: absentId, code: 'NOT_FOUND' }] })),
			leavesRows('shares', (node_id) => ({ node_id }), [{ kind: 'share' }]),
		],
	},
	'POST /api/shares/remove': {
		async request(fixture, actor) {
			const target = await freshFolder(fixture, sharer);
			const { email } = await fixture.freshUser();
			await fixture.send('D', 'POST', { url: '/api/shares', body: { nodeId: target, email } });
			const recipient = actor === 'D' ? email : recipientOf(fixture, actor);
			return { url: '/api/shares/remove', body: { nodeId: target, email: recipient }, target };
		},
		check: [
			matches(({ target }) => ({ state: { id: target, state: 'none' } })),
			leavesRows('shares', (node_id) => ({ node_id }), []),
		],
	},
	'POST /api/shares/states': {
		request: (fixture, actor) => ({
			url: '/api/shares/states',
			body: { email: recipientOf(fixture, actor), ids: [fixture.files[sharer]] },
		}),
		check: matches(({ fixture }) => ({ items: [{ state: 'inherited', from: { id: fixture.shared.id } }] })),
	},
	'POST /api/shares/marks': {
		request: (fixture) => ({ url: '/api/shares/marks', body: { ids: [fixture.shared.id, fixture.files[sharer]] } }),
		check: equals(({ fixture }) => ({ ids: [fixture.shared.id] })),
	},
	'GET /api/nodes/:id/readers': reads(
		(fixture) => `/api/nodes/${fixture.files[sharer]}/readers`,
		matches(({ fixture }) => ({ owner: sharer, items: [{ email: fixture.emails.R, canRead: true }] })),
	),
	'GET /api/shared-folders': reads('/api/shared-folders', (fixture, response) => {
		const documents: Array<{ sharedWith: string; folderPath: string }> = response.json().items;
		const ofReader = documents.filter(({ sharedWith }) => sharedWith === fixture.emails.R);
		expect(ofReader.map(({ folderPath }) => folderPath)).toContain(fixture.shared.path);
	}),
	'GET /api/shared-files': reads(
		(fixture) => `/api/shared-files?email=${fixture.emails.R}`,
		equals({ items: [], nextCursor: null }),
	),
	'GET /api/settings/dashboard': reads('/api/settings/dashboard', equals({ showSharedFolders: true })),
	'PUT /api/settings/dashboard': {
		request: () => ({ url: '/api/settings/dashboard', body: { showSharedFolders: false } }),
		check: equals({ showSharedFolders: false }),
	},
};
