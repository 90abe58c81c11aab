import { expect } from 'vitest';
import { replyFilesPath } from '#contract/chat/canned-replies.ts';
import { findRows } from '../../support/app/database-rows.ts';
import { newClientId } from '../../support/fixtures/chat.ts';
import type { AccessFixture } from '../access-fixture.ts';
import { type AccessCalls, call, equals, fileForm, leavesRows, matches, sends, sendsRanges } from './access-call.ts';

const replyBytes = Buffer.from('the bytes of a canned reply');
let replyCount = 0;

async function addReply(fixture: AccessFixture): Promise<{ id: string; name: string; version: number }> {
	replyCount += 1;
	const body = { name: `reply ${replyCount}`, message: 'Namaste {name}' };
	return (await fixture.send('D', 'POST', { url: '/api/canned-replies', body })).json();
}

const form = fileForm('how.txt', 'text/plain', replyBytes);

/** Creates a canned reply with a file. @returns the URL of the file, and the ID of the file as the target */
async function addFile(fixture: AccessFixture): Promise<{ url: string; target: string }> {
	const { id } = await addReply(fixture);
	const target: string = (await fixture.send('D', 'POST', { url: replyFilesPath(id), ...form })).json().id;
	return { url: `${replyFilesPath(id)}/${target}`, target };
}

async function replyIds({ deps }: AccessFixture): Promise<string[]> {
	const rows = await findRows(deps, 'canned_replies');
	return rows.sort((a, b) => a.position - b.position).map(({ id }) => id);
}

export const cannedReplyCalls: AccessCalls = {
	'GET /api/chats/:userId/person': call(
		({ userIds }) => `/api/chats/${userIds.U}/person`,
		matches(({ fixture }) => ({
			person: { id: fixture.userIds.U, email: fixture.emails.U },
			orders: [{ id: fixture.order.id }],
			book: { access: 'pending', editions: [] },
		})),
	),
	'POST /api/chats/:userId/login': call(
		async (fixture) => {
			const { id, email } = await fixture.freshUser();
			return { url: `/api/chats/${id}/login`, body: {}, target: email };
		},
		equals(({ target }) => ({ email: target })),
		leavesRows('outbox', (recipient) => ({ recipient }), [{ kind: 'invitation' }]),
	),
	'POST /api/chats/:userId/reply-files': call(
		async (fixture) => {
			const body = { clientId: newClientId(), fileId: (await addFile(fixture)).target };
			return { url: `/api/chats/${fixture.userIds.O}/reply-files`, body, target: body.clientId };
		},
		matches(({ target }) => ({ clientId: target, sender: 'admin', isFile: true, fileName: 'how.txt' })),
		async (fixture, response) => {
			const read = await fixture.send('O', 'GET', { url: response.json().message });
			expect(read.rawPayload).toEqual(replyBytes);
		},
	),
	'GET /api/canned-replies': call(
		async (fixture) => ({ target: (await addReply(fixture)).name }),
		(_world, response, { target }) =>
			expect(response.json().items.at(-1)).toMatchObject({ name: target, message: 'Namaste {name}', files: [] }),
	),
	'POST /api/canned-replies': call(
		{ body: { name: 'new', message: 'words' } },
		matches({ name: 'new', message: 'words', version: 1 }),
		async (fixture, response) => expect(await replyIds(fixture)).toContain(response.json().id),
	),
	'PUT /api/canned-replies/:id': call(
		async (fixture) => {
			const { id, version } = await addReply(fixture);
			return { body: { name: 'other', message: 'words', version }, target: id };
		},
		matches(({ target }) => ({ id: target, name: 'other', version: 2 })),
	),
	'DELETE /api/canned-replies/:id': call(
		async (fixture) => ({ target: (await addReply(fixture)).id }),
		equals({}),
		leavesRows('canned_replies', (id) => ({ id }), []),
	),
	'POST /api/canned-replies-order': call(
		async (fixture) => {
			await addReply(fixture);
			await addReply(fixture);
			const ids = (await replyIds(fixture)).toReversed();
			return { body: { ids }, target: ids.join() };
		},
		equals({}),
		async (fixture, _response, { target }) => expect((await replyIds(fixture)).join()).toBe(target),
	),
	'POST /api/canned-replies/:id/files': call(
		async (fixture) => ({ ...form, target: (await addReply(fixture)).id }),
		matches({ name: 'how.txt', sizeBytes: replyBytes.length }),
		async ({ deps }, response) =>
			expect(await findRows(deps, 'canned_reply_files', { id: response.json().id })).toHaveLength(1),
	),
	'GET /api/canned-replies/:id/files/:fileId': call(addFile, sends(replyBytes), sendsRanges),
	'DELETE /api/canned-replies/:id/files/:fileId': call(
		addFile,
		equals({}),
		leavesRows('canned_reply_files', (id) => ({ id }), []),
	),
};
