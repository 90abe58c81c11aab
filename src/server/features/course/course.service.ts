import type { CourseSummary } from '#contract/chat/member-card.ts';
import type { InputOf } from '#contract/core/endpoint.ts';
import type { CourseModule, course, LessonProgress } from '#contract/course/course.ts';
import { previewOf } from '#contract/files/file-types.ts';
import type { Node } from '#contract/files/files.ts';
import type { MemberCaller } from '../../platform/actor.ts';
import { AppError, required } from '../../platform/app-error.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { Deps } from '../../platform/deps.ts';
import { yieldToEventLoop } from '../../platform/event-loop.ts';
import { findReader, type Reader } from '../accounts/index.ts';
import * as files from '../files/index.ts';
import { isSharedWith, listReadableFolders, listTopShares, requireNode } from '../sharing/index.ts';
import * as queries from './course.queries.ts';
import { type LessonRow, lessonsMax, listLessonIds, listLessons } from './lessons.ts';

/** Maximum number of unfinished lessons that are searched for the lesson to resume. */
const resumeCandidatesMax = 20;
/** Maximum number of nodes that are read to count the lessons of a list of modules. */
const nodesReadMax = 25_000;
/** Maximum number of a user's started lessons that are read for one module. */
const progressMax = 5000;
/** A lesson other than a PDF is done at this fraction of its length, because few users watch a video's credits. */
const doneFraction = 0.95;

/** Lists the caller's outermost shares as course modules with the progress in each, and finds the lesson to resume. */
export async function listModules(deps: Deps, caller: MemberCaller, input: InputOf<typeof course.list>) {
	const { userId } = caller.actor;
	const reader = await findReader(deps.db, userId);
	const { rows, nextCursor } = await listTopShares(deps.db, reader, input.cursor, input.limit);
	const nodes = await files.presentNodes(deps.db, rows, reader);
	const items: CourseModule[] = [];
	let remainingNodes = nodesReadMax;
	for (const [i, row] of rows.entries()) {
		const node = nodes[i];
		if (node === undefined) continue;
		const { readCount, ...measures } = await measureModule(deps.db, reader, row, Math.min(remainingNodes, lessonsMax));
		remainingNodes -= readCount;
		items.push({ node, ...measures });
		await yieldToEventLoop();
	}
	return { items, nextCursor, resume: await findResume(deps.db, reader) };
}

/** @param max maximum number of nodes to read; the lessons of a larger module are not counted */
async function measureModule(db: Db, reader: Reader, module: files.NodeRow, max: number) {
	const { ids, readCount } = await listLessonIds(db, reader, module, max);
	const rows = await queries.listProgressInModule(db, reader.id, module, progressMax);
	const progressOfModule = rows.filter(({ node_id }) => ids === null || ids.has(node_id));
	const [fileProgress] = module.kind === 'file' ? progressOfModule : [];
	return {
		lessons: ids === null ? null : ids.size,
		done: progressOfModule.filter(({ is_done }) => is_done === 1).length,
		progress: fileProgress === undefined ? null : presentProgress(fileProgress),
		readCount,
	};
}

/** Finds the last opened unfinished lesson that the user can still read, with its module. */
async function findResume(db: Db, reader: Reader) {
	for (const { node_id: id } of await queries.listUnfinishedLessons(db, reader.id, resumeCandidatesMax)) {
		const [row] = await files.findNodes(db, [id]);
		if (row === undefined || !(await isSharedWith(db, reader, row))) continue;
		const [module = row] = await listReadableFolders(db, reader, row);
		return { moduleId: module.id, lessonId: id, name: row.name, moduleName: module.name };
	}
	return null;
}

