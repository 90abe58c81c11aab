import type { InputOf } from '#contract/core/endpoint.ts';
import type { EnsuredFolders, files } from '#contract/files/files.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import { pathBelow } from '../../../platform/database/folder-paths.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { yieldToEventLoop } from '../../../platform/event-loop.ts';
import { errorBodyOf, toAppError } from '../../../platform/http/errors.ts';
import { requireSpace, type Space } from '../spaces/spaces.policy.ts';
import { nameKeyOf } from './node-names.ts';
import { getFolder, type TargetFolder } from './nodes.ts';
import * as queries from './tree.queries.ts';
import { insertFolder, lockTargetFolder, publishNodesChanged, requireFolderName } from './tree.service.ts';

/**
 * Finds or creates each path of folder names below `path`. Concurrent uploads of the same tree use the same folders:
 * each finds those that the other has created. A path that cannot be created does not stop the others.
 * @throws AppError NOT_FOUND, FOLDER_GONE
 */
export async function ensureFolders(deps: Deps, caller: Caller, input: InputOf<typeof files.ensureFolders>) {
	const space = await requireSpace(deps, caller, input.owner);
	const base = await getFolder(deps.db, space.id, input.path);
	const items: EnsuredFolders = [];
	let isChanged = false;
	for (const names of input.paths) {
		await yieldToEventLoop();
		try {
			const ensured = await inTransaction(deps.db, (tx) => ensureFolderPath(deps, tx, caller, { space, base, names }));
			isChanged ||= ensured.isNew;
			items.push({ path: ensured.path, code: null, message: null });
		} catch (error) {
			if (!(error instanceof AppError)) throw error;
			const { code, message } = errorBodyOf(toAppError(error), caller.locale);
			items.push({ path: null, code, message });
		}
	}
	if (isChanged) publishNodesChanged(deps, space.id);
	return { items };
}

/**
 * Finds or creates the folders of one path, in one transaction.
 * @returns the path of the innermost folder's children, and whether this folder is new
 * @throws AppError FOLDER_NAME_REQUIRED, NAME_INVALID, NAME_TOO_LONG, NAME_EXISTS (a file), TOO_DEEP, FOLDER_GONE
 */
async function ensureFolderPath(
	deps: Deps,
	tx: Db,
	caller: Caller,
	{ space, base, names }: { space: Space; base: TargetFolder; names: string[] },
) {
	await lockTargetFolder(tx, space.id, base);
	let folder = base;
	let isNew = false;
	for (const typedName of names) {
		const name = requireFolderName(typedName);
		const existing = await queries.findNodeByNameKey(tx, space.id, folder.path, nameKeyOf(name));
		if (existing?.kind === 'file') throw new AppError('NAME_EXISTS', { params: { name } });
		const child = existing ?? (await insertFolder(deps, tx, caller, { space, parent: folder, name }));
		isNew = existing === undefined;
		folder = { id: child.id, path: pathBelow({ path: folder.path, real_path: child.real_path }) };
	}
	return { path: folder.path, isNew };
}
