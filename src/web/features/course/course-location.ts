import { type HistoryState, useLocation } from '@tanstack/react-router';

export const coursePath = '/dashboard/preview/book';

/** State of the history entry that opens a lesson; closing the lesson goes back to the entry before. */
export const lessonHistoryState = { isLessonStep: true } as HistoryState;

/** Whether the open lesson has its own history entry; false if the lesson was opened by its URL. */
export function useHasLessonHistoryEntry(): boolean {
	const state: object = useLocation().state;
	return 'isLessonStep' in state;
}

/** The module that is shown, and the open lesson; '' for none. Part of the URL. */
export interface CourseLocation {
	module: string;
	lesson: string;
}

/** Reads a location from unchecked search parameters; a lesson without a module is ignored. */
export function parseCourseLocation(search: Record<string, unknown>): CourseLocation {
	const module = typeof search.module === 'string' ? search.module : '';
	return { module, lesson: module !== '' && typeof search.lesson === 'string' ? search.lesson : '' };
}

/** Returns the search parameters of a location, without empty values. */
export function courseSearchParams({ module = '', lesson = '' }: Partial<CourseLocation> = {}): Record<string, string> {
	return { ...(module !== '' && { module }), ...(lesson !== '' && { lesson }) };
}

export function lessonLink(module: string, lesson: string, state = lessonHistoryState) {
	return { to: coursePath, search: courseSearchParams({ module, lesson }), state } as const;
}

/** Returns a link to a module. A file that is shared on its own is a module with one lesson, the file itself. */
export function moduleLink({ id, kind }: { id: string; kind: 'folder' | 'file' }, state = lessonHistoryState) {
	if (kind === 'file') return lessonLink(id, id, state);
	return { to: coursePath, search: courseSearchParams({ module: id }), state: {} } as const;
}
