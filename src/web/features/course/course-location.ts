import { type HistoryState, useLocation } from '@tanstack/react-router';
import * as z from 'zod';

export const coursePath = '/dashboard/preview/book';

/** State of the history entry that opens a lesson; closing the lesson goes back to the entry before. */
export const lessonHistoryState = { isLessonStep: true } as HistoryState;

/** Whether the open lesson has its own history entry; false if the lesson was opened by its URL. */
export function useHasLessonHistoryEntry(): boolean {
	const state: object = useLocation().state;
	return 'isLessonStep' in state;
}

/** The ids of the module that is shown and of the open lesson, which is in this module; '' for none. */
export const courseSearch = z.object({ module: z.string().catch(''), lesson: z.string().catch('') });

export function lessonLink(module: string, lesson: string, state = lessonHistoryState) {
	return { to: coursePath, search: { module, lesson }, state } as const;
}

/** Returns a link to a module. A file that is shared on its own is a module with one lesson, the file itself. */
export function moduleLink({ id, kind }: { id: string; kind: 'folder' | 'file' }, state = lessonHistoryState) {
	if (kind === 'file') return lessonLink(id, id, state);
	return { to: coursePath, search: { module: id }, state: {} } as const;
}
