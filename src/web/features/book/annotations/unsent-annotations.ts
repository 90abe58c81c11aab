import * as z from 'zod';
import { annotation } from '#contract/book/reading.ts';
import { onSessionEnd } from '#web/platform/session/session-end.ts';
import type { AnnotationChange } from './annotations.ts';

const changeSchema = z.union([
	z.object({ document: z.string(), save: annotation.omit({ createdAt: true, updatedAt: true }) }),
	z.object({ document: z.string(), remove: z.string() }),
]);
const prefix = 'reading-unsent:';

export type UnsentStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;
type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Stores a change until the server has it, also over a reload; replaces earlier changes of the annotation. */
export function storeUnsent(store: Store, userId: string, change: AnnotationChange): void {
	const others = listUnsent(store, userId, change.document).filter(
		(each) => annotationIdOf(each) !== annotationIdOf(change),
	);
	writeChanges(store, storageKeyOf(userId, change.document), [...others, change]);
}

/** Deletes a change that was sent or rejected, unless the annotation has been changed again since. */
export function deleteUnsent(store: Store, userId: string, change: AnnotationChange): void {
	const sent = JSON.stringify(changeSchema.safeParse(change).data);
	const remaining = listUnsent(store, userId, change.document).filter((each) => JSON.stringify(each) !== sent);
	writeChanges(store, storageKeyOf(userId, change.document), remaining);
}

/** The user's unsent changes in a document, oldest first. */
export function listUnsent(store: Store, userId: string, document: string): AnnotationChange[] {
	try {
		const found = z.array(changeSchema).safeParse(JSON.parse(store.getItem(storageKeyOf(userId, document)) ?? '[]'));
		return found.success ? found.data : [];
	} catch {
		return [];
	}
}

/** The user's unsent changes in all documents. */
export function listAllUnsent(store: UnsentStore, userId: string): AnnotationChange[] {
	try {
		const keys = Array.from({ length: store.length }, (_, index) => store.key(index) ?? '');
		const own = storageKeyOf(userId, '');
		return keys.filter((key) => key.startsWith(own)).flatMap((key) => listUnsent(store, userId, key.slice(own.length)));
	} catch {
		return [];
	}
}

/** Whether exactly this change is stored as unsent. */
export function isUnsent(store: Store, userId: string, change: AnnotationChange): boolean {
	const searched = JSON.stringify(changeSchema.safeParse(change).data);
	return listUnsent(store, userId, change.document).some((each) => JSON.stringify(each) === searched);
}

// An expired session may be continued by the same user; after any other end another user may sign in.
onSessionEnd((reason) => {
	if (reason !== 'expiry') deleteAllUnsent();
});

function deleteAllUnsent(): void {
	try {
		for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
	} catch {
		// If storage is forbidden, nothing was stored.
	}
}

/** The id of the annotation that a change affects. */
export function annotationIdOf(change: AnnotationChange): string {
	return 'save' in change ? change.save.id : change.remove;
}

function storageKeyOf(userId: string, document: string): string {
	return `${prefix}${userId}:${document}`;
}

function writeChanges(store: Store, key: string, changes: readonly AnnotationChange[]): void {
	try {
		if (changes.length === 0) store.removeItem(key);
		else store.setItem(key, JSON.stringify(changes));
	} catch {
		// If storage is full or forbidden, the change is kept only while the page is open.
	}
}
