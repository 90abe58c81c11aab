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

/** Keeps a change to a mark until the server has it: over a reload, and over hours without a line. The last one of each mark. */
export function storeUnsent(store: Store, userId: string, change: AnnotationChange): void {
	const others = listUnsent(store, userId, change.document).filter(
		(each) => annotationIdOf(each) !== annotationIdOf(change),
	);
	writeChanges(store, storageKeyOf(userId, change.document), [...others, change]);
}

/** The server has it, or will not: unless the mark has been changed again since. */
export function deleteUnsent(store: Store, userId: string, change: AnnotationChange): void {
	const sent = JSON.stringify(changeSchema.safeParse(change).data);
	const remaining = listUnsent(store, userId, change.document).filter((each) => JSON.stringify(each) !== sent);
	writeChanges(store, storageKeyOf(userId, change.document), remaining);
}

/** What a person has changed in a document and the server does not have, in the order in which it was made. */
export function listUnsent(store: Store, userId: string, document: string): AnnotationChange[] {
	try {
		const found = z.array(changeSchema).safeParse(JSON.parse(store.getItem(storageKeyOf(userId, document)) ?? '[]'));
		return found.success ? found.data : [];
	} catch {
		return [];
	}
}

/** What a person has changed in all documents and the server does not have. */
export function listAllUnsent(store: UnsentStore, userId: string): AnnotationChange[] {
	try {
		const keys = Array.from({ length: store.length }, (_, index) => store.key(index) ?? '');
		const own = storageKeyOf(userId, '');
		return keys.filter((key) => key.startsWith(own)).flatMap((key) => listUnsent(store, userId, key.slice(own.length)));
	} catch {
		return [];
	}
}

/** Whether this very change is kept and not sent. */
export function isUnsent(store: Store, userId: string, change: AnnotationChange): boolean {
	const searched = JSON.stringify(changeSchema.safeParse(change).data);
	return listUnsent(store, userId, change.document).some((each) => JSON.stringify(each) === searched);
}

// An expired session is gone on with; after any other end another person may sit here.
onSessionEnd((reason) => {
	if (reason !== 'expiry') deleteAllUnsent();
});

function deleteAllUnsent(): void {
	try {
		for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
	} catch {
		// Forbidden: then nothing was kept.
	}
}

/** The mark that a change is about. */
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
		// Full, or forbidden: then it lasts as long as the page.
	}
}
