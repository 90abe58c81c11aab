import { type HistoryState, useLocation } from '@tanstack/react-router';

/** Where the course lives. */
export const coursePath = '/dashboard/preview/book';

/** Goes with the step that opens a lesson: closing it takes the step back. */
export const lessonStep = { isLessonStep: true } as HistoryState;

/** Whether the lesson that is open has a step of its own in the history; not where its address was typed. */
export function useIsLessonStep(): boolean {
	const state: object = useLocation().state;
	return 'isLessonStep' in state;
}

/** Which module is shown, and which of its lessons is open; '' for none. Stands in the URL. */
export interface CoursePlace {
	module: string;
	lesson: string;
}

/** Reads a place from search parameters, however they were typed. A lesson stands in a module. */
export function parseCoursePlace(search: Record<string, unknown>): CoursePlace {
	const module = typeof search.module === 'string' ? search.module : '';
	return { module, lesson: module !== '' && typeof search.lesson === 'string' ? search.lesson : '' };
}

/** The search parameters that open a module: a file that is shared by itself is its own and only lesson. */
export function searchOfModule({ id, kind }: { id: string; kind: 'folder' | 'file' }): Record<string, string> {
	return searchOfCourse(kind === 'file' ? { module: id, lesson: id } : { module: id });
}

/** The search parameters of a place; what is at its default does not appear. */
export function searchOfCourse({ module = '', lesson = '' }: Partial<CoursePlace> = {}): Record<string, string> {
	return { ...(module !== '' && { module }), ...(lesson !== '' && { lesson }) };
}
