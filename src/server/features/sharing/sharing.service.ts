import type { GroupRef } from '#contract/accounts/groups.ts';
import type { InputOf } from '#contract/core/endpoint.ts';
import type { ShareState, sharing } from '#contract/sharing/sharing.ts';
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
import { audienceOfRecipient, lockUsers, type Reader } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import * as files from '../files/index.ts';
import {
	canShareSpace,
	type EffectiveAccess,
	findReadableNodes,
	groupOf,
	isReadable,
	isSharedWith,
	requireNode,
	resolveAccess,
} from './access/access.service.ts';
import { getRecipient, lockRecipientOf, type Recipient } from './recipients.ts';
import * as shares from './shares/shares.queries.ts';

type Node = files.NodeRow;

/**
 * Shares a node with everything below it, and deletes the recipient's shares and exclusions below it. In a folder that
 * the recipient can already read, deletes the exclusion on the node instead of adding a share.
 * @throws AppError ALREADY_SHARED, SHARE_*, RECIPIENT_*, NOT_FOUND (deleted meanwhile)
 */
export async function shareNode(deps: Deps, caller: MemberCaller, input: { nodeId: string; email: string }) {
	const recipient = await getRecipient(deps, input);
	const { shared, refusals } = await shareAll(deps, caller, [input.nodeId], [recipient]);
	const [refusal] = refusals;
	if (refusal !== undefined) throw refusal.error;
	const [state] = await resolveShareStates(deps.db, recipient.reader, shared);
	return required(state, 'NOT_FOUND');
}

/** Like {@link shareNode} for several nodes and recipients. A refused node does not stop the others. */
export async function shareNodes(deps: Deps, caller: MemberCaller, input: InputOf<typeof sharing.shareMany>) {
	const inputs = input.recipients ?? (input.email === undefined ? [] : [{ email: input.email }]);
	const recipients = new Map<string, Recipient>();
	for (const each of inputs) {
		const recipient = await getRecipient(deps, each);
		recipients.set(recipient.id, recipient);
	}
	if (recipients.size === 0) throw new AppError('INVALID_INPUT', { fields: { recipients: 'error_field_required' } });
	const { shared, refusals } = await shareAll(deps, caller, input.ids, [...recipients.values()]);
	const refused = refusals.map(({ id, name, recipient, error }) => {
		const { code, message } = errorBodyOf(error, caller.locale);
		return { id, name, code, message, recipient: recipient.label };
	});
	return { done: shared.map(({ id }) => id), refused };
}

interface Refusal {
	id: string;
	name: string;
	recipient: Recipient;
	error: AppError;
}

/**
 * Shares nodes in one transaction, with an audit entry for each node and recipient. A node inside another node of `ids`
 * is refused with ALREADY_SHARED.
 * @returns the nodes that were shared with at least one recipient
 * @throws AppError RECIPIENT_*, GROUP_UNKNOWN, SHARE_WITH_ONESELF
 */
