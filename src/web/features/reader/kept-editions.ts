import { useEffect, useSyncExternalStore } from 'react';
import type { ShelfEdition } from '#contract/reader/reader.ts';
import { m } from '#messages';
import { type Kept, type KeptEdition, mayKeep } from '#web/platform/kept/kept-shape.ts';
import { canKeepHere, onKeptChange, readKept } from '#web/platform/kept/kept-store.ts';
import { useMe } from '#web/platform/session.ts';
import { toastError } from '#web/platform/toasts.ts';
import { dropEdition, type KeepFailure, keepEdition, NotKeptError } from './keep-edition.ts';
import type { useShelf } from './reader.api.ts';

/** What this device keeps, and what is on its way to it. */
interface KeptState {
	kept: Kept | null;
	/** By the edition's key: how much of it has arrived, 0 to 1. */
	arriving: ReadonlyMap<string, number>;
}

let state: KeptState = { kept: null, arriving: new Map() };
const listeners = new Set<() => void>();
const running = new Map<string, AbortController>();
let isFollowed = false;

function set(next: Partial<KeptState>): void {
	state = { ...state, ...next };
	for (const listener of listeners) listener();
}

function setArriving(key: string, share: number | null): void {
	const arriving = new Map(state.arriving);
	if (share === null) arriving.delete(key);
	else arriving.set(key, share);
	set({ arriving });
}

async function look(): Promise<void> {
	const kept = await readKept().catch(() => null);
	// What was removed elsewhere is not fetched on here.
	for (const [key, abort] of running)
		if (state.arriving.has(key) && state.kept !== null && !kept?.editions.some((each) => each.key === key))
			abort.abort();
	set({ kept });
}

function subscribe(listener: () => void): () => void {
	listeners.add(listener);
	if (!isFollowed && canKeepHere()) {
		isFollowed = true;
		onKeptChange(() => void look());
		void look();
	}
	return () => listeners.delete(listener);
}

/** What this device keeps of an edition; `share` while it is on its way. Null where nothing can or may be kept. */
export function useKeptEdition({ key }: Pick<ShelfEdition, 'key'>) {
	const me = useMe();
	const { kept, arriving } = useSyncExternalStore(subscribe, () => state);
	if (!canKeepHere() || !mayKeep(me) || import.meta.env.DEV) return null;
	const edition: KeptEdition | undefined =
		kept?.personId === me.id ? kept.editions.find((each) => each.key === key) : undefined;
	return { edition, share: arriving.get(key) };
}

/** Keeps an edition, or goes on keeping it. @returns why it could not be, or null */
export async function keep(personId: string, edition: ShelfEdition): Promise<KeepFailure | null> {
	const { key } = edition;
	if (running.has(key)) return null;
	const abort = new AbortController();
	running.set(key, abort);
	// In one tab at a time.
	return navigator.locks
		.request(`folio-keep-${key}`, { ifAvailable: true }, async (lock) => {
			if (lock === null) return null;
			setArriving(key, 0);
			await keepEdition(personId, edition, (share) => setArriving(key, share), abort.signal);
			return null;
		})
		.catch((error: unknown) => {
			if (error instanceof NotKeptError) return error.reason;
			throw error;
		})
		.finally(async () => {
			running.delete(key);
			await look();
			setArriving(key, null);
		});
}

/** Removes an edition from this device, or stops keeping it. */
export async function drop(key: string): Promise<void> {
	running.get(key)?.abort();
	await dropEdition(key);
}

const failureWords: Record<Exclude<KeepFailure, 'over'>, () => string> = {
	room: m.reader_keep_no_room,
	line: m.reader_keep_no_line,
	denied: m.reader_keep_denied,
};

/** Says why an edition was not kept. */
export function sayNotKept(failure: KeepFailure | null): void {
	if (failure !== null && failure !== 'over') toastError(failureWords[failure]());
}

/** A line that breaks again is nothing to speak of; what is given up, is. */
async function keepOn(personId: string, edition: ShelfEdition): Promise<void> {
	const failure = await keep(personId, edition);
	if (failure !== 'line') sayNotKept(failure);
}

/** Goes on with what was begun and is not whole: after a broken line, and when the copy is another one by now. */
export function useUnfinishedEditions({ data, dataUpdatedAt }: ReturnType<typeof useShelf>): void {
	const me = useMe();
	const editions = data?.editions;
	// biome-ignore lint/correctness/useExhaustiveDependencies: each answer, though it says the same, tells that there is a line.
	useEffect(() => {
		if (editions === undefined || !canKeepHere() || !mayKeep(me)) return;
		void readKept()
			.then((kept) => {
				if (kept?.personId !== me.id) return;
				for (const edition of editions) {
					const wish = kept.editions.find(({ key, isWhole }) => key === edition.key && !isWhole);
					if (wish !== undefined && edition.copy.state === 'ready' && edition.version !== null)
						void keepOn(me.id, edition).catch(console.error);
				}
			})
			.catch(console.error);
	}, [editions, dataUpdatedAt, me]);
}
