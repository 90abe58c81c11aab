import { pathBelow } from '../../platform/database/folder-paths.ts';
import type { Db } from '../../platform/database/schema.ts';
import type { Reader } from '../accounts/index.ts';
import * as files from '../files/index.ts';
import { listExclusionsBelow } from '../sharing/index.ts';
import { listPathsBelow } from './course.queries.ts';

export const lessonsMax = 2000;

export interface LessonRow<Row = files.NodeRow> {
	row: Row;
	/** Names of the folders between the module and the lesson, outermost first. */
	section: string[];
}

/** Lists a module's lessons: the files of each folder by name, then those of its subfolders. */
export async function listLessons(db: Db, reader: Reader, module: files.NodeRow) {
	if (module.kind === 'file') return { lessons: [{ row: module, section: [] }], isCut: false };
	const path = pathBelow(module);
	const rows = await files.listBelow(db, module.owner_id, path, lessonsMax + 1);
	const excluded = await listExclusionsBelow(db, module.owner_id, path, reader);
	const children = Map.groupBy(rows.slice(0, lessonsMax).toSorted(byName), (row) => row.path);
	return { lessons: [...walkLessons(children, excluded, path)], isCut: rows.length > lessonsMax };
}

/** Returns the ids of a module's lessons, or null for more than `max` nodes. `readCount`: number of nodes read. */
export async function listLessonIds(db: Db, reader: Reader, module: files.NodeRow, max: number) {
	if (module.kind === 'file') return { ids: new Set([module.id]), readCount: 1 };
	const path = pathBelow(module);
	const rows = await listPathsBelow(db, module.owner_id, path, max + 1);
	if (rows.length > max) return { ids: null, readCount: rows.length };
	const excluded = await listExclusionsBelow(db, module.owner_id, path, reader);
	const children = Map.groupBy(rows, (row) => row.path);
	const lessons = walkLessons(children, excluded, path);
	return { ids: new Set([...lessons].map(({ row }) => row.id)), readCount: rows.length };
}

/** Compares sort keys in byte order, as the databases do. */
function byName(a: files.NodeRow, b: files.NodeRow): number {
	return Buffer.compare(Buffer.from(a.sort_key), Buffer.from(b.sort_key)) || (a.id < b.id ? -1 : 1);
}

/** Yields the lessons from the top down, so that the contents of a deleted folder are never reached. */
function* walkLessons<Row extends Pick<files.NodeRow, 'id' | 'kind' | 'name' | 'path' | 'real_path'>>(
	children: ReadonlyMap<string, Row[]>,
	excluded: ReadonlySet<string>,
	path: string,
	section: string[] = [],
): Generator<LessonRow<Row>> {
	// An excluded folder is skipped; a share inside it is a separate module.
	const here = (children.get(path) ?? []).filter(({ id }) => !excluded.has(id));
	for (const row of here) if (row.kind === 'file') yield { row, section };
	for (const row of here)
		if (row.kind === 'folder') yield* walkLessons(children, excluded, pathBelow(row), [...section, row.name]);
}
