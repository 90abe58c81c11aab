import type { ShelfEdition } from '#contract/reader/reader.ts';
import { type EditionKey, editionKey, editionKeys, partAndLanguage } from '#contract/settings/book-settings.ts';
import type { Actor } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Deps } from '../../platform/deps.ts';
import { findBlob, findLiveNode } from '../files/files.service.ts';
import { findBookAccess } from '../orders/orders.service.ts';
import { getBook } from '../settings/settings.service.ts';

/** Whose shelf it is; nobody's without an actor. */
interface Reader {
	actor: Pick<Actor, 'userId' | 'role'> | null;
}

/** What a person may read of the book, and the editions that are there. */
export async function getShelf(deps: Deps, caller: Reader) {
	const book = await getBook(deps, deps.db);
	const access = await findAccess(deps, caller);
	const editions: ShelfEdition[] = [];
	for (const key of access === 'open' ? editionKeys : []) {
		const nodeId = book.editions[key];
		const node = nodeId === undefined ? undefined : await findLiveNode(deps.db, nodeId);
		if (node === undefined) continue;
		editions.push({
			key,
			...partAndLanguage(key),
			size: node.size_bytes,
			url: `/api/editions/${key}/content`,
		});
	}
	return { title: book.title, access, editions };
}

/** An edition with its file, only with book access. @throws AppError NOT_FOUND, alike for absent and forbidden */
export async function requireEdition(deps: Deps, caller: Reader, key: string) {
	const parsed = editionKey.safeParse(key);
	if (!parsed.success || (await findAccess(deps, caller)) !== 'open') throw new AppError('NOT_FOUND');
	const { editions, title } = await getBook(deps, deps.db);
	const nodeId: string | undefined = editions[parsed.data satisfies EditionKey];
	const node = nodeId === undefined ? undefined : await findLiveNode(deps.db, nodeId);
	if (node === undefined) throw new AppError('NOT_FOUND');
	return { key: parsed.data, title, node };
}

/** The bytes of an edition. @throws AppError NOT_FOUND, as {@link requireEdition} */
export async function requireEditionBlob(deps: Deps, caller: Reader, key: string) {
	const { node } = await requireEdition(deps, caller, key);
	const blob = node.blob_id === null ? undefined : await findBlob(deps.db, node.blob_id);
	if (blob === undefined) throw new AppError('NOT_FOUND');
	return blob;
}

/** The editions that members read now, whoever asks. */
export async function listEditionKeys(deps: Deps): Promise<EditionKey[]> {
	const { editions } = await getBook(deps, deps.db);
	const keys: EditionKey[] = [];
	for (const key of editionKeys) {
		const nodeId = editions[key];
		if (nodeId !== undefined && (await findLiveNode(deps.db, nodeId)) !== undefined) keys.push(key);
	}
	return keys;
}

/** Whether the book is open to the caller at this moment. */
export async function mayStillReadEdition(deps: Deps, caller: Reader): Promise<boolean> {
	return (await findAccess(deps, caller)) === 'open';
}

async function findAccess(deps: Deps, caller: Reader): Promise<'none' | 'pending' | 'open'> {
	if (caller.actor === null) return 'none';
	return caller.actor.role === 'admin' ? 'open' : findBookAccess(deps.db, caller.actor.userId);
}
