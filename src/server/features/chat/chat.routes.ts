import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { replyFilesPath } from '#contract/chat/canned-replies.ts';
import { attachmentsPath, authorId, clientId } from '#contract/chat/chat.ts';
import { contract } from '#contract/contract.ts';
import { limits } from '#contract/core/limits.ts';
import { type MemberCaller, requireMember } from '../../platform/actor.ts';
import { AppError, ignoreNotFound } from '../../platform/app-error.ts';
import type { Deps } from '../../platform/deps.ts';
import { implementEndpoints } from '../../platform/http/api.ts';
import { readSingleFile } from '../../platform/http/forms/single-file-form.ts';
import { presentationOf, sendBlob } from '../../platform/http/responses/send-bytes.ts';
import * as chatFiles from './attachments/attachments.service.ts';
import * as replies from './canned-replies/canned-replies.service.ts';
import * as service from './chat.service.ts';
import * as chatPerson from './member-card/member-card.service.ts';
import { listChatStorage } from './storage-usage/storage-usage.service.ts';

export function chatRoutes(deps: Deps) {
	return implementEndpoints(contract.chat, {
		list: (input) => service.listChats(deps, input),
		unread: (_input, caller) => service.countUnread(deps, requireMember(caller)),
		messages: (input, caller) => service.listMessages(deps, requireMember(caller), input),
		hits: (input, caller) => service.listSearchMatches(deps, requireMember(caller), input),
		send: ({ userId, ...message }, caller) => service.sendMessage(deps, requireMember(caller), userId, message),
		type: (input, caller) => service.setTyping(deps, requireMember(caller), input.userId),
		viewOwn: (input, caller) => {
			const member = requireMember(caller);
			return service.markViewed(deps, member, member.actor.userId, input.through);
		},
		view: (input, caller) => service.markViewed(deps, requireMember(caller), input.userId, input.through),
		clear: (input, caller) => service.deleteAllMessages(deps, requireMember(caller), input.userId),
		storage: (input) => listChatStorage(deps, input),
	});
}

export function memberCardRoutes(deps: Deps) {
	return implementEndpoints(contract.chatPerson, {
		get: (input, caller) => chatPerson.getMemberCard(deps, caller, input.userId),
		sendLogin: (input, caller) => chatPerson.sendLogin(deps, caller, input.userId),
	});
}

export function cannedReplyRoutes(deps: Deps) {
	return implementEndpoints(contract.cannedReplies, {
		list: () => replies.listReplies(deps),
		add: (input, caller) => replies.createReply(deps, caller, input),
		update: (input, caller) => replies.updateReply(deps, caller, input),
		remove: (input, caller) => replies.deleteReply(deps, caller, input.id),
		sort: (input, caller) => replies.sortReplies(deps, caller, input.ids),
		removeFile: (input, caller) => replies.deleteReplyFile(deps, caller, input.id, input.fileId),
		sendFile: (input, caller) => replies.sendReplyFile(deps, requireMember(caller), input),
	});
}

/** Reads the only file of a form. @throws AppError `code` with `fields.file` for an empty or too large file */
async function readChatFile(
	request: FastifyRequest,
	reply: FastifyReply,
	code: 'MESSAGE_REFUSED' | 'REPLY_FILE_REFUSED',
) {
	const options = { maxBytes: limits.chatFileMaxBytes, code, tooLarge: 'error_chat_file_too_large' };
	const file = await readSingleFile(request, reply, options);
	if (file.bytes.length === 0) throw new AppError(code, { fields: { file: 'error_file_empty' } });
	return file;
}

export function registerCannedReplyFiles(app: FastifyInstance, deps: Deps): void {
	app.post<{ Params: { id: string } }>(
		replyFilesPath(':id'),
		{ config: { access: 'admin', isForm: true } },
		async (request, reply) => {
			const file = await readChatFile(request, reply, 'REPLY_FILE_REFUSED');
			return replies.createReplyFile(deps, request.caller, request.params.id, file);
		},
	);

	app.get<{ Params: { id: string; fileId: string }; Querystring: { download?: string } }>(
		`${replyFilesPath(':id')}/:fileId`,
		{ config: { access: 'admin', isLink: true } },
		async (request, reply) => {
			const { name, blob } = await replies.getReplyFile(deps, request.params.id, request.params.fileId);
			return sendBlob(deps, request, reply, blob, presentationOf(name, blob.content_type, request.query));
		},
	);
}

const messageIdsQuery = z.object({ clientId, authorId });

/** Maximum bytes of a form besides its file: boundaries and headers. */
const formOverheadBytes = 2048;

/** Registers the routes that receive (multipart) and send attachments. Access is checked on every request. */
export function registerChatFiles(app: FastifyInstance, deps: Deps): void {
	app.post<{ Params: { userId: string } }>(
		attachmentsPath(':userId'),
		{ config: { access: 'member', isForm: true } },
		async (request, reply) => {
			const caller = requireMember(request.caller);
			const { userId } = request.params;
			const messageIds = messageIdsQuery.safeParse(request.query);
			if (!messageIds.success) throw new AppError('INVALID_INPUT');
			// Checked first, so that a refused file is not received.
			service.requireAuthor(caller, messageIds.data);
			await requireSendable(caller, userId, messageIds.data.clientId, Number(request.headers['content-length'] ?? 0));
			const file = await readChatFile(request, reply, 'MESSAGE_REFUSED');
			return chatFiles.sendAttachment(deps, caller, { userId, ...messageIds.data }, file);
		},
	);

	/** Checks the member's limits by the announced size of the form. A message that was stored before is accepted. */
	async function requireSendable(caller: MemberCaller, userId: string, clientId: string, formBytes: number) {
		if ((await service.findSentMessage(deps, caller, userId, clientId)) !== undefined) return;
		await service.requireFileAllowed(deps, caller, userId, Math.max(0, formBytes - formOverheadBytes));
	}

	app.get<{ Params: { userId: string; id: string }; Querystring: { download?: string } }>(
		`${attachmentsPath(':userId')}/:id`,
		{ config: { access: 'member', isLink: true } },
		async (request, reply) => {
			const caller = requireMember(request.caller);
			const { userId, id } = request.params;
			const { name, blob } = await chatFiles.requireAttachment(deps, caller, userId, id);
			return sendBlob(deps, request, reply, blob, {
				...presentationOf(name, blob.content_type, request.query),
				isStillAllowed: async () =>
					(await chatFiles.requireAttachment(deps, caller, userId, id).catch(ignoreNotFound)) !== null,
			});
		},
	);
}
