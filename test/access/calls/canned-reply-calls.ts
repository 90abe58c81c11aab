import { expect } from 'vitest';
import { replyFilesPath } from '#contract/chat/canned-replies.ts';
import { findRows } from '../../support/app/database-rows.ts';
import { multipart } from '../../support/app/http-client.ts';
import { newClientId } from '../../support/fixtures/chat.ts';
import type { AccessFixture } from '../access-fixture.ts';
import { type AccessCalls, equals, leavesRows, matches, sends } from './access-call.ts';

const replyBytes = Buffer.from('the bytes of a canned reply');
let replyCount = 0;

/** Creates a canned reply. */
async function addReply(fixture: AccessFixture): Promise<{ id: string; name: string; version: number }> {
	replyCount += 1;
	const body = { name: `reply ${replyCount}`, message: 'Namaste {name}' };
	return (await fixture.send('D', 'POST', { url: '/api/canned-replies', body })).json();
}

function fileRequest(id: string) {
	return {
		url: replyFilesPath(id),
		...multipart({}, { field: 'file', name: 'how.txt', type: 'text/plain', bytes: replyBytes }),
	};
}

/** Creates a canned reply with a file. @returns the URL of the file, and the ID of the file as the target */
async function addFile(fixture: AccessFixture): Promise<{ url: string; target: string }> {
	const { id } = await addReply(fixture);
	const target: string = (await fixture.send('D', 'POST', fileRequest(id))).json().id;
	return { url: `${replyFilesPath(id)}/${target}`, target };
}

async function replyIds({ deps }: AccessFixture): Promise<string[]> {
	const rows = await findRows(deps, 'canned_replies');
	return rows.sort((a, b) => a.position - b.position).map(({ id }) => id);
}

/** The calls for member cards and for canned replies. */
export const cannedReplyCalls: AccessCalls = {
	'GET /api/chats/:userId/person': {
		request: (fixture) => ({ url: `/api/chats/${fixture.userIds.U}/person` }),
		check: matches(({ fixture }) => ({
			person: { id: fixture.userIds.U, email: fixture.emails.U },
			orders: [{ id: fixture.order.id }],
			book: { access: 'pending', editions: [] },
		})),
	},
	'POST /api/chats/:userId/login': {
		async request(fixture) {
			const { id, email } = await fixture.freshUser();
			return { url: `/api/chats/${id}/login`, body: {}, target: email };
		},
		check: [
			equals(({ target }) => ({ email: target })),
			leavesRows('outbox', (recipient) => ({ recipient }), [{ kind: 'invitation' }]),
		],
	},
	'POST /api/chats/:userId/reply-files': {
		async request(fixture) {
			const body = { clientId: newClientId(), fileId: (await addFile(fixture)).target };
			return { url: `/api/chats/${fixture.userIds.O}/reply-files`, body, target: body.clientId };
		},
		check: [
			matches(({ target }) => ({ clientId: target, sender: 'admin', isFile: true, fileName: 'how.txt' })),
			async (fixture, response) => {
				const read = await fixture.send('O', 'GET', { url: response.json().message });
				expect(read.rawPayload).toEqual(replyBytes);
			},
		],
	},
	'GET /api/canned-replies': {
		request: async (fixture) => ({ url: '/api/canned-replies', target: (await addReply(fixture)).name }),
		check(_world, response, { target }) {
			expect(response.json().items.at(-1)).toMatchObject({ name: target, message: 'Namaste {name}', files: [] });
		},
	},
	'POST /api/canned-replies': {
		request: () => ({ url: '/api/canned-replies', body: { name: 'new', message: 'words' } }),
		check: [
			matches({ name: 'new', message: 'words', version: 1 }),
			async (fixture, response) => expect(await replyIds(fixture)).toContain(response.json().id),
		],
	},
	'PUT /api/canned-replies/:id': {
		async request(fixture) {
			const { id, version } = await addReply(fixture);
			return { url: `/api/canned-replies/${id}`, body: { name: 'other', message: 'words', version }, target: id };
		},
		check: matches(({ target }) => ({ id: target, name: 'other', version: 2 })),
	},
	'DELETE /api/canned-replies/:id': {
		async request(fixture) {
			const { id } = await addReply(fixture);
			return { url: `/api/canned-replies/${id}`, target: id };
		},
		check: [equals({}), leavesRows('canned_replies', (id) => ({ id }), [])],
	},
	'POST /api/canned-replies-order': {
		async request(fixture) {
			await addReply(fixture);
			await addReply(fixture);
			const ids = (await replyIds(fixture)).toReversed();
			return { url: '/api/canned-replies-order', body: { ids }, target: ids.join() };
		},
		check: [
			equals({}),
			async (fixture, _response, { target }) => expect((await replyIds(fixture)).join()).toBe(target),
		],
	},
	'POST /api/canned-replies/:id/files': {
		request: async (fixture) => fileRequest((await addReply(fixture)).id),
		check: [
			matches({ name: 'how.txt', sizeBytes: replyBytes.length }),
			async ({ deps }, response) =>
				expect(await findRows(deps, 'canned_reply_files', { id: response.json().id })).toHaveLength(1),
		],
	},
	'GET /api/canned-replies/:id/files/:fileId': { request: addFile, hasRanges: true, check: sends(replyBytes) },
	'DELETE /api/canned-replies/:id/files/:fileId': {
		request: addFile,
		check: [equals({}), leavesRows('canned_reply_files', (id) => ({ id }), [])],
	},
};
