import { expect } from 'vitest';
import { type AccessFixture, fileName, freshFolder, sharer } from '../access-fixture.ts';
import { type AccessCalls, absentId, call, equals, leavesRows, matches } from './access-call.ts';

/** Returns the email address of R for D and A, and the email address of the actor otherwise. */
const recipientOf = (fixture: AccessFixture, actor: string) =>
	fixture.emails[actor === 'D' || actor === 'A' ? 'R' : actor];

export const sharedWithMeCalls: AccessCalls = {
	'GET /api/shared': call({}, (fixture, response, _request, actor) => {
		const ids = response.json().items.map(({ node }: { node: { id: string } }) => node.id);
		expect(ids).toEqual(actor === 'R' ? [fixture.shared.id] : []);
	}),
	'GET /api/shared/:id/nodes': call(
		({ shared }) => ({ target: shared.id }),
		(fixture, response) => {
			expect(response.json()).toMatchObject({ folder: { id: fixture.shared.id }, totals: { files: 3 } });
			expect(response.json().items.map(({ name }: { name: string }) => name)).toContain(fileName(sharer));
		},
	),
	'GET /api/course': call({}, (fixture, response, _request, actor) => {
		const { items } = response.json();
		const modules = items.map((item: { node: { id: string }; lessons: number }) => [item.node.id, item.lessons]);
		expect(modules).toEqual(actor === 'R' ? [[fixture.shared.id, 3]] : []);
	}),
	'GET /api/course/modules/:id': call(
		({ shared }) => ({ target: shared.id }),
		(fixture, response) => {
			const { module, lessons } = response.json();
			expect(module.id).toBe(fixture.shared.id);
			expect(lessons.map(({ node }: { node: { id: string } }) => node.id)).toContain(fixture.files[sharer]);
		},
	),
	'PUT /api/course/lessons/:id/progress': call(
		({ videos }) => ({ body: { position: 70, total: 600 }, target: videos[sharer] }),
		matches({ position: 70, isDone: false }),
		leavesRows('lesson_progress', (_target, { fixture, actor }) => ({ user_id: fixture.userIds[actor] ?? '' }), [
			{ position: 70 },
		]),
	),
};

export const sharingCalls: AccessCalls = {
	'GET /api/shares': call(
		(fixture, actor) => `?email=${recipientOf(fixture, actor)}`,
		matches(({ fixture }) => ({ person: { email: fixture.emails.R }, items: [{ node: { id: fixture.shared.id } }] })),
	),
	'GET /api/shares/:id/nodes': call(
		(fixture, actor) => ({ url: `?email=${recipientOf(fixture, actor)}`, target: fixture.shared.id }),
		matches(({ fixture }) => ({ folder: { id: fixture.shared.id }, totals: { files: 3 } })),
	),
	'POST /api/shares': call(
		async (fixture, actor) => {
			const target = await freshFolder(fixture, sharer);
			return { body: { nodeId: target, email: recipientOf(fixture, actor) }, target };
		},
		matches(({ target }) => ({ state: { id: target, state: 'own' } })),
		leavesRows('shares', (node_id) => ({ node_id }), [{ kind: 'share' }]),
	),
	'POST /api/shares/many': call(
		async (fixture, actor) => {
			const target = await freshFolder(fixture, sharer);
			return { body: { ids: [target, absentId], email: recipientOf(fixture, actor) }, target };
		},
		matches(({ target }) => ({ done: [target], refused: [{ id: absentId, code: 'NOT_FOUND' }] })),
		leavesRows('shares', (node_id) => ({ node_id }), [{ kind: 'share' }]),
	),
	'POST /api/shares/remove': call(
		async (fixture, actor) => {
			const target = await freshFolder(fixture, sharer);
			const { email } = await fixture.freshUser();
			await fixture.send('D', 'POST', { url: '/api/shares', body: { nodeId: target, email } });
			const recipient = actor === 'D' ? email : recipientOf(fixture, actor);
			return { body: { nodeId: target, email: recipient }, target };
		},
		matches(({ target }) => ({ state: { id: target, state: 'none' } })),
		leavesRows('shares', (node_id) => ({ node_id }), []),
	),
	'POST /api/shares/states': call(
		(fixture, actor) => ({ body: { email: recipientOf(fixture, actor), ids: [fixture.files[sharer]] } }),
		matches(({ fixture }) => ({ items: [{ state: 'inherited', from: { id: fixture.shared.id } }] })),
	),
	'POST /api/shares/marks': call(
		(fixture) => ({ body: { ids: [fixture.shared.id, fixture.files[sharer]] } }),
		equals(({ fixture }) => ({ ids: [fixture.shared.id] })),
	),
	'GET /api/nodes/:id/readers': call(
		({ files }) => ({ target: files[sharer] }),
		matches(({ fixture }) => ({ owner: sharer, items: [{ email: fixture.emails.R, canRead: true }] })),
	),
	'GET /api/shared-folders': call({}, (fixture, response) => {
		const documents: Array<{ sharedWith: string; folderPath: string }> = response.json().items;
		const ofReader = documents.filter(({ sharedWith }) => sharedWith === fixture.emails.R);
		expect(ofReader.map(({ folderPath }) => folderPath)).toContain(fixture.shared.path);
	}),
	'GET /api/shared-files': call((fixture) => `?email=${fixture.emails.R}`, equals({ items: [], nextCursor: null })),
};

export const dashboardCalls: AccessCalls = {
	'GET /api/settings/dashboard': call({}, equals({ showSharedFolders: true })),
};

export const adminDashboardCalls: AccessCalls = {
	'PUT /api/settings/dashboard': call({ body: { showSharedFolders: false } }, equals({ showSharedFolders: false })),
};
