import { type Annotation, compareAnnotations } from '#contract/book/reading.ts';
import type { PageBox } from '#web/ui/pdf/viewer/page-box.ts';

export type AnnotationChange =
	| { document: string; save: Omit<Annotation, 'createdAt' | 'updatedAt'> }
	| { document: string; remove: string };

export interface PendingChange {
	change: AnnotationChange;
	at: string;
}

export function applyChanges(annotations: readonly Annotation[], pending: readonly PendingChange[]): Annotation[] {
	const byId = new Map(annotations.map((annotation) => [annotation.id, annotation]));
	for (const { change, at } of pending) {
		if ('remove' in change) byId.delete(change.remove);
		else {
			const { save } = change;
			byId.set(save.id, { ...save, createdAt: byId.get(save.id)?.createdAt ?? at, updatedAt: at });
		}
	}
	return [...byId.values()].toSorted(compareAnnotations);
}

/** A tap this far above or below a highlight still selects the highlight. A share of the page's height. */
const touchTolerance = 0.006;

export function findHighlightAt(annotations: readonly Annotation[], page: number, [x, y]: readonly [number, number]) {
	const isIn = ([left, top, right, bottom]: PageBox) =>
		x >= left && x <= right && y >= top - touchTolerance && y <= bottom + touchTolerance;
	return annotations.findLast((annotation) => annotation.page === page && annotation.boxes.some(isIn));
}

export function findBookmark(annotations: readonly Annotation[], page: number): Annotation | undefined {
	return annotations.find((annotation) => annotation.kind === 'bookmark' && annotation.page === page);
}
