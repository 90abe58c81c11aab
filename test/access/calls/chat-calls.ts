import { expect } from 'vitest';
import { attachmentsPath } from '#contract/chat/chat.ts';
import { findRows, getRow } from '../../support/app/database-rows.ts';
import { multipart } from '../../support/app/http-client.ts';
import { newClientId } from '../../support/fixtures/chat.ts';
import type { AccessFixture } from '../access-fixture.ts';
import type { Actor } from '../access-table.ts';
import { type AccessCalls, absentId, matches, savesSettings, sends } from './access-call.ts';

/** The conversation that an actor requests: their own, or another user's. */
function userIdOf({ userIds }: AccessFixture, actor: Actor): string {
	if (actor === 'I') return userIds.I ?? '';
	return (actor === 'X' || actor === 'D' ? userIds.other : userIds.O) ?? '';
}

const textFor = (userId: string) => `for ${userId} alone`;
const bytesFor = (userId: string) => Buffer.from(`a file for ${userId} alone`);

function fileRequest(userId: string) {
	const form = multipart({}, { field: 'file', name: 'note.txt', type: 'text/plain', bytes: bytesFor(userId) });
	return { url: `${attachmentsPath(userId)}?clientId=${newClientId()}`, ...form };
}

/** Writes a message of the owner to the user. @returns the sequence of the message */
async function writeTo(world: AccessFixture, userId: string): Promise<number> {
	const body = { clientId: newClientId(), message: textFor(userId) };
	return (await world.send('D', 'POST', { url: `/api/chats/${userId}/messages`, body })).json().sequence;
}

/** Creates the request that reads a list after the owner has written to another user. */
const afterMessage = (url: string) => async (world: AccessFixture) => {
	await writeTo(world, world.userIds.other ?? '');
	return { url };
};

const stateOf = async ({ deps }: AccessFixture, userId = '') =>
	(await findRows(deps, 'conversations', { user_id: userId }))[0];

