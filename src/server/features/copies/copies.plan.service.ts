import { createHash } from 'node:crypto';
import { type EditionKey, editionKeys } from '#contract/settings/book-settings.ts';
import type { Db } from '../../db/schema.ts';
import type { Deps } from '../../platform/deps.ts';
import type { MarkLine } from '../../platform/pdf/mark-line.ts';
import { findUserById } from '../account/account.service.ts';
import { findBlob, findLiveNode } from '../files/files.service.ts';
import { findFirstComplete } from '../orders/orders.service.ts';
import { findBookAccess } from '../reader/book-access.service.ts';
import { findEditionFiles } from '../settings/editions.service.ts';
import { markLineOf } from './copies.mark.ts';
import { type CopyRow, listCopies, type Wish } from './copies.queries.ts';

/** How marks are set: copies with another one are made anew, and serve until then. */
const setting = '2';

/** The blob of an original. */
export type Original = NonNullable<Awaited<ReturnType<typeof findBlob>>>;

/** The copy of an edition that a member should have, and what there is of it. */
export interface CopyPlan {
	wish: Wish;
	original: Original;
	/** The line at the foot of each page. */
	line: MarkLine;
	row: CopyRow | undefined;
}

/** The originals of the editions that are assigned and there. */
export async function findOriginals(db: Db): Promise<Map<EditionKey, Original>> {
	const files = await findEditionFiles(db);
	const originals = new Map<EditionKey, Original>();
	for (const key of editionKeys) {
		const nodeId = files[key];
		const node = nodeId === undefined ? undefined : await findLiveNode(db, nodeId);
		const blob = node?.blob_id ? await findBlob(db, node.blob_id) : undefined;
		if (blob !== undefined) originals.set(key, blob);
	}
	return originals;
}

/** The copies that a member should have; none for whom the book is closed. */
export async function planCopies(deps: Deps, userId: string): Promise<CopyPlan[]> {
	const { db } = deps;
	const user = await findUserById(db, userId);
	if (user === undefined || user.role !== 'user' || (await findBookAccess(db, userId)) !== 'open') return [];
	const order = await findFirstComplete(db, userId);
	const line = markLineOf({ name: order?.name ?? user.name ?? '', email: user.email, code: order?.code ?? null });
	const mark = createHash('sha256').update(`${setting} ${line.name} · ${line.rest}`).digest('hex');
	const rows = new Map((await listCopies(db, userId)).map((row) => [row.edition, row]));
	return [...(await findOriginals(db))].map(([edition, original]) => ({
		wish: { userId, edition, sourceId: original.id, mark },
		original,
		line,
		row: rows.get(edition),
	}));
}

/** Whether the copy is still to be made: there is none, or not of this original with this line, and making it has not failed. */
export function isDue({ wish, row }: CopyPlan): boolean {
	if (row === undefined || row.wanted_source_id !== wish.sourceId || row.wanted_mark !== wish.mark) return true;
	return row.state === 'waiting' || row.state === 'making';
}

/** The copy that may be given out now: one of this original, also with an earlier line of the same person while it is made anew. */
export function servedCopy({ wish, row }: CopyPlan): (CopyRow & { blob_id: string; sizeBytes: number }) | null {
	if (row === undefined || row.source_id !== wish.sourceId || row.blob_id === null || row.sizeBytes === null)
		return null;
	return { ...row, blob_id: row.blob_id, sizeBytes: row.sizeBytes };
}
