import * as z from 'zod';
import { recordId, singleLineText } from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';
import { defineErrors } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { hasVisibleCharacters } from '../core/text.ts';
import { authorId, chatMessage, clientId } from './chat.ts';

/** Stands in a reply for the name of whoever it is sent to. */
export const namePlaceholder = '{name}';

/** In the place of a file's id: the payment QR of the book settings, whichever it is by then. */
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
	/** May be '' beside files. */
	message: z.string(),
	files: z.array(cannedReplyFile),
	/** Raised by every change of name and text; sent back with one so that a stale one is heard. */
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

/** Path of a reply's files: posted here, one form each; read at `/{file id}`. */
export const replyFilesPath = (id: string) => `/api/canned-replies/${id}/files`;

/** Answers that admins keep ready. They share them. */
export const cannedReplies = {
	/** In the owner's order. `qr`: the payment QR as a file that can be sent; null without a picture of one. */
	list: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'GET', path: '/api/canned-replies', summary: 'Canned replies' })
		.output(z.object({ items: z.array(cannedReply), qr: cannedReplyFile.nullable() })),
	/** At the end. TOO_MANY_REPLIES, INVALID_INPUT with `fields`. */
	add: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'POST', path: '/api/canned-replies', summary: 'Add a canned reply' })
		.input(cannedReplyText)
		.output(cannedReply),
	/** NOT_FOUND, STALE, INVALID_INPUT with `fields`. */
	update: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'PUT', path: '/api/canned-replies/{id}', summary: 'Change a canned reply' })
		.input(cannedReplyInput.extend({ ...cannedReplyText.shape, version: z.int32() }))
		.output(cannedReply),
	/** With its files; what was sent of them stays. NOT_FOUND. */
	remove: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'DELETE', path: '/api/canned-replies/{id}', summary: 'Delete a canned reply' })
		.input(cannedReplyInput)
		.output(z.object({})),
	/** All of them, in their new order. STALE when there are others by now. */
	sort: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'POST', path: '/api/canned-replies-order', summary: 'Sort the canned replies' })
		.input(z.object({ ids: z.array(recordId).max(limits.cannedRepliesMax) }))
		.output(z.object({})),
	/** What was sent of it stays. NOT_FOUND. */
	removeFile: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'DELETE', path: '/api/canned-replies/{id}/files/{fileId}', summary: 'Take a file off a reply' })
		.input(cannedReplyInput.extend({ fileId: recordId }))
		.output(z.object({})),
	/** Sends a file of a reply, or the payment QR, as a message; the same `clientId` again gives the message that it made. NOT_FOUND, REPLY_FILE_GONE. */
	sendFile: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'POST', path: '/api/chats/{userId}/reply-files', summary: "Send a canned reply's file" })
		.input(z.object({ userId: recordId, clientId, authorId, fileId: recordId }))
		.output(chatMessage),
};
