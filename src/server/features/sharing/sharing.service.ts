import type { ShareState } from '#contract/sharing/sharing.ts';
import type { MemberCaller } from '../../platform/actor.ts';
import { AppError, required } from '../../platform/app-error.ts';
import { isoAt } from '../../platform/clock.ts';
import { pathBelow } from '../../platform/database/folder-paths.ts';
import type { Db } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { Deps } from '../../platform/deps.ts';
import { createTimedYield } from '../../platform/event-loop.ts';
import { errorBodyOf } from '../../platform/http/errors.ts';
import { newId } from '../../platform/ids.ts';
import { recordAudit } from '../audit/index.ts';
import * as files from '../files/index.ts';
import {
	canShareSpace,
	type EffectiveAccess,
	findReadableNodes,
	isReadable,
	isSharedWith,
	requireNode,
	resolveAccess,
} from './access/access.service.ts';
import { getRecipient, type Recipient } from './recipients.ts';
import * as queries from './share-lists/share-lists.queries.ts';
import * as shares from './shares/shares.queries.ts';

type Node = files.NodeRow;

interface ShareInput {
	nodeId: string;
	email: string;
}

/**
 * Shares a node with everything below it, and deletes the recipient's shares and exclusions below it. In a folder that
 * the recipient can already read, deletes the exclusion on the node instead of adding a share.
 * @throws AppError ALREADY_SHARED, SHARE_*, RECIPIENT_*, NOT_FOUND (deleted meanwhile)
 */
export async function shareNode(deps: Deps, caller: MemberCaller, input: ShareInput): Promise<ShareState> {
	const { recipient, shared, refusals } = await shareAll(deps, caller, [input.nodeId], input.email);
	const [refusal] = refusals.values();
	if (refusal !== undefined) throw refusal;
	const [state] = await resolveShareStates(deps.db, recipient.id, shared);
	return required(state, 'NOT_FOUND');
}

/** Like {@link shareNode} for several nodes. A refused node does not stop the others. @throws AppError as shareAll */
export async function shareNodes(deps: Deps, caller: MemberCaller, input: { ids: string[]; email: string }) {
	const { shared, refusals, names } = await shareAll(deps, caller, input.ids, input.email);
	const refused = [...refusals].map(([id, refusal]) => {
		const { code, message } = errorBodyOf(refusal, caller.locale);
		return { id, name: names.get(id) ?? '', code, message };
	});
	return { done: shared.map(({ id }) => id), refused };
}

/**
 * Shares nodes in one transaction, with an audit entry for each. A node inside another node of `ids` is refused with
 * ALREADY_SHARED.
 * @throws AppError RECIPIENT_*, SHARE_WITH_ONESELF
 */
async function shareAll(deps: Deps, caller: MemberCaller, ids: readonly string[], email: string) {
	const recipient = await getRecipient(deps, email);
	if (recipient.id === caller.actor.userId)
		throw new AppError('SHARE_WITH_ONESELF', { fields: { email: 'error_share_with_oneself' } });
	const sharableNodes = await findReadableNodes(deps.db, caller.actor, ids);
	const yieldIfDue = createTimedYield();
	const outcome = await inTransaction(deps.db, async (tx) => {
		// Locked in a fixed order, so that two calls cannot deadlock.
		for (const ownerId of [...new Set(sharableNodes.map(({ owner_id }) => owner_id))].sort())
			await files.lockSpace(tx, ownerId);
		await lockActiveRecipient(tx, recipient.id);
		const sharableIds = sharableNodes.map(({ id }) => id);
		const current = await files.findNodes(tx, sharableIds);
		const accesses = await resolveAccess(tx, recipient.id, current);
		const refusals = new Map(ids.map((id) => [id, new AppError('NOT_FOUND')]));
		const shared = new Map<string, Node>();
		const newRows: Array<ReturnType<typeof shareRowOf>> = [];
		// Outer folders first, so that nodes inside a folder that this call shares are refused.
		for (const access of accesses.toSorted((a, b) => a.folders.length - b.folders.length)) {
			const { row, folders } = access;
			const refusal = folders.some(({ id }) => shared.has(id))
				? new AppError('ALREADY_SHARED')
				: findShareRefusal(recipient, access);
			if (refusal !== undefined) {
				refusals.set(row.id, refusal);
				continue;
			}
			if (access.nearest?.on.id === row.id) await shares.deleteShareRow(tx, recipient.id, row.id);
			if (row.kind === 'folder') await shares.deleteShareRowsBelow(tx, row.owner_id, pathBelow(row), recipient.id);
			if (!access.isParentReadable) newRows.push(shareRowOf(deps, caller, row, recipient.id, 'share'));
			await auditShareChange(deps, tx, caller, 'shared', row, recipient);
			refusals.delete(row.id);
			shared.set(row.id, row);
			await yieldIfDue();
		}
		await shares.insertShareRows(tx, newRows);
		const names = new Map(current.map(({ id, name }) => [id, name]));
		return { recipient, shared: [...shared.values()], refusals, names };
	});
	if (outcome.shared.length > 0) publishSharesChanged(deps, recipient.id);
	return outcome;
}

async function lockActiveRecipient(tx: Db, id: string): Promise<void> {
	const recipient = await queries.lockRecipient(tx, id);
	if (recipient === undefined)
		throw new AppError('RECIPIENT_UNKNOWN', { fields: { email: 'error_recipient_unknown' } });
	if (recipient.active !== 1)
		throw new AppError('RECIPIENT_INACTIVE', { fields: { email: 'error_recipient_inactive' } });
}