/** Returns a module's lessons in order, and the previous and next module. @throws AppError NOT_FOUND */
export async function getModule(deps: Deps, caller: MemberCaller, id: string) {
	const { userId } = caller.actor;
	const row = await requireLesson(deps, caller, id);
	const reader = await findReader(deps.db, userId);
	const { lessons, isCut } = await listLessons(deps.db, reader, row);
	const progress = await findLessonProgress(deps.db, userId, lessons);
	const lessonRows = lessons.map((lesson) => lesson.row);
	const nodes = await files.presentNodes(deps.db, lessonRows, reader);
	const [module] = await files.presentNodes(deps.db, [row], reader);
	return {
		module: required(module, 'NOT_FOUND'),
		lessons: nodes.map((node, i) => ({
			node,
			section: lessons[i]?.section ?? [],
			progress: progress.get(node.id) ?? null,
		})),
		isCut,
		...(await findAdjacentModules(deps.db, reader, id)),
	};
}

/** Stores the caller's position in a lesson, and whether the lesson is done. @throws AppError NOT_FOUND */
export async function saveProgress(deps: Deps, caller: MemberCaller, input: InputOf<typeof course.saveProgress>) {
	const { userId } = caller.actor;
	const node = await requireLesson(deps, caller, input.id);
	if (node.kind !== 'file') throw new AppError('NOT_FOUND');
	const { position, total } = input;
	const isAtEnd =
		total > 0 && position >= (previewOf(node.name, node.contentType) === 'pdf' ? total : total * doneFraction);
	return inTransaction(deps.db, async (tx) => {
		const [before] = await queries.findProgress(tx, userId, [node.id]);
		const isDone = input.isDone ?? (before?.is_done === 1 || isAtEnd);
		const row = {
			user_id: userId,
			node_id: node.id,
			position,
			total,
			is_done: isDone ? 1 : 0,
			updated_at: isoAt(deps.clock),
		} as const;
		await queries.upsertProgress(tx, row);
		return presentProgress(row);
	});
}

export async function summariseCourse(db: Db, userId: string): Promise<CourseSummary> {
	const { begun, done } = await queries.countLessons(db, userId);
	const last = await queries.findLastLesson(db, userId);
	return {
		begun,
		done: Number(done ?? 0),
		last: last === undefined ? null : { ...last, isDone: last.isDone === 1 },
	};
}

/** Returns a node shared with the caller; admins may open any node as a module or lesson. @throws AppError NOT_FOUND */
async function requireLesson(deps: Deps, caller: MemberCaller, id: string): Promise<files.NodeRow> {
	const node = await requireNode(deps.db, caller, id);
	if (
		caller.actor.role === 'admin' ||
		(await isSharedWith(deps.db, await findReader(deps.db, caller.actor.userId), node))
	)
		return node;
	throw new AppError('NOT_FOUND');
}

async function findLessonProgress(db: Db, userId: string, lessons: LessonRow[]): Promise<Map<string, LessonProgress>> {
	const progress = new Map<string, LessonProgress>();
	for (let start = 0; start < lessons.length; start += 1000) {
		const ids = lessons.slice(start, start + 1000).map(({ row }) => row.id);
		for (const row of await queries.findProgress(db, userId, ids)) progress.set(row.node_id, presentProgress(row));
	}
	return progress;
}

function presentProgress(row: Omit<queries.ProgressRow, 'user_id' | 'node_id'>): LessonProgress {
	return { position: row.position, total: row.total, isDone: row.is_done === 1, updatedAt: row.updated_at };
}

async function findAdjacentModules(db: Db, reader: Reader, id: string) {
	let previousModule: Pick<Node, 'id' | 'name' | 'kind'> | null = null;
	let cursor: string | undefined;
	let isFound = false;
	do {
		const { rows, nextCursor } = await listTopShares(db, reader, cursor, 200);
		for (const row of rows) {
			if (isFound) return { previousModule, nextModule: { id: row.id, name: row.name, kind: row.kind } };
			if (row.id === id) isFound = true;
			else previousModule = { id: row.id, name: row.name, kind: row.kind };
		}
		cursor = nextCursor ?? undefined;
	} while (cursor !== undefined);
	return { previousModule: isFound ? previousModule : null, nextModule: null };
}
