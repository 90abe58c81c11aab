import type { reading } from '#contract/book/reading.ts';
import type { InputOf } from '#contract/core/endpoint.ts';
import { limits } from '#contract/core/limits.ts';
import type { MemberCaller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import { acquireNamedLock, inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { requireDatabaseSpace } from '../../../platform/storage/free-space.ts';
import { requireReadableDocument } from './readable-document.ts';
import { basisPoints, presentAnnotation, presentAnnotations, presentReadingPosition } from './reading.presenter.ts';
import * as queries from './reading.queries.ts';

/** Returns the caller's position and annotations. @throws AppError NOT_FOUND for an absent or forbidden document */
export async function getReading(deps: Deps, caller: MemberCaller, documentId: string) {
	const { userId, impersonatedBy: viewedBy } = caller.actor;
	const { id } = await requireReadableDocument(deps, caller, documentId);
	const position = await queries.findReadingPosition(deps.db, userId, id);
	// Annotations are private, so an admin who views as the member does not see them.
	const rows = viewedBy === null ? await queries.listAnnotations(deps.db, userId, id) : [];
	return { place: position === undefined ? null : presentReadingPosition(position), marks: presentAnnotations(rows) };
}

/**
 * Stores the caller's position unless a later one is stored. A time in the future is replaced by the current time. No
 * event is published, because it would make open pages jump.
 * @returns the stored position
 * @throws AppError NOT_FOUND
 */
export async function saveReadingPosition(deps: Deps, caller: MemberCaller, input: InputOf<typeof reading.savePlace>) {
	const { userId } = caller.actor;
	const { id, nodeId } = await requireReadableDocument(deps, caller, input.document);
	const now = isoAt(deps.clock);
	const readAt = new Date(input.readAt).toISOString();
	const row = {
		user_id: userId,
		document: id,
		node_id: nodeId,
		page: input.page,
		page_count: input.pageCount,
		page_offset: Math.round(input.offset * basisPoints),
		chapter: input.chapter,
		read_at: readAt < now ? readAt : now,
		updated_at: now,
		furthest_page: input.page,
		furthest_share: Math.floor((input.page * basisPoints) / input.pageCount),
	};
	const saved =
		(await queries.upsertReadingPosition(deps.db, row)) ?? (await queries.findReadingPosition(deps.db, userId, id));
	return presentReadingPosition(saved ?? row);
}

/**
 * Saves an annotation, and makes the caller's other pages refetch.
 * @throws AppError NOT_FOUND, TOO_MANY_MARKS, TOO_MANY_MARKS_IN_ALL, STORAGE_FULL
 */
export async function saveAnnotation(deps: Deps, caller: MemberCaller, input: InputOf<typeof reading.saveMark>) {
	const { userId } = caller.actor;
	const { document: documentId, ...fields } = input;
	const document = await requireReadableDocument(deps, caller, documentId);
	const boxes = JSON.stringify(fields.boxes);
	const bytes = Buffer.byteLength(boxes + fields.quote + fields.note + (fields.chapter ?? ''));
	// Doubled, because indexes need space too.
	await requireDatabaseSpace(deps, 2 * bytes);
	const saved = await inTransaction(deps.db, async (tx) => {
		// Locked, so that concurrent requests together cannot exceed the limits.
		await acquireNamedLock(tx, `reading-marks-${userId}`);
		const before = await queries.findAnnotation(tx, userId, fields.id);
		if (before !== undefined && before.document !== document.id) throw new AppError('NOT_FOUND');
		const grownBytes = bytes - (before?.size_bytes ?? 0);
		const isNew = before === undefined;
		const totals = await queries.measureAnnotations(tx, userId, document.id);
		const isFull = isNew && totals.count >= limits.annotationsPerDocumentMax;
		if (isFull || (grownBytes > 0 && totals.bytes + grownBytes > limits.annotationsPerDocumentMaxBytes))
			throw new AppError('TOO_MANY_MARKS');
		const isFullInAll = isNew && totals.countInAll >= limits.annotationsPerUserMax;
		if (isFullInAll || (grownBytes > 0 && totals.bytesInAll + grownBytes > limits.annotationsPerUserMaxBytes))
			throw new AppError('TOO_MANY_MARKS_IN_ALL');
		const now = isoAt(deps.clock);
		const row = {
			...fields,
			user_id: userId,
			document: document.id,
			node_id: document.nodeId,
			boxes,
			size_bytes: bytes,
			created_at: before?.created_at ?? now,
			updated_at: now,
		};
		await queries.upsertAnnotation(tx, row);
		return row;
	});
	publishAnnotations(deps, userId, document.id);
	return presentAnnotation(saved);
}

/** Deletes an annotation of the caller, if it exists. @throws AppError NOT_FOUND for the document */
export async function deleteAnnotation(deps: Deps, caller: MemberCaller, input: InputOf<typeof reading.removeMark>) {
	const { userId } = caller.actor;
	const { id } = await requireReadableDocument(deps, caller, input.document);
	if (await queries.deleteAnnotation(deps.db, userId, id, input.id)) publishAnnotations(deps, userId, id);
}

function publishAnnotations(deps: Deps, userId: string, document: string): void {
	deps.bus.publish({ kind: 'event', audience: { to: 'user', userId }, event: { topic: 'reading', document } });
}
