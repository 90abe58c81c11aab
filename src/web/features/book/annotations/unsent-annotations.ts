import { annotationColors } from '#contract/book/reading.ts';
import { list, nullable, number, object, oneOf, text } from '#web/platform/browser/readers.ts';
import { storage } from '#web/platform/browser/storage.ts';
import { deleteStoredOnSessionEnd } from '#web/platform/session/session-end.ts';
import type { PageBox } from '#web/ui/pdf/viewer/page-box.ts';
import type { AnnotationChange } from './annotations.ts';

/** An annotation as it is sent. The server checks its limits. */
const readAnnotation = object<Extract<AnnotationChange, { save: unknown }>['save']>({
	id: text(),
	kind: oneOf(['bookmark', 'highlight']),
	page: number(),
	boxes: list((box) => {
		const sides = list(number())(box);
		return sides?.length === 4 ? (sides as PageBox) : undefined;
	}),
	quote: text(),
	note: text(),
	color: oneOf(annotationColors),
	chapter: nullable(text()),
});
const readSaved = object({ document: text(), save: readAnnotation });
const readRemoved = object({ document: text(), remove: text() });
const readChange = (value: unknown): AnnotationChange | undefined => readSaved(value) ?? readRemoved(value);
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
	const serialized = JSON.stringify(readChange(change));
	return (stored) => JSON.stringify(stored) === serialized;
}

function readChanges(key: string): AnnotationChange[] {
	return storage.getJson(key, list(readChange)) ?? [];
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