/** Why a node cannot be shared with a recipient: SHARE_OF_BOOK, SHARE_FOR_EVERYBODY, SHARE_WITH_OWNER, ALREADY_SHARED. */
function findShareRefusal(recipient: Recipient, access: EffectiveAccess<Node>): AppError | undefined {
	const { owner_id: ownerId } = access.row;
	if (!canShareSpace(ownerId)) return new AppError('SHARE_OF_BOOK');
	if (ownerId === recipient.id)
		return new AppError('SHARE_WITH_OWNER', { fields: { email: 'error_share_with_owner' } });
	if (ownerId === 'guest') return new AppError('SHARE_FOR_EVERYBODY');
	return isReadable(access) ? new AppError('ALREADY_SHARED') : undefined;
}

/**
 * Deletes a recipient's shares and exclusions on a node and below it. Adds an exclusion if the node is inside a folder
 * that the recipient can read.
 * @throws AppError NOT_SHARED, RECIPIENT_UNKNOWN, NOT_FOUND
 */
export async function unshareNode(deps: Deps, caller: MemberCaller, input: ShareInput): Promise<ShareState> {
	const recipient = await getRecipient(deps, input.email);
	const node = await requireNode(deps.db, caller, input.nodeId);
	const [state] = await inTransaction(deps.db, async (tx) => {
		const current = await files.lockNode(tx, node);
		const wasShared = await isSharedWith(tx, recipient.id, current);
		const deleted = await deleteShareRowsOfTree(tx, recipient.id, current);
		const isInherited = await isSharedWith(tx, recipient.id, current);
		if (!wasShared && !deleted.hadSharesBelow) throw new AppError('NOT_SHARED');
		if (isInherited) await shares.insertShareRows(tx, [shareRowOf(deps, caller, current, recipient.id, 'exclusion')]);
		await auditShareChange(deps, tx, caller, 'unshared', current, recipient);
		return resolveShareStates(tx, recipient.id, [current]);
	});
	publishSharesChanged(deps, recipient.id);
	return required(state, 'NOT_FOUND');
}

async function deleteShareRowsOfTree(tx: Db, recipientId: string, node: Node): Promise<{ hadSharesBelow: boolean }> {
	await shares.deleteShareRow(tx, recipientId, node.id);
	if (node.kind === 'file') return { hadSharesBelow: false };
	const path = pathBelow(node);
	const hadSharesBelow = await shares.hasShareRowsBelow(tx, node.owner_id, path, recipientId, 'share');
	await shares.deleteShareRowsBelow(tx, node.owner_id, path, recipientId);
	return { hadSharesBelow };
}

function shareRowOf(deps: Deps, caller: MemberCaller, node: Node, recipientId: string, kind: 'share' | 'exclusion') {
	return {
		id: newId(),
		node_id: node.id,
		owner_id: node.owner_id,
		recipient_id: recipientId,
		kind,
		kind_order: node.kind_order,
		sort_key: node.sort_key,
		shared_by: caller.actor.email,
		created_at: isoAt(deps.clock),
	};
}

function auditShareChange(
	deps: Deps,
	tx: Db,
	caller: MemberCaller,
	change: 'shared' | 'unshared',
	node: Node,
	recipient: Recipient,
): Promise<void> {
	return recordAudit(deps, tx, caller, `${node.kind}-${change}`, ['node', node.id], {
		name: node.name,
		email: recipient.email,
	});
}

/** Returns a recipient's access to each node that is not deleted. @throws AppError RECIPIENT_UNKNOWN */
export async function listShareStates(deps: Deps, input: { email: string; ids: string[] }): Promise<ShareState[]> {
	const recipient = await getRecipient(deps, input.email);
	const byId = new Map((await files.findNodes(deps.db, input.ids)).map((node) => [node.id, node]));
	const nodes = input.ids.flatMap((id) => byId.get(id) ?? []);
	return resolveShareStates(deps.db, recipient.id, nodes);
}

async function resolveShareStates(db: Db, recipientId: string, nodes: Node[]): Promise<ShareState[]> {
	const states: ShareState[] = [];
	for (const access of await resolveAccess(db, recipientId, nodes)) {
		const { row, nearest } = access;
		states.push({
			id: row.id,
			state: shareStateOf(recipientId, access),
			from: nearest === null || nearest.on.id === row.id ? null : nearest.on,
			hasEntriesBelow:
				row.kind === 'folder' && (await shares.hasShareRowsBelow(db, row.owner_id, pathBelow(row), recipientId)),
		});
	}
	return states;
}

function shareStateOf(recipientId: string, { row, nearest }: EffectiveAccess<Node>): ShareState['state'] {
	if (row.owner_id === 'guest' || row.owner_id === recipientId) return 'open';
	if (nearest === null) return 'none';
	if (nearest.entry.kind === 'exclusion') return 'excluded';
	return nearest.on.id === row.id ? 'own' : 'inherited';
}

function publishSharesChanged(deps: Deps, recipientId: string): void {
	const event = { topic: 'shares' } as const;
	deps.bus.publish({ kind: 'event', audience: { to: 'user', userId: recipientId }, event });
	deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event });
}
