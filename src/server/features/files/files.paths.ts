import type { FolderPaths } from '#contract/files/files.ts';
import type { Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Deps } from '../../platform/deps.ts';
import { errorBodyOf, toAppError } from '../../platform/http/errors.ts';
import { newId } from '../../platform/ids.ts';
import { letOthers } from '../../platform/turns.ts';
import { recordAudit } from '../audit/audit.service.ts';
import { levelsOf, requireLevels } from './files.levels.ts';
import { type FolderPlace, pathBelow, requireFolder } from './files.nodes.ts';
import * as queries from './files.queries.ts';
import { newNodeRow, newRealPath, publishNodes, requireFolderName, requirePlaceStays } from './files.service.ts';
import { requireSpace, type Space } from './files.spaces.ts';
import { nameKeyOf } from './names.ts';
import { addToFolder, lockSpace } from './totals.queries.ts';

/**
 * Makes the folders of a tree on their way: each path of names below `path` is found, or made where it is missing.
 * Names are compared as everywhere, so that two who bring the same tree at once meet in the same folders.
 * A path that cannot be made does not hold up the rest.
 * @throws AppError NOT_FOUND, FOLDER_GONE
 */
export async function ensureFolders(
	deps: Deps,
	caller: Caller,
	input: { owner: string; path: string; paths: string[][] },
): Promise<FolderPaths> {
	const space = await requireSpace(deps, caller, input.owner);
	const base = await requireFolder(deps.db, space.id, input.path);
	const items: FolderPaths['items'] = [];
	let created = 0;
	for (const names of input.paths) {
		await letOthers();
		try {
			const way = await inTransaction(deps.db, (tx) => walk(deps, tx, caller, { space, base, names }));
			created += way.created;
			items.push({ path: way.place.path, code: null, message: null });
		} catch (error) {
			if (!(error instanceof AppError)) throw error;
			const { code, message } = errorBodyOf(toAppError(error), caller.locale);
			items.push({ path: null, code, message });
		}
	}
	if (created > 0) publishNodes(deps, space.id);
	return { items, created };
}

interface Way {
	space: Space;
	base: FolderPlace;
	names: string[];
}

/** One path, in one transaction. @throws AppError FOLDER_NAME_REQUIRED, NAME_INVALID, NAME_TOO_LONG, NAME_EXISTS (a file), TOO_DEEP, FOLDER_GONE */
async function walk(deps: Deps, tx: Db, caller: Caller, { space, base, names }: Way) {
	await lockSpace(tx, space.id);
	await requirePlaceStays(tx, space.id, base);
	let place = base;
	let created = 0;
	for (const typed of names) {
		const name = requireFolderName(typed);
		const there = await queries.findNodeByNameKey(tx, space.id, place.path, nameKeyOf(name));
		if (there?.kind === 'file') throw new AppError('NAME_EXISTS', { params: { name } });
		const folder = there ?? (await makeFolder(deps, tx, caller, space, place, name));
		if (there === undefined) created += 1;
		place = { id: folder.id, path: pathBelow({ path: place.path, real_path: folder.real_path }) };
	}
	return { place, created };
}

async function makeFolder(deps: Deps, tx: Db, caller: Caller, space: Space, parent: FolderPlace, name: string) {
	requireLevels(levelsOf(parent.path) + 1);
	const folder = {
		...newNodeRow(deps, { id: newId(), ownerId: space.id, parent, name, kind: 'folder' }),
		real_path: await newRealPath(deps, tx, space.id),
	};
	await queries.insertNode(tx, folder);
	await addToFolder(tx, space.id, parent.path, { folders: 1, files: 0, sizeBytes: 0 });
	await recordAudit(deps, tx, caller, {
		action: 'folder-created',
		subjectKind: 'node',
		subjectId: folder.id,
		detail: { owner: space.email, name },
	});
	return folder;
}
