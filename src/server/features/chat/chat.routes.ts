import { implement } from '@orpc/server';
import type { FastifyInstance } from 'fastify';
import { attachmentsPath, clientId } from '#contract/chat/chat.ts';
import { contract } from '#contract/contract.ts';
import { limits } from '#contract/core/limits.ts';
import { requireMember } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Deps } from '../../platform/deps.ts';
import type { ApiContext } from '../../platform/http/api.ts';
import { sendBlob } from '../../platform/http/bytes.ts';
import { readOneFile } from '../../platform/http/one-file.ts';
import { previewOf } from '../files/files.service.ts';
import * as service from './chat.service.ts';
import * as chatFiles from './chat-files.service.ts';

/** Support chat: a member and the owner. */
export function chatRoutes(deps: Deps) {
	const os = implement(contract.chat).$context<ApiContext>();
	return {
		list: os.list.handler(({ input }) => service.listChats(deps, input)),
		unread: os.unread.handler(({ context }) => service.countUnread(deps, requireMember(context.caller))),
		messages: os.messages.handler(({ input, context }) =>
			service.listMessages(deps, requireMember(context.caller), input),
		),
		send: os.send.handler(({ input: { userId, ...said }, context }) =>
			service.say(deps, requireMember(context.caller), userId, said),
		),
		type: os.type.handler(async ({ input, context }) => {
			await service.type(deps, requireMember(context.caller), input.userId);
			return {};
		}),
		viewOwn: os.viewOwn.handler(async ({ input, context }) => {
			const caller = requireMember(context.caller);
			await service.view(deps, caller, caller.actor.userId, input.through);
			return {};
		}),
		view: os.view.handler(async ({ input, context }) => {
			await service.view(deps, requireMember(context.caller), input.userId, input.through);
			return {};
		}),
		clear: os.clear.handler(async ({ input, context }) => {
			await service.clear(deps, requireMember(context.caller), input.userId);
			return {};
		}),
	};
}

const attachment = {
	maxBytes: limits.chatFileMaxBytes,
	code: 'MESSAGE_REFUSED',
	tooLarge: 'error_chat_file_too_large',
} as const;

/** Files that are sent (multipart, one each), and their bytes, authorised anew for every request. */
export function registerChatFiles(app: FastifyInstance, deps: Deps): void {
	app.post<{ Params: { userId: string }; Querystring: { clientId?: string } }>(
		attachmentsPath(':userId'),
		{ config: { access: 'member', isForm: true } },
		async (request) => {
			const caller = requireMember(request.caller);
			const { userId } = request.params;
			const named = clientId.safeParse(request.query.clientId);
			if (!named.success) throw new AppError('INVALID_INPUT');
			// Before a large file is read for nobody.
			await service.requireReader(deps.db, caller, userId);
			const file = await readOneFile(request, attachment);
			if (file.bytes.length === 0) throw new AppError('MESSAGE_REFUSED', { fields: { file: 'error_file_empty' } });
			return chatFiles.sendFile(deps, caller, { userId, clientId: named.data }, file);
		},
	);

	app.get<{ Params: { userId: string; id: string }; Querystring: { download?: string } }>(
		`${attachmentsPath(':userId')}/:id`,
		{ config: { access: 'member', isLink: true } },
		async (request, reply) => {
			const caller = requireMember(request.caller);
			const { userId, id } = request.params;
			const { name, blob } = await chatFiles.requireAttachment(deps, caller, userId, id);
			const preview = request.query.download === undefined ? previewOf(name, blob.content_type) : null;
			return sendBlob(deps, request, reply, blob, {
				contentType: preview === null ? 'application/octet-stream' : blob.content_type,
				mayGoOn: () => chatFiles.mayStillReadAttachment(deps, caller, userId, id),
				...((preview === null || preview === 'pdf') && { attachmentName: name }),
			});
		},
	);
}
