import type { ServerResponse } from 'node:http';
import type { InputOf } from '#contract/core/endpoint.ts';
import type { UnfinishedUpload, uploads } from '#contract/files/uploads.ts';
import type { Caller } from '../../../platform/actor.ts';
import type { Deps } from '../../../platform/deps.ts';
import { listEmailsByUserId } from '../../accounts/index.ts';
import { withFolderNames } from '../tree/nodes.ts';
import { withCurrentPaths } from './target-folder.ts';
import * as queries from './uploads.queries.ts';
import { countArrivedBytes, findBusyUploads } from './uploads.service.ts';

const receivingCounts = new WeakMap<Deps, Map<string, number>>();

/** Records that this process is receiving bytes of an upload, until the response is sent or the connection closes. */
export function trackReceiving(deps: Deps, id: string, answer: ServerResponse): void {
	const receiving = receivingCounts.get(deps) ?? new Map<string, number>();
	receivingCounts.set(deps, receiving);
	receiving.set(id, (receiving.get(id) ?? 0) + 1);
	answer.once('close', () => {
		const left = (receiving.get(id) ?? 1) - 1;
		if (left > 0) receiving.set(id, left);
		else receiving.delete(id);
	});
}

export async function listUnfinishedUploads(deps: Deps, caller: Caller, input: InputOf<typeof uploads.list>) {
	const userId = caller.actor?.userId ?? '';
	const rows = await queries.listUnfinishedPage(deps.db, userId, input.cursor ?? '', input.limit + 1);
	const page = rows.slice(0, input.limit);
	const busy = await findBusyUploads(deps, page);
	const emails = await listEmailsByUserId(deps.db, [...new Set(page.map((row) => row.owner_id))]);
	const items: UnfinishedUpload[] = [];
	for (const { row, folders } of await withFolderNames(deps.db, await withCurrentPaths(deps.db, page))) {
		items.push({
			id: row.id,
			owner: emails.get(row.owner_id) ?? row.owner_id,
			path: row.path,
			folders,
			name: row.name,
			sizeBytes: row.size_bytes,
			arrivedBytes: await countArrivedBytes(deps, row),
			modifiedMs: row.modified_ms,
			createdAt: row.created_at,
			conflict: row.conflict ?? 'skip',
			isReceiving: receivingCounts.get(deps)?.has(row.id) === true || busy.has(row.id),
		});
	}
	return { items, nextCursor: rows.length > input.limit ? (page.at(-1)?.id ?? null) : null };
}
