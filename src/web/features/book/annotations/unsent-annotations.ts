import * as z from 'zod/mini';
import { annotationColors } from '#contract/book/reading.ts';
import { storage } from '#web/platform/browser/storage.ts';
import { deleteStoredOnSessionEnd } from '#web/platform/session/session-end.ts';
import type { AnnotationChange } from './annotations.ts';

/** An annotation as it is sent. The server checks its limits. */
const annotation = z.object({
	id: z.string(),
	kind: z.enum(['bookmark', 'highlight']),
	page: z.number(),
	boxes: z.array(z.tuple([z.number(), z.number(), z.number(), z.number()])),
	quote: z.string(),
	note: z.string(),
	color: z.enum(annotationColors),
	chapter: z.nullable(z.string()),
});
const changeSchema = z.union([
	z.object({ document: z.string(), save: annotation }),
	z.object({ document: z.string(), remove: z.string() }),
]);
const prefix = 'reading-unsent:';
const storageKeyOf = (userId: string, document: string) => `${prefix}${userId}:${document}`;

/** Stores a change in localStorage. Replaces earlier changes of the annotation. */
export function storeUnsent(userId: string, change: AnnotationChange): void {
	replaceUnsent(userId, change, (stored) => annotationIdOf(stored) === annotationIdOf(change), [change]);
}

/** Deletes a sent or rejected change, unless a newer change of the annotation has replaced it. */
export function deleteUnsent(userId: string, change: AnnotationChange): void {
	replaceUnsent(userId, change, isSameAs(change), []);
}

/** Oldest change first. */
export function listUnsent(userId: string, document: string): AnnotationChange[] {
	return readChanges(storageKeyOf(userId, document));
}

export function listAllUnsent(userId: string): AnnotationChange[] {
	return storage.keysStartingWith(storageKeyOf(userId, '')).flatMap(readChanges);
}

export function isUnsent(userId: string, change: AnnotationChange): boolean {
	return listUnsent(userId, change.document).some(isSameAs(change));
}

deleteStoredOnSessionEnd(prefix);

export function annotationIdOf(change: AnnotationChange): string {
	return 'save' in change ? change.save.id : change.remove;
}

function isSameAs(change: AnnotationChange): (stored: AnnotationChange) => boolean {
	const serialized = JSON.stringify(changeSchema.safeParse(change).data);
	return (stored) => JSON.stringify(stored) === serialized;
}

function readChanges(key: string): AnnotationChange[] {
	return storage.getJson(key, z.array(changeSchema)) ?? [];
}

function replaceUnsent(
	userId: string,
	{ document }: AnnotationChange,
	isReplaced: (stored: AnnotationChange) => boolean,
	added: readonly AnnotationChange[],
): void {
	const changes = [...listUnsent(userId, document).filter((stored) => !isReplaced(stored)), ...added];
	storage.set(storageKeyOf(userId, document), changes.length === 0 ? null : JSON.stringify(changes));
}
