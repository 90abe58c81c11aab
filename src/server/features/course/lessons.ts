import { pathBelow } from '../../platform/database/folder-paths.ts';
import type { Db } from '../../platform/database/schema.ts';
import * as files from '../files/index.ts';
import { listShareKindsBelow } from '../sharing/index.ts';
import { listPathsBelow } from './course.queries.ts';

/** Maximum number of nodes of a module that are read. */
export const lessonsMax = 2000;

export interface LessonRow<Row = files.NodeRow> {
	row: Row;
	/** Names of the folders inside the module, from the outside in. */
	section: string[];
}

/** Lists a module's files in learning order: by name, before the files of subfolders. A shared file is one lesson. */
export async function listLessons(db: Db, recipientId: string, module: files.NodeRow) {
	if (module.kind === 'file') return { lessons: [{ row: module, section: [] }], isCut: false };
	const path = pathBelow(module);
	const rows = await files.listBelow(db, module.owner_id, path, lessonsMax + 1);
	const shareKinds = await listShareKindsBelow(db, module.owner_id, path, recipientId);
	const children = Map.groupBy(rows.slice(0, lessonsMax).toSorted(byName), (row) => row.path);
	return {
		lessons: [...walkLessons(children, shareKinds, { path, section: [], isOpen: true })],
		isCut: rows.length > lessonsMax,
	};
}

/** Lists a module's lesson ids, unordered; null above `max` nodes. `readCount`: the number of nodes read. */
export async function listLessonIds(db: Db, recipientId: string, module: files.NodeRow, max: number) {
	if (module.kind === 'file') return { ids: new Set([module.id]), readCount: 1 };
	const path = pathBelow(module);
	const rows = await listPathsBelow(db, module.owner_id, path, max + 1);
	if (rows.length > max) return { ids: null, readCount: rows.length };
	const shareKinds = await listShareKindsBelow(db, module.owner_id, path, recipientId);
	const children = Map.groupBy(rows, (row) => row.path);
	const lessons = walkLessons(children, shareKinds, { path, section: [], isOpen: true });
	return { ids: new Set([...lessons].map(({ row }) => row.id)), readCount: rows.length };
}

/** Compares sort keys in byte order, as the databases do. */
function byName(a: files.NodeRow, b: files.NodeRow): number {
	return Buffer.compare(Buffer.from(a.sort_key), Buffer.from(b.sort_key)) || (a.id < b.id ? -1 : 1);
}

interface LessonFolder {
	path: string;
	section: string[];
	/** Whether nodes without a share or exclusion of their own are readable here. */
	isOpen: boolean;
}

/** Yields the lessons from the top down, so that the contents of a deleted folder are never reached. */
function* walkLessons<Row extends Pick<files.NodeRow, 'id' | 'kind' | 'name' | 'path' | 'real_path'>>(
	children: ReadonlyMap<string, Row[]>,
	shareKinds: ReadonlyMap<string, 'share' | 'exclusion'>,
	{ path, section, isOpen }: LessonFolder,
): Generator<LessonRow<Row>> {
	const here = children.get(path) ?? [];
	const canRead = (row: Row) => (shareKinds.has(row.id) ? shareKinds.get(row.id) === 'share' : isOpen);
	for (const row of here) if (row.kind === 'file' && canRead(row)) yield { row, section };
	// An excluded folder is skipped; a share inside it is a separate module.
	for (const row of here)
		if (row.kind === 'folder' && canRead(row))
			yield* walkLessons(children, shareKinds, {
				path: pathBelow(row),
				section: [...section, row.name],
				isOpen: true,
			});
}
