import {
	type CannedReply,
	type CannedReplyFile,
	type cannedReplies,
	paymentQrId,
} from '#contract/chat/canned-replies.ts';
import type { InputOf } from '#contract/core/endpoint.ts';
import { limits } from '#contract/core/limits.ts';
import type { Caller, MemberCaller } from '../../../platform/actor.ts';
import { AppError, required } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import { classifyDbError } from '../../../platform/database/errors.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { acquireNamedLock, inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { newId } from '../../../platform/ids.ts';
import { findBlob, insertBlob } from '../../../platform/storage/blobs.queries.ts';
import { detectContentType } from '../../../platform/storage/content-type.ts';
import { requireFreeSpace } from '../../../platform/storage/free-space.ts';
import { toKeySegment, tryRemoveMany } from '../../../platform/storage/storage.ts';
import { recordAudit } from '../../audit/index.ts';
import { findPaymentQrSize, renderPaymentQr } from '../../orders/index.ts';
import { sanitizeFileName, sendAttachment } from '../attachments/attachments.service.ts';
import { findSentMessage, requireAuthor, sendMessage } from '../chat.service.ts';
import * as queries from './canned-replies.queries.ts';

const qrName = 'Payment QR.png';

/** Lists the canned replies in the owner's order, and the payment QR code as a file that can be sent with any reply. */
export async function listReplies(deps: Deps) {
	const sizeBytes = await findPaymentQrSize(deps);
	return {
		items: await presentReplies(deps.db, await queries.listReplies(deps.db)),
		qr: sizeBytes === null ? null : { id: paymentQrId, name: qrName, type: 'image/png', sizeBytes },
	};
}

/** @throws AppError TOO_MANY_REPLIES */
export async function createReply(deps: Deps, caller: Caller, { name, message }: { name: string; message: string }) {
	const id = newId();
	const now = isoAt(deps.clock);
	await inTransaction(deps.db, async (tx) => {
		await acquireNamedLock(tx, 'canned-replies');
		const before = await queries.listReplies(tx);
		if (before.length >= limits.cannedRepliesMax) throw new AppError('TOO_MANY_REPLIES');
		const position = (before.at(-1)?.position ?? 0) + 1;
		await queries.insertReply(tx, { id, name, message, position, version: 1, created_at: now, updated_at: now });
		await recordAudit(deps, tx, caller, 'canned-reply-added', ['settings', id], { name });
	});
	publish(deps);
	return getReply(deps.db, id);
}

/** @throws AppError NOT_FOUND, STALE */
export async function updateReply(
	deps: Deps,
	caller: Caller,
	{ id, name, message, version }: InputOf<typeof cannedReplies.update>,
) {
	await inTransaction(deps.db, async (tx) => {
		await getReplyRow(tx, id);
		const changes = { id, version, name, message, updated_at: isoAt(deps.clock) };
		if (!(await queries.updateReply(tx, changes))) throw new AppError('STALE');
		await recordAudit(deps, tx, caller, 'canned-reply-changed', ['settings', id], { name });
	});
	publish(deps);
	return getReply(deps.db, id);
}

/** Deletes a reply. Maintenance removes the bytes of its files that were never sent. @throws AppError NOT_FOUND */
export async function deleteReply(deps: Deps, caller: Caller, id: string): Promise<void> {
	await inTransaction(deps.db, async (tx) => {
		const { name } = required(await queries.deleteReply(tx, id), 'NOT_FOUND');
		await recordAudit(deps, tx, caller, 'canned-reply-deleted', ['settings', id], { name });
	});
	publish(deps);
}

/** @throws AppError STALE when `ids` are not exactly the existing replies */
export async function sortReplies(deps: Deps, caller: Caller, ids: string[]): Promise<void> {
	await inTransaction(deps.db, async (tx) => {
		await acquireNamedLock(tx, 'canned-replies');
		const existingIds = (await queries.listReplies(tx)).map(({ id }) => id);
		const sorted = ids.toSorted();
		const isAll = existingIds.length === ids.length && existingIds.toSorted().every((id, at) => id === sorted[at]);
		if (!isAll) throw new AppError('STALE');
		for (const [index, id] of ids.entries()) await queries.updatePosition(tx, id, index + 1);
		await recordAudit(deps, tx, caller, 'canned-replies-sorted', ['settings', 'canned-replies'], { count: ids.length });
	});
	publish(deps);
}

/**
 * Adds a file to a reply; its type is detected from the content.
 * @throws AppError NOT_FOUND, REPLY_FILE_REFUSED with `fields.file`, STORAGE_FULL, STORAGE_UNAVAILABLE
 */
