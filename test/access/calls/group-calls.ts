import { randomUUID } from 'node:crypto';
import { freshGroup } from '../access-fixture.ts';
import { type AccessCalls, call, leavesRows, lists, matches } from './access-call.ts';

const newName = () => `Group ${randomUUID()}`;

export const groupCalls: AccessCalls = {
	'GET /api/groups': call(
		async (fixture) => ({ target: await freshGroup(fixture) }),
		lists(({ target }) => ({ id: target, memberCount: 1 })),
		matches({ computed: [{ id: 'all-members' }, { id: 'book-owners' }] }),
	),
	'POST /api/groups': call(
		() => {
			const name = newName();
			return { body: { name }, target: name };
		},
		matches(({ target }) => ({ name: target, memberCount: 0 })),
		leavesRows('groups', (name) => ({ name }), [{}]),
	),
	'POST /api/groups/:id/rename': call(
		async (fixture) => ({ target: await freshGroup(fixture), body: { name: newName() } }),
		matches(({ target }) => ({ id: target })),
	),
	'DELETE /api/groups/:id': call(
		async (fixture) => ({ target: await freshGroup(fixture) }),
		leavesRows('groups', (id) => ({ id }), []),
		leavesRows('group_members', (group_id) => ({ group_id }), []),
	),
	'GET /api/groups/:id/members': call(
		async (fixture) => ({ target: await freshGroup(fixture) }),
		lists(({ fixture }) => ({ id: fixture.userIds.other })),
		matches(({ target }) => ({ group: { id: target, memberCount: 1 } })),
	),
	'POST /api/groups/:id/members': call(
		async (fixture) => ({ target: await freshGroup(fixture), body: { userIds: [fixture.userIds.X] } }),
		matches({ added: 1, alreadyMembers: 0 }),
		leavesRows('group_members', (group_id, { fixture }) => ({ group_id, user_id: fixture.userIds.X ?? '' }), [{}]),
	),
	'POST /api/groups/:id/members/remove': call(
		async (fixture) => ({ target: await freshGroup(fixture), body: { userIds: [fixture.userIds.other] } }),
		matches({ removed: 1 }),
		leavesRows('group_members', (group_id) => ({ group_id }), []),
	),
};
