import type { Insertable } from 'kysely';
import { isBelow, pathBelow } from '../../platform/database/folder-paths.ts';
import type { Db, Schema } from '../../platform/database/schema.ts';
import type { NodeRow } from '../files/index.ts';

export type ProgressRow = Awaited<ReturnType<typeof findProgress>>[number];

export async function findProgress(db: Db, userId: string, nodeIds: readonly string[]) {
	if (nodeIds.length === 0) return [];
	return db
		.selectFrom('lesson_progress')
		.selectAll()
		.where('user_id', '=', userId)
		.where('node_id', 'in', nodeIds)
		.execute();
}

export function listProgressInModule(db: Db, userId: string, module: NodeRow, limit: number) {
	const progress = db
		.selectFrom('lesson_progress')
		.selectAll('lesson_progress')
		.where('user_id', '=', userId)
		.limit(limit);
	if (module.kind === 'file') return progress.where('node_id', '=', module.id).execute();
	// SQLite does not reorder a cross join. So the user's progress, which has fewer rows than the files, is read first.
	return progress
		.crossJoin('nodes')
		.whereRef('nodes.id', '=', 'lesson_progress.node_id')
		.where('nodes.owner_id', '=', module.owner_id)
		.where(isBelow(pathBelow(module), 'nodes.path'))
		.execute();
}

/** Lists at most `limit` nodes below a folder that are not deleted themselves; they may be in a deleted folder. */
export function listPathsBelow(db: Db, ownerId: string, path: string, limit: number) {
	return db
		.selectFrom('nodes')
		.select(['id', 'kind', 'name', 'path', 'real_path'])
		.where('owner_id', '=', ownerId)
		.where('deleted_at', 'is', null)
		.where(isBelow(path))
		.limit(limit)
		.execute();
}

/** Lists the lessons that a user has started and not finished, the last opened first. */
export function listUnfinishedLessons(db: Db, userId: string, limit: number) {
	return db
		.selectFrom('lesson_progress')
		.selectAll()
		.where('user_id', '=', userId)
		.where('is_done', '=', 0)
		.orderBy('updated_at', 'desc')
		.limit(limit)
		.execute();
}

export async function upsertProgress(tx: Db, row: Insertable<Schema['lesson_progress']>): Promise<void> {
	const { position, total, is_done, updated_at } = row;
	await tx
		.insertInto('lesson_progress')
		.values(row)
		.onConflict((conflict) =>
			conflict.columns(['user_id', 'node_id']).doUpdateSet({ position, total, is_done, updated_at }),
		)
		.execute();
}

export function countLessons(db: Db, userId: string) {
	return lessonsOf(db, userId)
		.select((eb) => [
			eb.fn.countAll<number>().as('begun'),
			eb.fn.sum<number | null>('lesson_progress.is_done').as('done'),
		])
		.executeTakeFirstOrThrow();
}

export function findLastLesson(db: Db, userId: string) {
	return lessonsOf(db, userId)
		.select(['nodes.name', 'lesson_progress.position', 'lesson_progress.total'])
		.select(['lesson_progress.is_done as isDone', 'lesson_progress.updated_at as at'])
		.orderBy('lesson_progress.updated_at', 'desc')
		.limit(1)
		.executeTakeFirst();
}

function lessonsOf(db: Db, userId: string) {
	return db
		.selectFrom('lesson_progress')
		.innerJoin('nodes', 'nodes.id', 'lesson_progress.node_id')
		.where('lesson_progress.user_id', '=', userId)
		.where('nodes.deleted_at', 'is', null);
}
