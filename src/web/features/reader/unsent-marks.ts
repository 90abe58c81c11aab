import * as z from 'zod';
import { readingMark } from '#contract/reader/reading.ts';
import { onSessionEnd } from '#web/platform/session-end.ts';
import type { MarkChange } from './mark-changes.ts';

const changeSchema = z.union([
	z.object({ document: z.string(), save: readingMark.omit({ createdAt: true, updatedAt: true }) }),
	z.object({ document: z.string(), remove: z.string() }),
]);
const prefix = 'reading-unsent:';

export type UnsentStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;
type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Keeps a change to a mark until the server has it: over a reload, and over hours without a line. The last one of each mark. */
export function keepUnsent(store: Store, personId: string, change: MarkChange): void {
	const others = listUnsent(store, personId, change.document).filter((each) => idOf(each) !== idOf(change));
	write(store, keyOf(personId, change.document), [...others, change]);
}

/** The server has it, or will not: unless the mark has been changed again since. */
export function forgetUnsent(store: Store, personId: string, change: MarkChange): void {
	const sent = JSON.stringify(changeSchema.safeParse(change).data);
	const left = listUnsent(store, personId, change.document).filter((each) => JSON.stringify(each) !== sent);
	write(store, keyOf(personId, change.document), left);
}

/** What a person has changed in a document and the server does not have, in the order in which it was made. */
export function listUnsent(store: Store, personId: string, document: string): MarkChange[] {
	try {
		const found = z.array(changeSchema).safeParse(JSON.parse(store.getItem(keyOf(personId, document)) ?? '[]'));
		return found.success ? found.data : [];
	} catch {
		return [];
	}
}

/** What a person has changed in all documents and the server does not have. */
export function listAllUnsent(store: UnsentStore, personId: string): MarkChange[] {
	try {
		const keys = Array.from({ length: store.length }, (_, index) => store.key(index) ?? '');
		const own = keyOf(personId, '');
		return keys
			.filter((key) => key.startsWith(own))
			.flatMap((key) => listUnsent(store, personId, key.slice(own.length)));
	} catch {
		return [];
	}
}

/** Whether this very change is kept and not sent. */
export function isUnsent(store: Store, personId: string, change: MarkChange): boolean {
	const sought = JSON.stringify(changeSchema.safeParse(change).data);
	return listUnsent(store, personId, change.document).some((each) => JSON.stringify(each) === sought);
}

// An expired session is gone on with; after any other end another person may sit here.
onSessionEnd((reason) => {
	if (reason !== 'expiry') forgetAll();
});

function forgetAll(): void {
	try {
		for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
	} catch {
		// Forbidden: then nothing was kept.
	}
}

/** The mark that a change is about. */
export function idOf(change: MarkChange): string {
	return 'save' in change ? change.save.id : change.remove;
}

function keyOf(personId: string, document: string): string {
	return `${prefix}${personId}:${document}`;
}

function write(store: Store, key: string, changes: readonly MarkChange[]): void {
	try {
		if (changes.length === 0) store.removeItem(key);
		else store.setItem(key, JSON.stringify(changes));
	} catch {
		// Full, or forbidden: then it lasts as long as the page.
	}
}
