import { expect } from 'vitest';
import { replyFilesPath } from '#contract/chat/canned-replies.ts';
import { multipart } from '../../support/app/http-client.ts';
import { newClientId } from '../../support/fixtures/chat.ts';
import type { AccessFixture } from '../access-fixture.ts';
import type { AccessCalls } from './access-call.ts';

const replyBytes = Buffer.from('the bytes of a canned reply');
let made = 0;

/** Adds a canned reply of the owner. */
async function addReply(world: AccessFixture): Promise<{ id: string; name: string; version: number }> {
	made += 1;
	const body = { name: `reply ${made}`, message: 'Namaste {name}' };
	return (await world.send('D', 'POST', { url: '/api/canned-replies', body })).json();
}

function fileRequest(id: string) {
	const form = multipart({}, { field: 'file', name: 'how.txt', type: 'text/plain', bytes: replyBytes });
	return { url: replyFilesPath(id), body: form.body, headers: form.headers };
}

/** Adds a canned reply with a file. @returns the IDs of both */
async function addFile(world: AccessFixture): Promise<{ id: string; fileId: string }> {
	const { id } = await addReply(world);
	return { id, fileId: (await world.send('D', 'POST', fileRequest(id))).json().id };
}

async function replyIds({ deps }: AccessFixture): Promise<string[]> {
	const rows = await deps.db.selectFrom('canned_replies').select('id').orderBy('position').execute();
	return rows.map(({ id }) => id);
}

async function fileIds({ deps }: AccessFixture): Promise<string[]> {
	return (await deps.db.selectFrom('canned_reply_files').select('id').execute()).map(({ id }) => id);
}

/** The calls for member cards and for canned replies. */
export const cannedReplyCalls: AccessCalls = {
	'GET /api/chats/:userId/person': {
		request: (world) => ({ url: `/api/chats/${world.userIds.U}/person` }),
		check(world, response) {
			expect(response.json()).toMatchObject({
				person: { id: world.userIds.U, email: world.emails.U },
				orders: [{ id: world.order.id }],
				book: { access: 'pending', editions: [] },
			});
		},
	},
	'POST /api/chats/:userId/login': {
		async request(world) {
			const { id, email } = await world.freshUser();
			return { url: `/api/chats/${id}/login`, body: {}, target: email };
		},
		async check({ deps }, response, { target = '' }) {
			expect(response.json()).toEqual({ email: target });
			const mails = deps.db.selectFrom('outbox').select('kind').where('recipient', '=', target);
			expect(await mails.execute()).toEqual([{ kind: 'invitation' }]);
		},
	},
	'POST /api/chats/:userId/reply-files': {
		async request(world) {
			const { fileId } = await addFile(world);
			const clientId = newClientId();
			const url = `/api/chats/${world.userIds.O}/reply-files`;
			return { url, body: { clientId, fileId }, target: clientId };
		},
		async check(world, response, { target = '' }) {
			expect(response.json()).toMatchObject({ clientId: target, sender: 'admin', isFile: true, fileName: 'how.txt' });
			const read = await world.send('O', 'GET', { url: response.json().message });
			expect(read.rawPayload).toEqual(replyBytes);
		},
	},
	'GET /api/canned-replies': {
		async request(world) {
			return { url: '/api/canned-replies', target: (await addReply(world)).name };
		},
		check(_world, response, { target }) {
			expect(response.json().items.at(-1)).toMatchObject({ name: target, message: 'Namaste {name}', files: [] });
		},
	},
	'POST /api/canned-replies': {
		request: () => ({ url: '/api/canned-replies', body: { name: 'new', message: 'words' } }),
		async check(world, response) {
			expect(response.json()).toMatchObject({ name: 'new', message: 'words', version: 1 });
			expect(await replyIds(world)).toContain(response.json().id);
		},
	},
	'PUT /api/canned-replies/:id': {
		async request(world) {
			const { id, version } = await addReply(world);
			return { url: `/api/canned-replies/${id}`, body: { name: 'other', message: 'words', version }, target: id };
		},
		check(_world, response, { target }) {
			expect(response.json()).toMatchObject({ id: target, name: 'other', version: 2 });
		},
	},
	'DELETE /api/canned-replies/:id': {
		async request(world) {
			const { id } = await addReply(world);
			return { url: `/api/canned-replies/${id}`, target: id };
		},
		async check(world, response, { target }) {
			expect(response.json()).toEqual({});
			expect(await replyIds(world)).not.toContain(target);
		},
	},
	'POST /api/canned-replies-order': {
		async request(world) {
			await addReply(world);
			await addReply(world);
			const ids = (await replyIds(world)).toReversed();
			return { url: '/api/canned-replies-order', body: { ids }, target: ids.join() };
		},
		async check(world, response, { target }) {
			expect(response.json()).toEqual({});
			expect((await replyIds(world)).join()).toBe(target);
		},
	},
	'POST /api/canned-replies/:id/files': {
		async request(world) {
			return fileRequest((await addReply(world)).id);
		},
		async check(world, response) {
			expect(response.json()).toMatchObject({ name: 'how.txt', sizeBytes: replyBytes.length });
			expect(await fileIds(world)).toContain(response.json().id);
		},
	},
	'GET /api/canned-replies/:id/files/:fileId': {
		async request(world) {
			const { id, fileId } = await addFile(world);
			return { url: `${replyFilesPath(id)}/${fileId}` };
		},
		hasRanges: true,
		check(_world, { statusCode, rawPayload }) {
			expect(statusCode).toBe(200);
			expect(rawPayload).toEqual(replyBytes);
		},
	},
	'DELETE /api/canned-replies/:id/files/:fileId': {
		async request(world) {
			const { id, fileId } = await addFile(world);
			return { url: `${replyFilesPath(id)}/${fileId}`, target: fileId };
		},
		async check(world, response, { target }) {
			expect(response.json()).toEqual({});
			expect(await fileIds(world)).not.toContain(target);
		},
	},
};
