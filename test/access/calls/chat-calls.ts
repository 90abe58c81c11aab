import { expect } from 'vitest';
import { attachmentsPath } from '#contract/chat/chat.ts';
import { multipart } from '../../support/app/http-client.ts';
import { newClientId } from '../../support/fixtures/chat.ts';
import type { AccessFixture } from '../access-fixture.ts';
import type { Actor } from '../access-table.ts';
import type { AccessCalls } from './access-call.ts';

const absentId = 'AAAAAAAAAAAAAAAAAAAAAA';

/** The conversation that an actor requests: their own, or another user's. */
function userIdOf({ userIds }: AccessFixture, actor: Actor): string {
	if (actor === 'I') return userIds.I ?? '';
	return (actor === 'X' || actor === 'D' ? userIds.other : userIds.O) ?? '';
}

const textFor = (userId: string) => `for ${userId} alone`;
const bytesFor = (userId: string) => Buffer.from(`a file for ${userId} alone`);

function fileRequest(userId: string) {
	const form = multipart({}, { field: 'file', name: 'note.txt', type: 'text/plain', bytes: bytesFor(userId) });
	return { url: `${attachmentsPath(userId)}?clientId=${newClientId()}`, body: form.body, headers: form.headers };
}

/** Writes a message of the owner to the user. @returns the sequence of the message */
async function writeTo(world: AccessFixture, userId: string): Promise<number> {
	const body = { clientId: newClientId(), message: textFor(userId) };
	return (await world.send('D', 'POST', { url: `/api/chats/${userId}/messages`, body })).json().sequence;
}

async function stateOf(world: AccessFixture, userId: string) {
	const { db } = world.deps;
	return db.selectFrom('conversations').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

/** The calls of the support chat. */
export const chatCalls: AccessCalls = {
	'GET /api/chats': {
		async request(world) {
			await writeTo(world, world.userIds.other ?? '');
			return { url: '/api/chats' };
		},
		check(world, response) {
			const userId = world.userIds.other ?? '';
			const found = response.json().items.find((item: { userId: string }) => item.userId === userId);
			expect(found.lastMessage.text).toBe(textFor(userId));
		},
	},
	'GET /api/chat-storage': {
		async request(world) {
			await writeTo(world, world.userIds.other ?? '');
			return { url: '/api/chat-storage' };
		},
		check(world, response) {
			const userId = world.userIds.other ?? '';
			const found = response.json().items.find((item: { userId: string }) => item.userId === userId);
			expect(found.usedBytes).toBeGreaterThanOrEqual(textFor(userId).length);
		},
	},
	'GET /api/chat-unread': {
		async request(world, actor) {
			if (actor === 'O') await writeTo(world, world.userIds.O ?? '');
			return { url: '/api/chat-unread' };
		},
		async check(world, response, _request, actor) {
			const own = await stateOf(world, world.userIds.O ?? '');
			if (actor === 'O') expect(response.json()).toEqual({ unread: own?.user_unread });
			else expect(response.json()).toEqual({ unread: expect.any(Number) });
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
		async check(world, response, { target }, actor) {
			const row = await world.deps.db
				.selectFrom('messages')
				.select(['user_id', 'sender', 'message'])
				.where('client_id', '=', target ?? '')
				.executeTakeFirst();
			const sender = actor === 'D' ? 'admin' : 'user';
			expect(row).toEqual({ user_id: userIdOf(world, actor), sender, message: 'said' });
			expect(response.json()).toMatchObject({ sender, clientId: target });
		},
	},
	'POST /api/chats/:userId/attachments': {
		request: (world, actor) => fileRequest(userIdOf(world, actor)),
		absent: () => fileRequest(absentId),
		check(world, response, _request, actor) {
			const { length } = bytesFor(userIdOf(world, actor));
			expect(response.json()).toMatchObject({ isFile: true, fileName: 'note.txt', fileSizeBytes: length });
		},
	},
	'GET /api/chats/:userId/attachments/:id': {
		async request(world, actor) {
			const userId = userIdOf(world, actor);
			const sent = await world.send('D', 'POST', fileRequest(userId));
			return { url: sent.json().message, target: userId };
		},
		absent: () => ({ url: `${attachmentsPath(absentId)}/${absentId}` }),
		hasRanges: true,
		check(_world, { statusCode, rawPayload }, { target = '' }) {
			expect(statusCode).toBe(200);
			expect(rawPayload).toEqual(bytesFor(target));
		},
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
			const own = await stateOf(world, world.userIds.O ?? '');
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
		check: (_world, response) =>
			expect(response.json()).toMatchObject({ email: 'owner@books.example', phone: '98000 11111' }),
	},
	'PUT /api/settings/contact-info': {
		async request(world) {
			const { version } = (await world.send('D', 'GET', { url: '/api/contact-info' })).json();
			const body = { email: 'owner@books.example', phone: '', version };
			return { url: '/api/settings/contact-info', body, target: String(version) };
		},
		async check({ deps }, response, { target }) {
			expect(response.json()).toEqual({ version: Number(target) + 1 });
			const kept = deps.db.selectFrom('settings').select('version').where('key', '=', 'contact-info');
			expect((await kept.executeTakeFirst())?.version).toBe(Number(target) + 1);
		},
	},
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
