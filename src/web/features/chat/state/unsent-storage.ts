import * as z from 'zod';
import { onSessionEnd } from '#web/platform/session/session-end.ts';

const storedSchema = z.object({
	draft: z.string().default(''),
	texts: z.array(z.object({ clientId: z.string(), text: z.string(), writtenAt: z.string() })).default([]),
	attached: z.array(z.object({ fileId: z.string(), name: z.string() })).default([]),
});

/** The draft of a conversation with its attached files, and the unsent text messages. */
export type StoredUnsent = z.infer<typeof storedSchema>;

const prefix = 'chat-unsent:';
const emptyUnsent: StoredUnsent = { draft: '', texts: [], attached: [] };

/**
 * Returns the unsent messages and the draft of this tab. Adds the unsent messages of a closed tab, and its draft if
 * this tab has none.
 */
export function takeStored(key: string): StoredUnsent {
	const own = readFrom('session', key);
	const fromClosedTab = readFrom('local', key);
	if (isEmpty(fromClosedTab)) return own;
	const canTakeDraft = !hasDraft(own);
	const unsent = { ...(canTakeDraft ? fromClosedTab : own), texts: mergeTexts(fromClosedTab.texts, own.texts) };
	// If this tab has a draft, the draft of the closed tab stays in localStorage for the next tab.
	writeTo('session', key, unsent);
	const isTaken = canTakeDraft || fromClosedTab.draft === own.draft;
	writeTo('local', key, isTaken ? emptyUnsent : { ...fromClosedTab, texts: [] });
	return unsent;
}

/** Called when a tab closes or reloads. Moves its unsent messages and copies its draft to localStorage. */
export function handOverUnsent(): void {
	for (const key of listKeys('session')) {
		const own = readFrom('session', key);
		const fromClosedTab = readFrom('local', key);
		const texts = mergeTexts(fromClosedTab.texts, own.texts);
		writeTo('local', key, { ...(hasDraft(own) ? own : fromClosedTab), texts });
		writeTo('session', key, { ...own, texts: [] });
	}
}

function hasDraft({ draft, attached }: StoredUnsent): boolean {
	return draft !== '' || attached.length > 0;
}

function isEmpty(unsent: StoredUnsent): boolean {
	return !hasDraft(unsent) && unsent.texts.length === 0;
}

/** Has no effect if the browser's storage is disabled. */
export function storeUnsent(key: string, unsent: StoredUnsent): void {
	writeTo('session', key, unsent);
}

export function listUnsentKeys(): string[] {
	const keysWithTexts = (kind: StorageKind) => listKeys(kind).filter((key) => readFrom(kind, key).texts.length > 0);
	return [...new Set([...keysWithTexts('local'), ...keysWithTexts('session')])];
}

// After an expiry the data is kept, because the same user may sign in again. After any other end of the session,
// another user may use this browser.
onSessionEnd((reason) => {
	if (reason === 'expiry') return;
	for (const kind of ['session', 'local'] as const) for (const key of listKeys(kind)) writeTo(kind, key, emptyUnsent);
});

type StorageKind = 'session' | 'local';

const storageByKind = (kind: StorageKind) => (kind === 'session' ? sessionStorage : localStorage);

function listKeys(kind: StorageKind): string[] {
	try {
		return Object.keys(storageByKind(kind))
			.filter((key) => key.startsWith(prefix))
			.map((key) => key.slice(prefix.length));
	} catch {
		// Storage is disabled, so nothing was stored.
		return [];
	}
}

function readFrom(kind: StorageKind, key: string): StoredUnsent {
	try {
		const unsent = storedSchema.safeParse(JSON.parse(storageByKind(kind).getItem(prefix + key) ?? ''));
		return unsent.success ? unsent.data : emptyUnsent;
	} catch {
		return emptyUnsent;
	}
}

function writeTo(kind: StorageKind, key: string, unsent: StoredUnsent): void {
	try {
		if (isEmpty(unsent)) storageByKind(kind).removeItem(prefix + key);
		else storageByKind(kind).setItem(prefix + key, JSON.stringify(unsent));
	} catch {
		// Storage is full or disabled.
	}
}

function mergeTexts(first: StoredUnsent['texts'], then: StoredUnsent['texts']): StoredUnsent['texts'] {
	const firstIds = new Set(first.map(({ clientId }) => clientId));
	return [...first, ...then.filter(({ clientId }) => !firstIds.has(clientId))];
}
