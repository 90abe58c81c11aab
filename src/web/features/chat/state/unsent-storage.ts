import { list, object, orElse, stateOf, text } from '#web/platform/browser/readers.ts';
import { type SafeStorage, storage, tabStorage } from '#web/platform/browser/storage.ts';
import { deleteStoredOnSessionEnd } from '#web/platform/session/session-end.ts';

const readStored = stateOf({
	draft: orElse(text(), ''),
	texts: orElse(list(object({ clientId: text(), text: text(), writtenAt: text() })), []),
	attached: orElse(list(object({ fileId: text(), name: text() })), []),
});

/** The draft of a conversation with its attached files, and the unsent text messages. */
export type StoredUnsent = ReturnType<typeof readStored>;

const prefix = 'chat-unsent:';
const emptyUnsent: StoredUnsent = { draft: '', texts: [], attached: [] };

/**
 * Returns the unsent messages and the draft of this tab. Adds the unsent messages of a closed tab, and its draft if
 * this tab has none.
 */
export function takeStored(key: string): StoredUnsent {
	const own = read(tabStorage, key);
	const fromClosedTab = read(storage, key);
	if (isEmpty(fromClosedTab)) return own;
	const canTakeDraft = !hasDraft(own);
	const unsent = { ...(canTakeDraft ? fromClosedTab : own), texts: mergeTexts(fromClosedTab.texts, own.texts) };
	// If this tab has a draft, the draft of the closed tab stays in localStorage for the next tab.
	write(tabStorage, key, unsent);
	const isTaken = canTakeDraft || fromClosedTab.draft === own.draft;
	write(storage, key, isTaken ? emptyUnsent : { ...fromClosedTab, texts: [] });
	return unsent;
}

/** Called when a tab closes or reloads. Moves its unsent messages and copies its draft to localStorage. */
export function handOverUnsent(): void {
	for (const key of listKeys(tabStorage)) {
		const own = read(tabStorage, key);
		const fromClosedTab = read(storage, key);
		const texts = mergeTexts(fromClosedTab.texts, own.texts);
		write(storage, key, { ...(hasDraft(own) ? own : fromClosedTab), texts });
		write(tabStorage, key, { ...own, texts: [] });
	}
}

function hasDraft({ draft, attached }: StoredUnsent): boolean {
	return draft !== '' || attached.length > 0;
}

function isEmpty(unsent: StoredUnsent): boolean {
	return !hasDraft(unsent) && unsent.texts.length === 0;
}

export function storeUnsent(key: string, unsent: StoredUnsent): void {
	write(tabStorage, key, unsent);
}

export function listUnsentKeys(): string[] {
	const keysWithTexts = [storage, tabStorage].flatMap((from) =>
		listKeys(from).filter((key) => read(from, key).texts.length > 0),
	);
	return [...new Set(keysWithTexts)];
}

deleteStoredOnSessionEnd(prefix);

function listKeys(from: SafeStorage): string[] {
	return from.keysStartingWith(prefix).map((key) => key.slice(prefix.length));
}

function read(from: SafeStorage, key: string): StoredUnsent {
	return from.getJson(prefix + key, (stored) => readStored(Object(stored))) ?? emptyUnsent;
}

function write(to: SafeStorage, key: string, unsent: StoredUnsent): void {
	to.set(prefix + key, isEmpty(unsent) ? null : JSON.stringify(unsent));
}

function mergeTexts(first: StoredUnsent['texts'], then: StoredUnsent['texts']): StoredUnsent['texts'] {
	const firstIds = new Set(first.map(({ clientId }) => clientId));
	return [...first, ...then.filter(({ clientId }) => !firstIds.has(clientId))];
}
