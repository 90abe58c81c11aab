import { expect } from 'vitest';
import { attachmentsPath } from '#contract/chat/chat.ts';
import { findRows, getRow } from '../../support/app/database-rows.ts';
import { newClientId } from '../../support/fixtures/chat.ts';
import type { AccessFixture, Actor } from '../access-fixture.ts';
import { type AccessCalls, after, call, fileForm, matches, savesSettings, sends, sendsRanges } from './access-call.ts';

const textFor = (userId: string) => `for ${userId} alone`;
const bytesFor = (userId: string) => Buffer.from(`a file for ${userId} alone`);

const fileRequest = (userId: string) => ({
	url: `${attachmentsPath(userId)}?clientId=${newClientId()}`,
	...fileForm('note.txt', 'text/plain', bytesFor(userId)),
});

/** Sends a message of the owner in the conversation that the actor requests. @returns its sequence number */
async function writeTo(fixture: AccessFixture, actor: Actor): Promise<number> {
	const userId = fixture.chats[actor];
	const body = { clientId: newClientId(), message: textFor(userId) };
	return (await fixture.send('D', 'POST', { url: `/api/chats/${userId}/messages`, body })).json().sequence;
}

const afterMessage = after(writeTo);

/** Creates a request that marks a new message of the owner as viewed. */
const viewMessage = async (fixture: AccessFixture, actor: Actor) => {
	const through = await writeTo(fixture, actor);
	return { body: { through }, target: String(through) };
};

const stateOf = async ({ deps, chats }: AccessFixture, actor: Actor) =>
	(await findRows(deps, 'conversations', { user_id: chats[actor] }))[0];

export const chatCalls: AccessCalls = {
	'GET /api/chat-unread': call(afterMessage, async (fixture, response, _request, actor) => {
		const own = await stateOf(fixture, 'O');
		expect(response.json()).toEqual({ unread: actor === 'O' ? own?.user_unread : expect.any(Number) });
	}),
	'GET /api/chats/:userId/messages': call(afterMessage, ({ chats }, response, _request, actor) =>
		expect(response.json().items.at(-1)).toMatchObject({ sender: 'admin', message: textFor(chats[actor]) }),
	),
	'POST /api/chats/:userId/messages': call(
		() => {
			const clientId = newClientId();
			return { body: { clientId, message: 'said' }, target: clientId };
		},
		async ({ deps, chats }, response, { target = '' }, actor) => {
			const sender = actor === 'D' ? 'admin' : 'user';
			const message = await getRow(deps, 'messages', { client_id: target });
			expect(message).toMatchObject({ user_id: chats[actor], sender, message: 'said' });
			expect(response.json()).toMatchObject({ sender, clientId: target });
		},
	),
	'POST /api/chats/:userId/attachments': call(
		({ chats }, actor) => fileRequest(chats[actor]),
		matches(({ fixture, actor }) => {
			return { isFile: true, fileName: 'note.txt', fileSizeBytes: bytesFor(fixture.chats[actor]).length };
		}),
	),
	'GET /api/chats/:userId/attachments/:id': call(
		async (fixture, actor) => (await fixture.send('D', 'POST', fileRequest(fixture.chats[actor]))).json().message,
		sends(({ fixture, actor }) => bytesFor(fixture.chats[actor])),
		sendsRanges,
	),
	'POST /api/chats/:userId/typing': call({ body: {} }, async (fixture, response, _request, actor) => {
		expect(response.json()).toEqual({});
		const row = await stateOf(fixture, actor);
		const at = fixture.clock.now().toISOString();
		expect(actor === 'D' ? row?.admin_typing_at : row?.user_typing_at).toBe(at);
	}),
	'POST /api/chat-viewed': call(
		(fixture, actor) => (actor === 'O' ? viewMessage(fixture, actor) : { body: { through: 1 } }),
		async (fixture, response, { target }, actor) => {
			expect(response.json()).toEqual({});
			if (actor === 'O') expect((await stateOf(fixture, 'O'))?.user_viewed_through).toBe(Number(target));
		},
	),
};

export const contactInfoCalls: AccessCalls = {
	'GET /api/contact-info': call(
		after(async ({ send }) => {
			const { version } = (await send('D', 'GET', { url: '/api/contact-info' })).json();
			const body = { email: 'owner@books.example', phone: '98000 11111', version };
			await send('D', 'PUT', { url: '/api/settings/contact-info', body });
		}),
		matches({ email: 'owner@books.example', phone: '98000 11111' }),
	),
};

export const adminChatCalls: AccessCalls = {
	'GET /api/chats': call(afterMessage, ({ chats }, response) => {
		const conversation = response.json().items.find((item: { userId: string }) => item.userId === chats.D);
		expect(conversation.lastMessage.text).toBe(textFor(chats.D));
	}),
	'GET /api/chat-storage': call(afterMessage, ({ chats }, response) => {
		const conversation = response.json().items.find((item: { userId: string }) => item.userId === chats.D);
		expect(conversation.usedBytes).toBeGreaterThanOrEqual(textFor(chats.D).length);
	}),
	'GET /api/chats/:userId/hits': call(
		async (fixture, actor) => {
			const target = String(await writeTo(fixture, actor));
			return { url: `?search=${encodeURIComponent(textFor(fixture.chats[actor]))}`, target };
		},
		(_world, response, { target }) => expect(response.json().sequences[0]).toBe(Number(target)),
	),
	'POST /api/chats/:userId/viewed': call(viewMessage, async (fixture, _response, { target }, actor) =>
		expect((await stateOf(fixture, actor))?.admin_viewed_through).toBe(Number(target)),
	),
	'PUT /api/settings/contact-info': savesSettings(
		'contact-info',
		() => ({ email: 'owner@books.example', phone: '' }),
		'/api/contact-info',
	),
	'DELETE /api/chats/:userId/messages': call(afterMessage, async (fixture, _response, _request, actor) => {
		const row = await stateOf(fixture, actor);
		expect(row?.cleared_through).toBe(row?.last_sequence);
	}),
};
