import * as z from 'zod';
import { recordId, singleLineText } from '../core/common-fields.ts';
import { command, endpoint } from '../core/endpoint.ts';
import { defineErrors } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { hasVisibleCharacters } from '../core/text.ts';
import { authorId, chatMessage, clientId } from './chat.ts';

/** Replaced in a reply by the recipient's name. */
export const namePlaceholder = '{name}';

/** Special file ID for the payment QR code, which is read from the book settings when the reply is sent. */
export const paymentQrId = 'payment-qr';

export const cannedReplyFile = z.object({
	id: z.string(),
	name: z.string(),
	type: z.string(),
	sizeBytes: z.number(),
});
export type CannedReplyFile = z.infer<typeof cannedReplyFile>;

export const cannedReply = z.object({
	id: z.string(),
	name: z.string(),
	/** May be '' when the reply has files. */
	message: z.string(),
	files: z.array(cannedReplyFile),
	/** Increases with every change of name or text; an update with an older version fails with STALE. */
	version: z.number(),
});
export type CannedReply = z.infer<typeof cannedReply>;

export const cannedReplyErrors = defineErrors({
	TOO_MANY_REPLIES: { status: 409, messageKey: 'error_too_many_replies' },
	REPLY_FILE_REFUSED: { status: 422, messageKey: 'error_reply_file_refused' },
	REPLY_FILE_GONE: { status: 404, messageKey: 'error_reply_file_gone' },
});

const cannedReplyText = z.object({
	name: singleLineText.pipe(
		z
			.string()
			.refine(hasVisibleCharacters, 'error_field_required')
			.max(limits.cannedReplyNameMaxLength, 'error_field_too_long'),
	),
	message: z
		.string()
		.overwrite((text) => text.toWellFormed().trim())
		.max(limits.cannedReplyMaxLength, 'error_field_too_long')
		.refine((text) => !text.includes('\0'), 'error_invalid_input'),
});
const cannedReplyInput = z.object({ id: recordId });

/** Returns the path of a reply's files: POST uploads one file per form, GET `/{file id}` reads a file. */
export const replyFilesPath = (id: string) => `/api/canned-replies/${id}/files`;

/** Prepared replies, which all admins share. */
export const cannedReplies = {
	/** Lists the replies in the saved order. `qr`: the payment QR code as a file to send; null without an image. */
	list: endpoint('admin', 'GET /api/canned-replies', 'List the canned replies').output(
		z.object({ items: z.array(cannedReply), qr: cannedReplyFile.nullable() }),
	),
	/** Adds a reply at the end of the list. TOO_MANY_REPLIES, INVALID_INPUT with `fields`. */
	add: endpoint('admin', 'POST /api/canned-replies', 'Add a canned reply').input(cannedReplyText).output(cannedReply),
	/** NOT_FOUND, STALE, INVALID_INPUT with `fields`. */
	update: endpoint('admin', 'PUT /api/canned-replies/{id}', 'Change a canned reply')
		.input(cannedReplyInput.extend({ ...cannedReplyText.shape, version: z.int32() }))
		.output(cannedReply),
	/** Deletes a reply and its files; files already sent in chats remain. NOT_FOUND. */
	remove: command('admin', 'DELETE /api/canned-replies/{id}', 'Delete a canned reply').input(cannedReplyInput),
	/** Sorts the replies; `ids` must list every reply. STALE when replies were added or deleted meanwhile. */
	sort: command('admin', 'POST /api/canned-replies-order', 'Save the order of the canned replies').input(
		z.object({ ids: z.array(recordId).max(limits.cannedRepliesMax) }),
	),
	/** Deletes a file of a reply; messages with this file keep it. NOT_FOUND. */
	removeFile: command(
		'admin',
		'DELETE /api/canned-replies/{id}/files/{fileId}',
		'Delete a file of a canned reply',
	).input(cannedReplyInput.extend({ fileId: recordId })),
	/** Sends a reply's file or the QR code; a repeated `clientId` sends nothing new. NOT_FOUND, REPLY_FILE_GONE. */
	sendFile: endpoint('admin', 'POST /api/chats/{userId}/reply-files', 'Send a file of a canned reply')
		.input(z.object({ userId: recordId, clientId, authorId, fileId: recordId }))
		.output(chatMessage),
};