/** The calls of the support chat. */
export const chatCalls: AccessCalls = {
	'GET /api/chats': {
		request: afterMessage('/api/chats'),
		check({ userIds }, response) {
			const found = response.json().items.find((item: { userId: string }) => item.userId === userIds.other);
			expect(found.lastMessage.text).toBe(textFor(userIds.other ?? ''));
		},
	},
	'GET /api/chat-storage': {
		request: afterMessage('/api/chat-storage'),
		check({ userIds }, response) {
			const found = response.json().items.find((item: { userId: string }) => item.userId === userIds.other);
			expect(found.usedBytes).toBeGreaterThanOrEqual(textFor(userIds.other ?? '').length);
		},
	},
	'GET /api/chat-unread': {
		async request(world, actor) {
			if (actor === 'O') await writeTo(world, world.userIds.O ?? '');
			return { url: '/api/chat-unread' };
		},
		async check(world, response, _request, actor) {
			const own = await stateOf(world, world.userIds.O);
			expect(response.json()).toEqual({ unread: actor === 'O' ? own?.user_unread : expect.any(Number) });
		},
	},
	'GET /api/chats/:userId/messages': {
		async request(world, actor) {
			const userId = userIdOf(world, actor);
			await writeTo(world, userId);
			return { url: `/api/chats/${userId}/messages`, target: userId };
		},
		absent: () => ({ url: `/api/chats/${absentId}/messages` }),
		check(_world, response, { target = '' }) {
			expect(response.json().items.at(-1)).toMatchObject({ sender: 'admin', message: textFor(target) });
		},
	},
	'GET /api/chats/:userId/hits': {
		async request(world, actor) {
			const userId = userIdOf(world, actor);
			const said = await writeTo(world, userId);
			return { url: `/api/chats/${userId}/hits?search=${encodeURIComponent(textFor(userId))}`, target: String(said) };
		},
		absent: () => ({ url: `/api/chats/${absentId}/hits?search=alone` }),
		check(_world, response, { target }) {
			expect(response.json().sequences[0]).toBe(Number(target));
		},
	},
	'POST /api/chats/:userId/messages': {
		request(world, actor) {
			const clientId = newClientId();
			const userId = userIdOf(world, actor);
			return { url: `/api/chats/${userId}/messages`, body: { clientId, message: 'said' }, target: clientId };
		},
		absent: () => ({ url: `/api/chats/${absentId}/messages`, body: { clientId: newClientId(), message: 'said' } }),
		async check(world, response, { target = '' }, actor) {
			const sender = actor === 'D' ? 'admin' : 'user';
			const message = await getRow(world.deps, 'messages', { client_id: target });
			expect(message).toMatchObject({ user_id: userIdOf(world, actor), sender, message: 'said' });
			expect(response.json()).toMatchObject({ sender, clientId: target });
		},
	},
	'POST /api/chats/:userId/attachments': {
		request: (world, actor) => fileRequest(userIdOf(world, actor)),
		absent: () => fileRequest(absentId),
		check: matches(({ world, actor }) => {
			const fileSizeBytes = bytesFor(userIdOf(world, actor)).length;
			return { isFile: true, fileName: 'note.txt', fileSizeBytes };
		}),
	},
	'GET /api/chats/:userId/attachments/:id': {
		async request(world, actor) {
			const userId = userIdOf(world, actor);
			const sent = await world.send('D', 'POST', fileRequest(userId));
			return { url: sent.json().message, target: userId };
		},
		absent: () => ({ url: `${attachmentsPath(absentId)}/${absentId}` }),
		hasRanges: true,
		check: sends(({ target }) => bytesFor(target)),
	},
	'POST /api/chats/:userId/typing': {
		request: (world, actor) => ({ url: `/api/chats/${userIdOf(world, actor)}/typing`, body: {} }),
		absent: () => ({ url: `/api/chats/${absentId}/typing`, body: {} }),
		async check(world, response, _request, actor) {
			expect(response.json()).toEqual({});
			const row = await stateOf(world, userIdOf(world, actor));
			const at = world.clock.now().toISOString();
			expect(actor === 'D' ? row?.admin_typing_at : row?.user_typing_at).toBe(at);
		},
	},
	'POST /api/chat-viewed': {
		async request(world, actor) {
			if (actor !== 'O') return { url: '/api/chat-viewed', body: { through: 1 } };
			const through = await writeTo(world, world.userIds.O ?? '');
			return { url: '/api/chat-viewed', body: { through }, target: String(through) };
		},
		async check(world, response, { target }, actor) {
			expect(response.json()).toEqual({});
			const own = await stateOf(world, world.userIds.O);
			if (actor === 'O') expect(own?.user_viewed_through).toBe(Number(target));
		},
	},
	'POST /api/chats/:userId/viewed': {
		async request(world, actor) {
			const userId = userIdOf(world, actor);
			const through = await writeTo(world, userId);
			return { url: `/api/chats/${userId}/viewed`, body: { through }, target: String(through) };
		},
		async check(world, _response, { target }, actor) {
			expect((await stateOf(world, userIdOf(world, actor)))?.admin_viewed_through).toBe(Number(target));
		},
	},
	'GET /api/contact-info': {
		async request(world) {
			const { version } = (await world.send('D', 'GET', { url: '/api/contact-info' })).json();
			const body = { email: 'owner@books.example', phone: '98000 11111', version };
			await world.send('D', 'PUT', { url: '/api/settings/contact-info', body });
			return { url: '/api/contact-info' };
		},
		check: matches({ email: 'owner@books.example', phone: '98000 11111' }),
	},
	'PUT /api/settings/contact-info': savesSettings(
		'contact-info',
		() => ({ email: 'owner@books.example', phone: '' }),
		'/api/contact-info',
	),
	'DELETE /api/chats/:userId/messages': {
		async request(world, actor) {
			const userId = userIdOf(world, actor);
			await writeTo(world, userId);
			return { url: `/api/chats/${userId}/messages` };
		},
		async check(world, _response, _request, actor) {
			const row = await stateOf(world, userIdOf(world, actor));
			expect(row?.cleared_through).toBe(row?.last_sequence);
		},
	},
};
