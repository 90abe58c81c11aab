import { pathBelow } from '../../platform/database/folder-paths.ts';
import type { Db } from '../../platform/database/schema.ts';
import * as files from '../files/index.ts';
import { listShareKindsBelow } from '../sharing/index.ts';
import { listPathsBelow } from './course.queries.ts';

/** More entries of a module are not gone through. */
export const lessonsMax = 2000;

export interface LessonRow<Row = files.NodeRow> {
	row: Row;
	/** Names of the folders inside the module, from the outside in. */
	section: string[];
}

/** The files of a shared folder in learning order: its own by name, then its folders'. A shared file is one lesson. */
export async function listLessons(
	db: Db,
	recipientId: string,
	module: files.NodeRow,
): Promise<{ lessons: LessonRow[]; isCut: boolean }> {
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

/** The ids of the same files, unordered; null above `max` entries. `looked`: how many were gone through. */
export async function listLessonIds(
	db: Db,
	recipientId: string,
	module: files.NodeRow,
	max: number,
): Promise<{ ids: Set<string> | null; looked: number }> {
	if (module.kind === 'file') return { ids: new Set([module.id]), looked: 1 };
	const path = pathBelow(module);
	const rows = await listPathsBelow(db, module.owner_id, path, max + 1);
	if (rows.length > max) return { ids: null, looked: rows.length };
	const shareKinds = await listShareKindsBelow(db, module.owner_id, path, recipientId);
	const children = Map.groupBy(rows, (row) => row.path);
	const lessons = walkLessons(children, shareKinds, { path, section: [], isOpen: true });
	return { ids: new Set([...lessons].map(({ row }) => row.id)), looked: rows.length };
}

/** In plain byte order, as the lists are sorted. */
function byName(a: files.NodeRow, b: files.NodeRow): number {
	return Buffer.compare(Buffer.from(a.sort_key), Buffer.from(b.sort_key)) || (a.id < b.id ? -1 : 1);
}

interface LessonFolder {
	path: string;
	section: string[];
	/** Whether what has no entry of its own may be read here. */
	isOpen: boolean;
}

/** From the top down, so that the contents of a deleted folder are never reached. */
function* walkLessons<Row extends Pick<files.NodeRow, 'id' | 'kind' | 'name' | 'path' | 'real_path'>>(
	children: ReadonlyMap<string, Row[]>,
	shareKinds: ReadonlyMap<string, 'share' | 'exclusion'>,
	{ path, section, isOpen }: LessonFolder,
): Generator<LessonRow<Row>> {
	const here = children.get(path) ?? [];
	const canRead = (row: Row) => (shareKinds.has(row.id) ? shareKinds.get(row.id) === 'share' : isOpen);
	for (const row of here) if (row.kind === 'file' && canRead(row)) yield { row, section };
	// A share inside of what is left out is a module of its own.
	for (const row of here)
		if (row.kind === 'folder' && canRead(row))
			yield* walkLessons(children, shareKinds, {
				path: pathBelow(row),
				section: [...section, row.name],
				isOpen: true,
			});
}
