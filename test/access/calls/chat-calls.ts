import { expect } from 'vitest';
import { attachmentsPath } from '#contract/chat/chat.ts';
import { findRows, getRow } from '../../support/app/database-rows.ts';
import { multipart } from '../../support/app/http-client.ts';
import { newClientId } from '../../support/fixtures/chat.ts';
import type { AccessFixture } from '../access-fixture.ts';
import type { Actor } from '../access-table.ts';
import { type AccessCalls, absentId, matches, savesSettings, sends } from './access-call.ts';

/** Returns the ID of the user whose conversation an actor requests. */
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

/** Sends a message from the owner to the user. @returns the sequence of the message */
async function writeTo(fixture: AccessFixture, userId: string): Promise<number> {
	const body = { clientId: newClientId(), message: textFor(userId) };
	return (await fixture.send('D', 'POST', { url: `/api/chats/${userId}/messages`, body })).json().sequence;
}

/** Creates a request that reads a list after the owner has sent a message. */
const afterMessage = (url: string) => async (fixture: AccessFixture) => {
	await writeTo(fixture, fixture.userIds.other ?? '');
	return { url };
};

const stateOf = async ({ deps }: AccessFixture, userId = '') =>
	(await findRows(deps, 'conversations', { user_id: userId }))[0];

/** The calls of the support chat. */
export const chatCalls: AccessCalls = {
	'GET /api/chats': {
		request: afterMessage('/api/chats'),
		check({ userIds }, response) {
			const conversation = response.json().items.find((item: { userId: string }) => item.userId === userIds.other);
			expect(conversation.lastMessage.text).toBe(textFor(userIds.other ?? ''));
		},
	},
	'GET /api/chat-storage': {
		request: afterMessage('/api/chat-storage'),
		check({ userIds }, response) {
			const conversation = response.json().items.find((item: { userId: string }) => item.userId === userIds.other);
			expect(conversation.usedBytes).toBeGreaterThanOrEqual(textFor(userIds.other ?? '').length);
		},
	},
	'GET /api/chat-unread': {
		async request(fixture, actor) {
			if (actor === 'O') await writeTo(fixture, fixture.userIds.O ?? '');
			return { url: '/api/chat-unread' };
		},
		async check(fixture, response, _request, actor) {
			const own = await stateOf(fixture, fixture.userIds.O);
			expect(response.json()).toEqual({ unread: actor === 'O' ? own?.user_unread : expect.any(Number) });
		},
	},
	'GET /api/chats/:userId/messages': {
		async request(fixture, actor) {
			const userId = userIdOf(fixture, actor);
			await writeTo(fixture, userId);
			return { url: `/api/chats/${userId}/messages`, target: userId };
		},
		absent: () => ({ url: `/api/chats/${absentId}/messages` }),
		check(_world, response, { target = '' }) {
			expect(response.json().items.at(-1)).toMatchObject({ sender: 'admin', message: textFor(target) });
		},
	},
	'GET /api/chats/:userId/hits': {
		async request(fixture, actor) {
			const userId = userIdOf(fixture, actor);
			const sequence = await writeTo(fixture, userId);
			return {
				url: `/api/chats/${userId}/hits?search=${encodeURIComponent(textFor(userId))}`,
				target: String(sequence),
			};
		},
		absent: () => ({ url: `/api/chats/${absentId}/hits?search=alone` }),
		check(_world, response, { target }) {
			expect(response.json().sequences[0]).toBe(Number(target));
		},
	},
	'POST /api/chats/:userId/messages': {
		request(fixture, actor) {
			const clientId = newClientId();
			const userId = userIdOf(fixture, actor);
			return { url: `/api/chats/${userId}/messages`, body: { clientId, message: 'said' }, target: clientId };
		},
		absent: () => ({ url: `/api/chats/${absentId}/messages`, body: { clientId: newClientId(), message: 'said' } }),
		async check(fixture, response, { target = '' }, actor) {
			const sender = actor === 'D' ? 'admin' : 'user';
			const message = await getRow(fixture.deps, 'messages', { client_id: target });
			expect(message).toMatchObject({ user_id: userIdOf(fixture, actor), sender, message: 'said' });
			expect(response.json()).toMatchObject({ sender, clientId: target });
		},
	},
	'POST /api/chats/:userId/attachments': {
		request: (fixture, actor) => fileRequest(userIdOf(fixture, actor)),
		absent: () => fileRequest(absentId),
		check: matches(({ fixture, actor }) => {
			const fileSizeBytes = bytesFor(userIdOf(fixture, actor)).length;
			return { isFile: true, fileName: 'note.txt', fileSizeBytes };
		}),
	},
	'GET /api/chats/:userId/attachments/:id': {
		async request(fixture, actor) {
			const userId = userIdOf(fixture, actor);
			const sent = await fixture.send('D', 'POST', fileRequest(userId));
			return { url: sent.json().message, target: userId };
		},
		absent: () => ({ url: `${attachmentsPath(absentId)}/${absentId}` }),
		hasRanges: true,
		check: sends(({ target }) => bytesFor(target)),
	},
	'POST /api/chats/:userId/typing': {
		request: (fixture, actor) => ({ url: `/api/chats/${userIdOf(fixture, actor)}/typing`, body: {} }),
		absent: () => ({ url: `/api/chats/${absentId}/typing`, body: {} }),
		async check(fixture, response, _request, actor) {
			expect(response.json()).toEqual({});
			const row = await stateOf(fixture, userIdOf(fixture, actor));
			const at = fixture.clock.now().toISOString();
			expect(actor === 'D' ? row?.admin_typing_at : row?.user_typing_at).toBe(at);
		},
	},
	'POST /api/chat-viewed': {
		async request(fixture, actor) {
			if (actor !== 'O') return { url: '/api/chat-viewed', body: { through: 1 } };
			const through = await writeTo(fixture, fixture.userIds.O ?? '');
			return { url: '/api/chat-viewed', body: { through }, target: String(through) };
		},
		async check(fixture, response, { target }, actor) {
			expect(response.json()).toEqual({});
			const own = await stateOf(fixture, fixture.userIds.O);
			if (actor === 'O') expect(own?.user_viewed_through).toBe(Number(target));
		},
	},
	'POST /api/chats/:userId/viewed': {
		async request(fixture, actor) {
			const userId = userIdOf(fixture, actor);
			const through = await writeTo(fixture, userId);
			return { url: `/api/chats/${userId}/viewed`, body: { through }, target: String(through) };
		},
		async check(fixture, _response, { target }, actor) {
			expect((await stateOf(fixture, userIdOf(fixture, actor)))?.admin_viewed_through).toBe(Number(target));
		},
	},
	'GET /api/contact-info': {
		async request(fixture) {
			const { version } = (await fixture.send('D', 'GET', { url: '/api/contact-info' })).json();
			const body = { email: 'owner@books.example', phone: '98000 11111', version };
			await fixture.send('D', 'PUT', { url: '/api/settings/contact-info', body });
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
		async request(fixture, actor) {
			const userId = userIdOf(fixture, actor);
			await writeTo(fixture, userId);
			return { url: `/api/chats/${userId}/messages` };
		},
		async check(fixture, _response, _request, actor) {
			const row = await stateOf(fixture, userIdOf(fixture, actor));
			expect(row?.cleared_through).toBe(row?.last_sequence);
		},
	},
};
