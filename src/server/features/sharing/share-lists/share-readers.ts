import * as z from 'zod';
import type { InputOf } from '#contract/core/endpoint.ts';
import type { ShareGroup, ShareReason, ShareRecipient, sharing } from '#contract/sharing/sharing.ts';
import type { Caller } from '../../../platform/actor.ts';
import { toPage, unpackCursor } from '../../../platform/cursor.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import { findReaders } from '../../accounts/index.ts';
import * as files from '../../files/index.ts';
import { type EffectiveAccess, groupOf, isReadable, requireNode, resolveAccess } from '../access/access.service.ts';
import { findAllShareRows } from '../shares/shares.queries.ts';
import * as queries from './share-lists.queries.ts';
import { findOwnerEmail } from './share-lists.service.ts';

/**
 * Lists the groups and users with a share or exclusion that decides their access to a node, the users sorted by email
 * address and with the members of the groups.
 * @throws AppError NOT_FOUND
 */
export async function listReaders(deps: Deps, caller: Caller, input: InputOf<typeof sharing.readers>) {
	const node = await requireNode(deps.db, caller, input.id);
	const [located] = await files.withFolders(deps.db, [node]);
	const chain = [...(located?.folders ?? []).map(({ id }) => id), node.id];
	const after = unpackCursor(input.cursor, z.tuple([z.string()]));
	const groups = await listGroupsOfNodes(deps.db, node, chain);
	const users = await queries.listUsersOfRecipients(deps.db, {
		nodeIds: chain,
		groupIds: groups.map(({ group }) => group.id),
		afterKey: after?.[0] ?? null,
		limit: input.limit + 1,
	});
	const { page, nextCursor } = toPage(users, input.limit, (last) => [last.emailKey]);
	const userIds = page.map(({ id }) => id);
	const readers = await findReaders(deps.db, userIds);
	const items: ShareRecipient[] = [];
	for (const [i, { id, email, name, active }] of page.entries()) {
		const reader = readers[i];
		const [access] = reader === undefined ? [] : await resolveAccess(deps.db, reader, [node]);
		if (access?.nearest == null) continue;
		const group = groupOf(access.nearest.entry);
		items.push({ id, email, name, active: active === 1, group, ...presentReason(access, access.nearest) });
	}
	return {
		owner: await findOwnerEmail(deps.db, node.owner_id),
		groups: after === null ? groups : [],
		items,
		nextCursor,
	};
}

/** Lists the groups with a share or exclusion on one of the nodes of `chain`, sorted by name. */
async function listGroupsOfNodes(db: Db, node: files.NodeRow, chain: string[]): Promise<ShareGroup[]> {
	const rows = await findAllShareRows(db, chain, 'group');
	const listed: ShareGroup[] = [];
	for (const [id, [row]] of Map.groupBy(rows, ({ recipientId }) => recipientId)) {
		const group = row && groupOf(row);
		const [access] = await resolveAccess(db, { id, groupIds: [] }, [node]);
		if (group && access?.nearest) listed.push({ group, ...presentReason(access, access.nearest) });
	}
	return listed.toSorted((a, b) => a.group.name.localeCompare(b.group.name));
}

function presentReason(
	access: EffectiveAccess<files.NodeRow>,
	{ entry, on }: NonNullable<EffectiveAccess<files.NodeRow>['nearest']>,
): ShareReason {
	return {
		canRead: isReadable(access),
		from: { ...on, isItself: on.id === access.row.id },
		sharedBy: entry.sharedBy,
		sharedAt: entry.sharedAt,
	};
}
