import { type HistoryState, useLocation } from '@tanstack/react-router';
import * as z from 'zod';

export const coursePath = '/dashboard/preview/book';

/** State of the history entry that a link to a lesson adds. Closing the lesson then goes back by one entry. */
export const lessonHistoryState = { isLessonStep: true } as HistoryState;

/** Whether the open lesson has its own history entry; false if the lesson was opened by its URL. */
export function useHasLessonHistoryEntry(): boolean {
	const state: object = useLocation().state;
	return 'isLessonStep' in state;
}

/** `module`: id of the shown module. `lesson`: id of its open lesson. '' for none. */
export const courseSearch = z.object({ module: z.string().catch(''), lesson: z.string().catch('') });

export function lessonLink(module: string, lesson: string, state = lessonHistoryState) {
	return { to: coursePath, search: { module, lesson }, state } as const;
}

/** A file that is shared directly is a module whose only lesson is this file. */
export function moduleLink({ id, kind }: { id: string; kind: 'folder' | 'file' }, state = lessonHistoryState) {
	if (kind === 'file') return lessonLink(id, id, state);
	return { to: coursePath, search: { module: id }, state: {} } as const;
}
