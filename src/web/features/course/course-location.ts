import { type HistoryState, useLocation } from '@tanstack/react-router';

export const coursePath = '/dashboard/preview/book';

/** Goes with the step that opens a lesson: closing it takes the step back. */
export const lessonHistoryState = { isLessonStep: true } as HistoryState;

/** Whether the lesson that is open has a step of its own in the history; not where its address was typed. */
export function useHasLessonHistoryEntry(): boolean {
	const state: object = useLocation().state;
	return 'isLessonStep' in state;
}

/** The module that is shown, and the open lesson; '' for none. Part of the URL. */
export interface CourseLocation {
	module: string;
	lesson: string;
}

/** Reads a location from search parameters of any form. A lesson needs a module. */
export function parseCourseLocation(search: Record<string, unknown>): CourseLocation {
	const module = typeof search.module === 'string' ? search.module : '';
	return { module, lesson: module !== '' && typeof search.lesson === 'string' ? search.lesson : '' };
}

/** The search parameters that open a module: a file that is shared by itself is its own and only lesson. */
export function moduleSearchParams({ id, kind }: { id: string; kind: 'folder' | 'file' }): Record<string, string> {
	return courseSearchParams(kind === 'file' ? { module: id, lesson: id } : { module: id });
}

/** The search parameters of a place; what is at its default does not appear. */
export function courseSearchParams({ module = '', lesson = '' }: Partial<CourseLocation> = {}): Record<string, string> {
	return { ...(module !== '' && { module }), ...(lesson !== '' && { lesson }) };
}
