import type { ChatMessage } from '#contract/chat/chat.ts';
import type { MemberCaller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { newId } from '../../platform/ids.ts';
import { sniffType } from '../../platform/sniff.ts';
import { requireRoom } from '../../platform/storage/room.ts';
import { safeSegment } from '../../platform/storage/storage.ts';
import { findEmailsOf } from '../account/account.service.ts';
import { findBlob, insertBlob } from '../files/files.service.ts';
import { requireReader, say } from './chat.service.ts';
import * as queries from './chat-files.queries.ts';

/**
 * Keeps a file that somebody sends and says so in the conversation. Bytes that are kept while the message turns out to be
 * there already, or nobody's, have no row, and the upkeep removes them.
 * @throws AppError NOT_FOUND, STORAGE_FULL
 */
export async function sendFile(
	deps: Deps,
	caller: MemberCaller,
	to: { userId: string; clientId: string },
	{ name, bytes }: { name: string; bytes: Buffer },
): Promise<ChatMessage> {
	const { userId, clientId } = to;
	await requireReader(deps.db, caller, userId);
	const email = (await findEmailsOf(deps.db, [userId])).get(userId);
	if (email === undefined) throw new AppError('NOT_FOUND');
	// As a file of a space: what it is, its content says.
	const type = await sniffType(bytes);
	await requireRoom(deps.storage, bytes.length);
	const storageKey = `messages/${safeSegment(email)}/${deps.clock.now().getTime()}-${newId()}-${safeSegment(name)}`;
	const stored = await deps.storage.put(storageKey, bytes);
	const file = { blobId: newId(), name, type, sizeBytes: stored.sizeBytes };
	return say(deps, caller, userId, { clientId, message: '', file }, (tx) =>
		insertBlob(tx, {
			id: file.blobId,
			storage_key: storageKey,
			size_bytes: stored.sizeBytes,
			sha256: stored.sha256,
			content_type: type,
			created_at: isoAt(deps.clock),
		}),
	);
}

/** The file of a message that the caller may read now. @throws AppError NOT_FOUND */
export async function requireAttachment(deps: Deps, caller: MemberCaller, userId: string, messageId: string) {
	await requireReader(deps.db, caller, userId);
	const file = await queries.findAttachment(deps.db, userId, messageId);
	const blob = file && (await findBlob(deps.db, file.blobId));
	if (blob === undefined) throw new AppError('NOT_FOUND');
	return { name: file?.name ?? '', blob };
}

/** Whether the caller may still read it. */
export async function mayStillReadAttachment(
	deps: Deps,
	caller: MemberCaller,
	userId: string,
	messageId: string,
): Promise<boolean> {
	try {
		await requireAttachment(deps, caller, userId, messageId);
		return true;
	} catch (error) {
		if (error instanceof AppError && error.code === 'NOT_FOUND') return false;
		throw error;
	}
}