export async function createReplyFile(
	deps: Deps,
	caller: Caller,
	replyId: string,
	{ name: uploadedName, bytes }: { name: string | undefined; bytes: Buffer },
): Promise<CannedReplyFile> {
	await getReplyRow(deps.db, replyId);
	const name = sanitizeFileName(uploadedName);
	const type = await detectContentType(bytes);
	await requireFreeSpace(deps.storage, bytes.length);
	const storageKey = `replies/${deps.clock.now().getTime()}-${newId()}-${toKeySegment(name)}`;
	const stored = await deps.storage.put(storageKey, bytes);
	const [id, blobId, now] = [newId(), newId(), isoAt(deps.clock)];
	const row = { id, reply_id: replyId, blob_id: blobId, name, type, size_bytes: stored.sizeBytes, created_at: now };
	await inTransaction(deps.db, async (tx) => {
		await acquireNamedLock(tx, 'canned-replies');
		const reply = await getReplyRow(tx, replyId);
		if ((await queries.listReplyFiles(tx, [replyId])).length >= limits.cannedReplyFilesMax)
			throw new AppError('REPLY_FILE_REFUSED', { fields: { file: 'error_too_many_reply_files' } });
		await insertBlob(tx, { id: blobId, storageKey, ...stored, contentType: type }, now);
		await queries.insertReplyFile(tx, row);
		await recordAudit(deps, tx, caller, 'canned-reply-changed', ['settings', replyId], {
			name: reply.name,
			file: name,
		});
	}).catch(async (error: unknown) => {
		// After a lost connection it is not known whether the rows were committed.
		if (classifyDbError(error) !== 'gone') await tryRemoveMany(deps, [storageKey]);
		throw error;
	});
	publish(deps);
	return presentFile(row);
}

/** @throws AppError NOT_FOUND */
export async function deleteReplyFile(deps: Deps, caller: Caller, replyId: string, fileId: string): Promise<void> {
	await inTransaction(deps.db, async (tx) => {
		const { name } = await getReplyRow(tx, replyId);
		const file = required(await queries.deleteReplyFile(tx, replyId, fileId), 'NOT_FOUND');
		await recordAudit(deps, tx, caller, 'canned-reply-changed', ['settings', replyId], {
			name,
			removedFile: file.name,
		});
	});
	publish(deps);
}

/** Returns the name and blob of a reply's file. @throws AppError NOT_FOUND */
export async function getReplyFile(deps: Deps, replyId: string, fileId: string) {
	const { reply_id, name, blob_id } = required(await queries.findReplyFile(deps.db, fileId), 'NOT_FOUND');
	if (reply_id !== replyId) throw new AppError('NOT_FOUND');
	return { name, blob: required(await findBlob(deps.db, blob_id), 'NOT_FOUND') };
}

/**
 * Sends a reply's file as a message. The bytes are stored only once, however often the file is sent. The payment QR
 * code is stored for each message, because the code may change.
 * @throws AppError UNAUTHORIZED, NOT_FOUND, REPLY_FILE_GONE, STORAGE_FULL, STORAGE_UNAVAILABLE
 */
export async function sendReplyFile(
	deps: Deps,
	caller: MemberCaller,
	{ userId, fileId, ...sent }: InputOf<typeof cannedReplies.sendFile>,
) {
	requireAuthor(caller, sent);
	const said = await findSentMessage(deps, caller, userId, sent.clientId);
	if (said !== undefined) return said;
	if (fileId === paymentQrId) {
		const bytes = await renderPaymentQr(deps);
		if (bytes === null) throw new AppError('REPLY_FILE_GONE');
		return sendAttachment(deps, caller, { userId, ...sent }, { name: qrName, bytes });
	}
	const replyFile = required(await queries.findReplyFile(deps.db, fileId), 'REPLY_FILE_GONE');
	const { blob_id: blobId, name, type, size_bytes: sizeBytes } = replyFile;
	const file = { blobId, name, type, sizeBytes };
	return sendMessage(deps, caller, userId, { ...sent, message: '', file }, async (tx) => {
		if (!(await queries.lockReplyFile(tx, fileId))) throw new AppError('REPLY_FILE_GONE');
	});
}

async function getReplyRow(db: Db, id: string): Promise<queries.ReplyRow> {
	return required(await queries.findReply(db, id), 'NOT_FOUND');
}

async function getReply(db: Db, id: string): Promise<CannedReply> {
	const [reply] = await presentReplies(db, [await getReplyRow(db, id)]);
	return required(reply, 'NOT_FOUND');
}

async function presentReplies(db: Db, rows: queries.ReplyRow[]): Promise<CannedReply[]> {
	const ids = rows.map(({ id }) => id);
	const files = Map.groupBy(await queries.listReplyFiles(db, ids), ({ reply_id }) => reply_id);
	return rows.map(({ id, name, message, version }) => ({
		id,
		name,
		message,
		files: (files.get(id) ?? []).map(presentFile),
		version,
	}));
}

function presentFile({ id, name, type, size_bytes }: queries.ReplyFileRow): CannedReplyFile {
	return { id, name, type, sizeBytes: size_bytes };
}

function publish(deps: Deps): void {
	deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'canned-replies' } });
}
