import { expect } from 'vitest';
import { replyFilesPath } from '#contract/chat/canned-replies.ts';
import { findRows } from '../../support/app/database-rows.ts';
import { multipart } from '../../support/app/http-client.ts';
import { newClientId } from '../../support/fixtures/chat.ts';
import type { AccessFixture } from '../access-fixture.ts';
import { type AccessCalls, equals, leavesRows, matches, sends } from './access-call.ts';

const replyBytes = Buffer.from('the bytes of a canned reply');
let made = 0;

/** Adds a canned reply of the owner. */
async function addReply(world: AccessFixture): Promise<{ id: string; name: string; version: number }> {
	made += 1;
	const body = { name: `reply ${made}`, message: 'Namaste {name}' };
	return (await world.send('D', 'POST', { url: '/api/canned-replies', body })).json();
}

function fileRequest(id: string) {
	return {
		url: replyFilesPath(id),
		...multipart({}, { field: 'file', name: 'how.txt', type: 'text/plain', bytes: replyBytes }),
	};
}

/** Adds a canned reply with a file. @returns the address of the file, and its ID as the target */
async function addFile(world: AccessFixture): Promise<{ url: string; target: string }> {
	const { id } = await addReply(world);
	const target: string = (await world.send('D', 'POST', fileRequest(id))).json().id;
	return { url: `${replyFilesPath(id)}/${target}`, target };
}

async function replyIds({ deps }: AccessFixture): Promise<string[]> {
	const rows = await findRows(deps, 'canned_replies');
	return rows.sort((one, other) => one.position - other.position).map(({ id }) => id);
}

/** The calls for member cards and for canned replies. */
export const cannedReplyCalls: AccessCalls = {
	'GET /api/chats/:userId/person': {
		request: (world) => ({ url: `/api/chats/${world.userIds.U}/person` }),
		check: matches(({ world }) => ({
			person: { id: world.userIds.U, email: world.emails.U },
			orders: [{ id: world.order.id }],
			book: { access: 'pending', editions: [] },
		})),
	},
	'POST /api/chats/:userId/login': {
		async request(world) {
			const { id, email } = await world.freshUser();
			return { url: `/api/chats/${id}/login`, body: {}, target: email };
		},
		check: [
			equals(({ target }) => ({ email: target })),
			leavesRows('outbox', (recipient) => ({ recipient }), [{ kind: 'invitation' }]),
		],
	},
	'POST /api/chats/:userId/reply-files': {
		async request(world) {
			const body = { clientId: newClientId(), fileId: (await addFile(world)).target };
			return { url: `/api/chats/${world.userIds.O}/reply-files`, body, target: body.clientId };
		},
		check: [
			matches(({ target }) => ({ clientId: target, sender: 'admin', isFile: true, fileName: 'how.txt' })),
			async (world, response) => {
				const read = await world.send('O', 'GET', { url: response.json().message });
				expect(read.rawPayload).toEqual(replyBytes);
			},
		],
	},
	'GET /api/canned-replies': {
		request: async (world) => ({ url: '/api/canned-replies', target: (await addReply(world)).name }),
		check(_world, response, { target }) {
			expect(response.json().items.at(-1)).toMatchObject({ name: target, message: 'Namaste {name}', files: [] });
		},
	},
	'POST /api/canned-replies': {
		request: () => ({ url: '/api/canned-replies', body: { name: 'new', message: 'words' } }),
		check: [
			matches({ name: 'new', message: 'words', version: 1 }),
			async (world, response) => expect(await replyIds(world)).toContain(response.json().id),
		],
	},
	'PUT /api/canned-replies/:id': {
		async request(world) {
			const { id, version } = await addReply(world);
			return { url: `/api/canned-replies/${id}`, body: { name: 'other', message: 'words', version }, target: id };
		},
		check: matches(({ target }) => ({ id: target, name: 'other', version: 2 })),
	},
	'DELETE /api/canned-replies/:id': {
		async request(world) {
			const { id } = await addReply(world);
			return { url: `/api/canned-replies/${id}`, target: id };
		},
		check: [equals({}), leavesRows('canned_replies', (id) => ({ id }), [])],
	},
	'POST /api/canned-replies-order': {
		async request(world) {
			await addReply(world);
			await addReply(world);
			const ids = (await replyIds(world)).toReversed();
			return { url: '/api/canned-replies-order', body: { ids }, target: ids.join() };
		},
		check: [equals({}), async (world, _response, { target }) => expect((await replyIds(world)).join()).toBe(target)],
	},
	'POST /api/canned-replies/:id/files': {
		request: async (world) => fileRequest((await addReply(world)).id),
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
