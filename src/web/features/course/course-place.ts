/** Where the course lives. */
export const coursePath = '/dashboard/preview/book';

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

/** The search parameters of a place; what is at its default does not appear. */
export function searchOfCourse({ module = '', lesson = '' }: Partial<CoursePlace> = {}): Record<string, string> {
	return { ...(module !== '' && { module }), ...(lesson !== '' && { lesson }) };
}
