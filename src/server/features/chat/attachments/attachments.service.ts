import type { ChatMessage } from '#contract/chat/chat.ts';
import { hasVisibleCharacters } from '#contract/core/text.ts';
import type { MemberCaller } from '../../../platform/actor.ts';
import { AppError, required } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import { classifyDbError } from '../../../platform/database/errors.ts';
import type { Deps } from '../../../platform/deps.ts';
import { newId } from '../../../platform/ids.ts';
import { insertBlob } from '../../../platform/storage/blobs.queries.ts';
import { detectContentType } from '../../../platform/storage/content-type.ts';
import { requireFreeSpace } from '../../../platform/storage/free-space.ts';
import { toKeySegment, tryRemoveMany } from '../../../platform/storage/storage.ts';
import { listEmailsByUserId } from '../../accounts/index.ts';
import { requireBlob } from '../../sharing/index.ts';
import * as queries from '../chat.queries.ts';
import { findSentMessage, type NewMessage, requireFileAllowed, requireReader, sendMessage } from '../chat.service.ts';

/**
 * Stores a file and adds it to the conversation as a message. If the process dies in between, no row refers to the
 * bytes, and maintenance removes them.
 * @throws AppError NOT_FOUND, STORAGE_FULL, STORAGE_UNAVAILABLE; for a member CHAT_MINUTE_LIMIT, CHAT_DAY_LIMIT,
 * CHAT_DAY_LIMIT_UNPAID
 */
export async function sendAttachment(
	deps: Deps,
	caller: MemberCaller,
	{ userId, ...sent }: { userId: string } & Pick<NewMessage, 'clientId' | 'authorId'>,
	{ name: uploadedName, bytes }: { name: string | undefined; bytes: Buffer },
): Promise<ChatMessage> {
	const earlier = await findSentMessage(deps, caller, userId, sent.clientId);
	if (earlier !== undefined) return earlier;
	const email = required((await listEmailsByUserId(deps.db, [userId])).get(userId), 'NOT_FOUND');
	const name = sanitizeFileName(uploadedName);
	const type = await detectContentType(bytes);
	await requireFreeSpace(deps.storage, bytes.length);
	// Refuses a file before its bytes are stored. The file is counted later, together with its message.
	await requireFileAllowed(deps, caller, userId, bytes.length);
	const storageKey = `messages/${toKeySegment(email)}/${deps.clock.now().getTime()}-${newId()}-${toKeySegment(name)}`;
	const stored = await deps.storage.put(storageKey, bytes);
	const file = { blobId: newId(), name, type, sizeBytes: stored.sizeBytes };
	let isKept = false;
	try {
		return await sendMessage(deps, caller, userId, { ...sent, message: '', file }, async (tx) => {
			isKept = true;
			await insertBlob(tx, { id: file.blobId, storageKey, ...stored, contentType: type }, isoAt(deps.clock));
		});
	} catch (error) {
		// No row refers to the bytes after an AppError, or when the database was busy or full. After any other error the
		// message may have been stored.
		isKept = !(error instanceof AppError || ['busy', 'full'].includes(classifyDbError(error)));
		throw error;
	} finally {
		if (!isKept) await tryRemoveMany(deps, [storageKey]);
	}
}

/** Control characters, and characters that change the text direction, with which an .exe could look like a .png. */
const disallowedNameCharacters = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

const nameLength = 200;

/** Returns a file's name as it is stored and shown; keeps the end of a long name, with its extension. */
export function sanitizeFileName(name = ''): string {
	const shown = [...name.replace(disallowedNameCharacters, '').trim()].slice(-nameLength).join('');
	return hasVisibleCharacters(shown) ? shown : 'file';
}

/** Returns the name and blob of a message's file. @throws AppError NOT_FOUND unless the caller may read it now */
export async function requireAttachment(deps: Deps, caller: MemberCaller, userId: string, messageId: string) {
	await requireReader(deps.db, caller, userId);
	const file = required(await queries.findAttachment(deps.db, userId, messageId), 'NOT_FOUND');
	return { name: file.name, blob: await requireBlob(deps.db, caller, file.blobId) };
}
