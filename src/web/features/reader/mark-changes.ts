import { byPlace, type ReadingMark } from '#contract/reader/reading.ts';

/** What a person does to a mark of a document. */
export type MarkChange =
	| { document: string; save: Omit<ReadingMark, 'createdAt' | 'updatedAt'> }
	| { document: string; remove: string };

/** A change on its way, and when it was made. */
export interface PendingChange {
	change: MarkChange;
	/** ISO 8601. */
	at: string;
}

/** Marks as they will be when what is on its way has arrived, in the order of their places. */
export function withChanges(marks: readonly ReadingMark[], pending: readonly PendingChange[]): ReadingMark[] {
	const byId = new Map(marks.map((mark) => [mark.id, mark]));
	for (const { change, at } of pending) {
		if ('remove' in change) byId.delete(change.remove);
		else {
			const { save } = change;
			byId.set(save.id, { ...save, createdAt: byId.get(save.id)?.createdAt ?? at, updatedAt: at });
		}
	}
	return [...byId.values()].toSorted(byPlace);
}
