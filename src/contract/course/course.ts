import * as z from 'zod';
import { cursor, pageOf, pageSize, timestamp } from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';
import { node } from '../files/files.ts';

export const lessonProgress = z.object({
	/** Seconds for a video or audio file, page number from 1 for a PDF, 0 for other files. */
	position: z.number().min(0),
	/** Length of the lesson in the same unit; 0 while unknown. */
	total: z.number().min(0),
	isDone: z.boolean(),
	updatedAt: timestamp,
});
export type LessonProgress = z.infer<typeof lessonProgress>;

/** A node shared with the caller, as a course module. A file is a module of one lesson. */
export const courseModule = z.object({
	node,
	/** Number of files at any depth that the user may read; null above the counting limit. */
	lessons: z.number().nullable(),
	done: z.number(),
	/** Progress in a single lesson; null for a folder, and for a lesson that was never opened. */
	progress: lessonProgress.nullable(),
});
export type CourseModule = z.infer<typeof courseModule>;

export const lesson = z.object({
	node,
	/** Names of the folders between module and lesson; empty for a lesson directly in the module. */
	section: z.array(z.string()),
	progress: lessonProgress.nullable(),
});
export type Lesson = z.infer<typeof lesson>;

/** Returns the path of {@link course.saveProgress}, for a direct call while the page is being closed. */
export function lessonProgressPath(id: string): string {
	return `/api/course/lessons/${encodeURIComponent(id)}/progress`;
}

const moduleRef = z.object({ id: z.string(), name: z.string(), kind: node.shape.kind });

const resumePoint = z.object({ moduleId: z.string(), lessonId: z.string(), name: z.string(), moduleName: z.string() });

export const course = {
	/** Lists the modules by name, folders before files; `resume` is the last opened lesson that is not done. */
	list: endpoint('member', 'GET /api/course', 'List the modules of the course with the progress')
		.input(z.object({ cursor, limit: pageSize }))
		.output(pageOf(courseModule, { resume: resumePoint.nullable() })),
	/**
	 * Returns a module's lessons in their learning order: a folder's own files by name, then its folders. A file shared
	 * by itself is a module of one lesson. NOT_FOUND for unknown and forbidden modules.
	 */
	module: endpoint('member', 'GET /api/course/modules/{id}', 'List the lessons of a module')
		.input(z.object({ id: z.string().max(100) }))
		.output(
			z.object({
				module: node,
				lessons: z.array(lesson),
				/** Whether the module has more lessons than `lessons` lists. */
				isCut: z.boolean(),
				/** The modules before and after this one; null at the ends. */
				previousModule: moduleRef.nullable(),
				nextModule: moduleRef.nullable(),
			}),
		),
	/** Saves the progress; the last call wins. A done lesson stays done unless `isDone` is false. NOT_FOUND. */
	saveProgress: endpoint('member', 'PUT /api/course/lessons/{id}/progress', 'Save your own progress in a lesson')
		.input(
			z.object({
				id: z.string().max(100),
				position: z.number().min(0).max(1_000_000),
				total: z.number().min(0).max(1_000_000),
				isDone: z.boolean().optional(),
			}),
		)
		.output(lessonProgress),
};
