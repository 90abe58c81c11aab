import * as z from 'zod';
import { cursor, pageSize, timestamp } from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';
import { node } from '../files/files.ts';

/** How far a person is in a lesson. */
export const lessonProgress = z.object({
	/** Seconds of a film or recording, page of a PDF (from 1), 0 for anything else. */
	position: z.number().min(0),
	/** Its length in the same unit; 0 while unknown. */
	total: z.number().min(0),
	isDone: z.boolean(),
	updatedAt: timestamp,
});
export type LessonProgress = z.infer<typeof lessonProgress>;

/** Something shared with me, as a part of the course: a folder is a module, a file a lesson by itself. */
export const courseModule = z.object({
	node,
	/** Files in it at any depth that the person may read; null when there are more than are counted. */
	lessons: z.number().nullable(),
	done: z.number(),
	/** Of a file; null for a folder, and for a lesson that was never opened. */
	progress: lessonProgress.nullable(),
});
export type CourseModule = z.infer<typeof courseModule>;

export const lesson = z.object({
	node,
	/** Names of the folders inside the module that it stands in, from the outside in; empty right below the module. */
	section: z.array(z.string()),
	progress: lessonProgress.nullable(),
});
export type Lesson = z.infer<typeof lesson>;

/** Where {@link course.saveProgress} is, for a page that sends it while it is being left. */
export function lessonProgressPath(id: string): string {
	return `/api/course/lessons/${encodeURIComponent(id)}/progress`;
}

const moduleRef = z.object({ id: z.string(), name: z.string(), kind: node.shape.kind });

const resumePoint = z.object({ moduleId: z.string(), lessonId: z.string(), name: z.string(), moduleName: z.string() });

export const course = {
	/** Modules and single lessons in name order, folders first; `resume`: the lesson opened last that is not done. */
	list: endpoint
		.meta({ access: 'member' })
		.route({ method: 'GET', path: '/api/course', summary: 'The course: modules and progress' })
		.input(z.object({ cursor, limit: pageSize }))
		.output(
			z.object({
				items: z.array(courseModule),
				nextCursor: z.string().nullable(),
				resume: resumePoint.nullable(),
			}),
		),
	/**
	 * A module's lessons in the order in which they are gone through: a folder's own files by name, then its folders.
	 * A file shared by itself is a module of one lesson. NOT_FOUND, alike for absent and forbidden.
	 */
	module: endpoint
		.meta({ access: 'member' })
		.route({ method: 'GET', path: '/api/course/modules/{id}', summary: 'The lessons of a module' })
		.input(z.object({ id: z.string().max(100) }))
		.output(
			z.object({
				module: node,
				lessons: z.array(lesson),
				/** There are more lessons than are shown. */
				isCut: z.boolean(),
				/** What comes before and after this module; null at the ends. */
				previousModule: moduleRef.nullable(),
				nextModule: moduleRef.nullable(),
			}),
		),
	/** A done lesson stays done, unless `isHandled` is given. The later call wins. NOT_FOUND. */
	saveProgress: endpoint
		.meta({ access: 'member' })
		.route({ method: 'PUT', path: '/api/course/lessons/{id}/progress', summary: 'Keep where I am in a lesson' })
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
