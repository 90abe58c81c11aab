import * as z from 'zod';
import { onSessionEnd } from '#web/platform/session/session-end.ts';

const storedSchema = z.object({
	draft: z.string().default(''),
	texts: z.array(z.object({ clientId: z.string(), text: z.string(), writtenAt: z.string() })).default([]),
	attached: z.array(z.object({ fileId: z.string(), name: z.string(), sizeBytes: z.number() })).default([]),
});

/** What one has typed in a conversation: what stands in the field and goes along with it, and what was sent but is not there yet. */
export type StoredUnsent = z.infer<typeof storedSchema>;

const prefix = 'chat-unsent:';
const emptyUnsent: StoredUnsent = { draft: '', texts: [], attached: [] };

/** What was kept over a reload of this tab, behind what a tab that was closed has left. */
export function takeStored(key: string): StoredUnsent {
	const own = readFrom('session', key);
	const fromClosedTab = readFrom('local', key);
	if (isEmpty(fromClosedTab)) return own;
	const canTakeDraft = !hasDraft(own);
	const unsent = { ...(canTakeDraft ? fromClosedTab : own), texts: mergeTexts(fromClosedTab.texts, own.texts) };
	// From now on they are this tab's; what another was typing waits for a tab in which nobody is.
	writeTo('session', key, unsent);
	writeTo(
		'local',
		key,
		canTakeDraft || fromClosedTab.draft === own.draft ? emptyUnsent : { ...fromClosedTab, texts: [] },
	);
	return unsent;
}

/** A tab that is closed, or begun anew, leaves what it has not sent, and the draft, to the next one of the same person. */
export function handOverUnsent(): void {
	for (const key of listKeys('session')) {
		const own = readFrom('session', key);
		const fromClosedTab = readFrom('local', key);
		writeTo('local', key, {
			...(hasDraft(own) ? own : fromClosedTab),
			texts: mergeTexts(fromClosedTab.texts, own.texts),
		});
		writeTo('session', key, { ...own, texts: [] });
	}
}

function hasDraft({ draft, attached }: StoredUnsent): boolean {
	return draft !== '' || attached.length > 0;
}

function isEmpty(unsent: StoredUnsent): boolean {
	return !hasDraft(unsent) && unsent.texts.length === 0;
}

/** Keeps it; a browser that keeps nothing costs nothing but that. */
export function storeUnsent(key: string, unsent: StoredUnsent): void {
	writeTo('session', key, unsent);
}

/** Under which keys something waits that was sent. */
export function listUnsentKeys(): string[] {
	const keysWithTexts = (kind: StorageKind) => listKeys(kind).filter((key) => readFrom(kind, key).texts.length > 0);
	return [...new Set([...keysWithTexts('local'), ...keysWithTexts('session')])];
}

// An expired session is gone on with; after any other end another person may sit here.
onSessionEnd((reason) => {
	if (reason !== 'expiry') clearStored();
});

function clearStored(): void {
	for (const kind of ['session', 'local'] as const) {
		for (const key of listKeys(kind)) writeTo(kind, key, emptyUnsent);
	}
}

/** Of this tab, or of the browser. */
type StorageKind = 'session' | 'local';

const storageByKind = (kind: StorageKind) => (kind === 'session' ? sessionStorage : localStorage);

function listKeys(kind: StorageKind): string[] {
	try {
		return Object.keys(storageByKind(kind))
			.filter((key) => key.startsWith(prefix))
			.map((key) => key.slice(prefix.length));
	} catch {
		// Forbidden: then nothing was kept.
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
		// Full, or forbidden.
	}
}

function mergeTexts(first: StoredUnsent['texts'], then: StoredUnsent['texts']): StoredUnsent['texts'] {
	const known = new Set(first.map(({ clientId }) => clientId));
	return [...first, ...then.filter(({ clientId }) => !known.has(clientId))];
}
