import { implement } from '@orpc/server';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { replyFilesPath } from '#contract/chat/canned-replies.ts';
import { attachmentsPath, authorId, clientId } from '#contract/chat/chat.ts';
import { contract } from '#contract/contract.ts';
import { limits } from '#contract/core/limits.ts';
import { type MemberCaller, requireMember } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Deps } from '../../platform/deps.ts';
import type { ApiContext } from '../../platform/http/api.ts';
import { readSingleFile } from '../../platform/http/forms/single-file-form.ts';
import { presentationOf, sendBlob } from '../../platform/http/responses/send-bytes.ts';
import * as chatFiles from './attachments/attachments.service.ts';
import * as replies from './canned-replies/canned-replies.service.ts';
import * as service from './chat.service.ts';
import * as chatPerson from './member-card/member-card.service.ts';
import { listChatStorage } from './storage-usage/storage-usage.service.ts';

/** Routes of the support chat between a member and the owner. */
export function chatRoutes(deps: Deps) {
	const os = implement(contract.chat).$context<ApiContext>();
	return {
		list: os.list.handler(({ input }) => service.listChats(deps, input)),
		unread: os.unread.handler(({ context }) => service.countUnread(deps, requireMember(context.caller))),
		messages: os.messages.handler(({ input, context }) =>
			service.listMessages(deps, requireMember(context.caller), input),
		),
		hits: os.hits.handler(({ input, context }) =>
			service.listSearchMatches(deps, requireMember(context.caller), input),
		),
		send: os.send.handler(({ input: { userId, ...said }, context }) =>
			service.sendMessage(deps, requireMember(context.caller), userId, said),
		),
		type: os.type.handler(async ({ input, context }) => {
			await service.setTyping(deps, requireMember(context.caller), input.userId);
			return {};
		}),
		viewOwn: os.viewOwn.handler(async ({ input, context }) => {
			const caller = requireMember(context.caller);
			await service.markViewed(deps, caller, caller.actor.userId, input.through);
			return {};
		}),
		view: os.view.handler(async ({ input, context }) => {
			await service.markViewed(deps, requireMember(context.caller), input.userId, input.through);
			return {};
		}),
		clear: os.clear.handler(async ({ input, context }) => {
			await service.deleteAllMessages(deps, requireMember(context.caller), input.userId);
			return {};
		}),
		storage: os.storage.handler(({ input }) => listChatStorage(deps, input)),
	};
}

export function memberCardRoutes(deps: Deps) {
	const os = implement(contract.chatPerson).$context<ApiContext>();
	return {
		get: os.get.handler(({ input, context }) => chatPerson.getMemberCard(deps, context.caller, input.userId)),
		sendLogin: os.sendLogin.handler(({ input, context }) => chatPerson.sendLogin(deps, context.caller, input.userId)),
	};
}

export function cannedReplyRoutes(deps: Deps) {
	const os = implement(contract.cannedReplies).$context<ApiContext>();
	return {
		list: os.list.handler(() => replies.listReplies(deps)),
		add: os.add.handler(({ input, context }) => replies.createReply(deps, context.caller, input)),
		update: os.update.handler(({ input, context }) => replies.updateReply(deps, context.caller, input)),
		remove: os.remove.handler(async ({ input, context }) => {
			await replies.deleteReply(deps, context.caller, input.id);
			return {};
		}),
		sort: os.sort.handler(async ({ input, context }) => {
			await replies.sortReplies(deps, context.caller, input.ids);
			return {};
		}),
		removeFile: os.removeFile.handler(async ({ input, context }) => {
			await replies.deleteReplyFile(deps, context.caller, input.id, input.fileId);
			return {};
		}),
		sendFile: os.sendFile.handler(({ input, context }) =>
			replies.sendReplyFile(deps, requireMember(context.caller), input),
		),
	};
}

const replyFile = {
	maxBytes: limits.chatFileMaxBytes,
	code: 'REPLY_FILE_REFUSED',
	tooLarge: 'error_chat_file_too_large',
} as const;

/** Routes for the files of canned replies: uploads of one file each, and their bytes. */
export function registerCannedReplyFiles(app: FastifyInstance, deps: Deps): void {
	app.post<{ Params: { id: string } }>(
		replyFilesPath(':id'),
		{ config: { access: 'admin', isForm: true } },
		async (request, reply) => {
			const file = await readSingleFile(request, reply, replyFile);
			if (file.bytes.length === 0) throw new AppError('REPLY_FILE_REFUSED', { fields: { file: 'error_file_empty' } });
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

const attachment = {
	maxBytes: limits.chatFileMaxBytes,
	code: 'MESSAGE_REFUSED',
	tooLarge: 'error_chat_file_too_large',
} as const;

const sent = z.object({ clientId, authorId });

/** Maximum size in bytes that a form adds to its one file: boundaries and headers. */
const formOverheadBytes = 2048;

/** Routes for attachments (multipart, one file each) and their bytes; access is checked on every request. */
export function registerChatFiles(app: FastifyInstance, deps: Deps): void {
	app.post<{ Params: { userId: string } }>(
		attachmentsPath(':userId'),
		{ config: { access: 'member', isForm: true } },
		async (request, reply) => {
			const caller = requireMember(request.caller);
			const { userId } = request.params;
			const named = sent.safeParse(request.query);
			if (!named.success) throw new AppError('INVALID_INPUT');
			// Checked before a large file is read that would be refused anyway.
			service.requireAuthor(caller, named.data);
			await requireSendable(caller, userId, named.data.clientId, Number(request.headers['content-length'] ?? 0));
			const file = await readSingleFile(request, reply, attachment);
			if (file.bytes.length === 0) throw new AppError('MESSAGE_REFUSED', { fields: { file: 'error_file_empty' } });
			return chatFiles.sendAttachment(deps, caller, { userId, ...named.data }, file);
		},
	);

	/** Checks the member's limits by the size of the whole form; a message that was stored before is accepted. */
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
				isStillAllowed: () => chatFiles.canStillReadAttachment(deps, caller, userId, id),
			});
		},
	);
}