async function shareAll(deps: Deps, caller: MemberCaller, ids: readonly string[], recipients: Recipient[]) {
	if (recipients.some(({ id }) => id === caller.actor.userId))
		throw new AppError('SHARE_WITH_ONESELF', { fields: { email: 'error_share_with_oneself' } });
	const sharableNodes = await findReadableNodes(deps.db, caller.actor, ids);
	const outcome = await inTransaction(deps.db, async (tx) => {
		const ownerIds = [...new Set(sharableNodes.map(({ owner_id }) => owner_id))].sort();
		await lockUsers(tx, [...ownerIds, ...recipients.map(({ id }) => id)]);
		for (const recipient of recipients.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
			await lockRecipientOf(tx, recipient, 'share');
		for (const ownerId of ownerIds) await files.lockSpace(tx, ownerId);
		const sharableIds = sharableNodes.map(({ id }) => id);
		const nodes = await files.findNodes(tx, sharableIds);
		const done = new Set<string>();
		const refusals: Refusal[] = [];
		// Users first. Otherwise a user would be refused for being a member of a group of the same call.
		for (const recipient of recipients.toSorted((a, b) => Number(a.kind === 'group') - Number(b.kind === 'group'))) {
			const result = await shareWith(deps, tx, caller, { ids, nodes, recipient });
			for (const id of result.shared) done.add(id);
			refusals.push(...result.refusals);
		}
		return { shared: nodes.filter(({ id }) => done.has(id)), refusals };
	});
	if (outcome.shared.length > 0) publishSharesChanged(deps, recipients);
	return outcome;
}

/** Shares nodes with one recipient. @returns the ids of the shared nodes, and why the others were refused */
async function shareWith(
	deps: Deps,
	tx: Db,
	caller: MemberCaller,
	{ ids, nodes, recipient }: { ids: readonly string[]; nodes: Node[]; recipient: Recipient },
) {
	const yieldIfDue = createTimedYield();
	const accesses = await resolveAccess(tx, recipient.reader, nodes);
	const errors = new Map(ids.map((id) => [id, new AppError('NOT_FOUND')]));
	const shared = new Set<string>();
	const newRows: Array<ReturnType<typeof shareRowOf>> = [];
	// Outer folders first, so that nodes inside a folder that this call shares are refused.
	for (const access of accesses.toSorted((a, b) => a.folders.length - b.folders.length)) {
		const { row, folders } = access;
		const refusal = folders.some(({ id }) => shared.has(id))
			? alreadyShared(recipient, null)
			: findShareRefusal(recipient, access);
		if (refusal !== undefined) {
			errors.set(row.id, refusal);
			continue;
		}
		await deleteEntries(tx, row, recipient.id);
		if (access.nearestOfOthers?.entry.kind !== 'share') newRows.push(shareRowOf(deps, caller, row, recipient, 'share'));
		await recordAudit(deps, tx, caller, `${row.kind}-shared`, ['node', row.id], auditDetailOf(row, recipient));
		errors.delete(row.id);
		shared.add(row.id);
		await yieldIfDue();
	}
	await shares.insertShareRows(tx, newRows);
	const names = new Map(nodes.map(({ id, name }) => [id, name]));
	const refusals = [...errors].map(([id, error]): Refusal => ({ id, name: names.get(id) ?? '', recipient, error }));
	return { shared, refusals };
}

/** Why a node cannot be shared with a recipient: SHARE_OF_BOOK, SHARE_FOR_EVERYBODY, SHARE_WITH_OWNER, ALREADY_SHARED. */
function findShareRefusal(recipient: Recipient, access: EffectiveAccess<Node>): AppError | undefined {
	const { owner_id: ownerId } = access.row;
	if (!canShareSpace(ownerId)) return new AppError('SHARE_OF_BOOK');
	if (ownerId === recipient.id)
		return new AppError('SHARE_WITH_OWNER', { fields: { email: 'error_share_with_owner' } });
	if (ownerId === 'guest') return new AppError('SHARE_FOR_EVERYBODY');
	return isReadable(access) ? alreadyShared(recipient, access.nearest && groupOf(access.nearest.entry)) : undefined;
}

/** `group`: the group through which a user already reads the node. */
function alreadyShared(recipient: Recipient, group: GroupRef | null): AppError {
	if (recipient.kind === 'group')
		return new AppError('ALREADY_SHARED', { messageKey: 'error_already_shared_with_group' });
	if (group === null) return new AppError('ALREADY_SHARED');
	const params = { group: group.name };
	return new AppError('ALREADY_SHARED', { messageKey: 'error_already_shared_in_group', params });
}

/**
 * Deletes a recipient's shares and exclusions on a node and below it. Adds an exclusion if the recipient would still read
 * the node, through a folder above or a group, and on each node below that a group of the recipient shares.
 * @throws AppError NOT_SHARED, RECIPIENT_UNKNOWN, GROUP_UNKNOWN, NOT_FOUND
 */
export async function unshareNode(deps: Deps, caller: MemberCaller, input: InputOf<typeof sharing.unshare>) {
	const recipient = await getRecipient(deps, input);
	const node = await requireNode(deps.db, caller, input.nodeId);
	const [state] = await inTransaction(deps.db, async (tx) => {
		await lockUsers(tx, [node.owner_id, recipient.id]);
		await lockRecipientOf(tx, recipient, 'unshare');
		const current = await files.lockNode(tx, node);
		const wasShared = await isSharedWith(tx, recipient.reader, current);
		const isFolder = current.kind === 'folder';
		const below = isFolder
			? await shares.listShareRowsBelow(tx, current.owner_id, pathBelow(current), recipient.reader)
			: [];
		const sharedBelow = below.filter(({ kind }) => kind === 'share');
		if (!wasShared && sharedBelow.length === 0) throw new AppError('NOT_SHARED');
		await deleteEntries(tx, current, recipient.id);
		const ofGroups = sharedBelow.filter(({ recipientId }) => recipientId !== recipient.id);
		const nodes = await files.findNodes(tx, [...new Set(ofGroups.map(({ nodeId }) => nodeId))]);
		if (await isSharedWith(tx, recipient.reader, current)) nodes.push(current);
		const exclusions = nodes.map((each) => shareRowOf(deps, caller, each, recipient, 'exclusion'));
		await shares.insertShareRows(tx, exclusions);
		const detail = auditDetailOf(current, recipient);
		await recordAudit(deps, tx, caller, `${current.kind}-unshared`, ['node', current.id], detail);
		return resolveShareStates(tx, recipient.reader, [current]);
	});
	publishSharesChanged(deps, [recipient]);
	return required(state, 'NOT_FOUND');
}

/** Deletes a recipient's shares and exclusions on a node and below it. */
async function deleteEntries(tx: Db, node: Node, recipientId: string): Promise<void> {
	await shares.deleteShareRow(tx, recipientId, node.id);
	if (node.kind === 'folder') await shares.deleteShareRowsBelow(tx, node.owner_id, pathBelow(node), recipientId);
}

function shareRowOf(deps: Deps, caller: MemberCaller, node: Node, recipient: Recipient, kind: 'share' | 'exclusion') {
	return {
		id: newId(),
		node_id: node.id,
		owner_id: node.owner_id,
		recipient_id: recipient.id,
		recipient_kind: recipient.kind,
		kind,
		kind_order: node.kind_order,
		sort_key: node.sort_key,
		shared_by: caller.actor.email,
		created_at: isoAt(deps.clock),
	};
}

function auditDetailOf({ name }: Node, { kind, label }: Recipient) {
	return { name, ...(kind === 'user' ? { email: label } : { group: label }) };
}

/** Returns a recipient's access to each node that is not deleted. @throws AppError RECIPIENT_UNKNOWN */
export async function listShareStates(deps: Deps, input: { email: string; ids: string[] }): Promise<ShareState[]> {
	const { reader } = await getRecipient(deps, input);
	const byId = new Map((await files.findNodes(deps.db, input.ids)).map((node) => [node.id, node]));
	const nodes = input.ids.flatMap((id) => byId.get(id) ?? []);
	return resolveShareStates(deps.db, reader, nodes);
}

async function resolveShareStates(db: Db, reader: Reader, nodes: Node[]): Promise<ShareState[]> {
	const states: ShareState[] = [];
	for (const access of await resolveAccess(db, reader, nodes)) {
		const { row, nearest } = access;
		states.push({
			id: row.id,
			state: shareStateOf(reader.id, access),
			from: nearest === null || nearest.on.id === row.id ? null : nearest.on,
			group: nearest === null || nearest.entry.recipientId === reader.id ? null : groupOf(nearest.entry),
			hasEntriesBelow:
				row.kind === 'folder' && (await shares.hasShareRowsBelow(db, row.owner_id, pathBelow(row), reader)),
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

function publishSharesChanged(deps: Deps, recipients: readonly Recipient[]): void {
	const event = { topic: 'shares' } as const;
	for (const audience of [...recipients.map(audienceOfRecipient), { to: 'admins' } as const])
		deps.bus.publish({ kind: 'event', audience, event });
}
