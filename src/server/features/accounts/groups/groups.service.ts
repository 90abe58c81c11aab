import * as z from 'zod';
import {
	type ComputedGroupId,
	computedGroups,
	type Group,
	type GroupMember,
	type groups,
	isComputedGroup,
} from '#contract/accounts/groups.ts';
import type { InputOf } from '#contract/core/endpoint.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError, required } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import { timeAndId, toPage, unpackCursor } from '../../../platform/cursor.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { acquireNamedLock, inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { createTimedYield } from '../../../platform/event-loop.ts';
import { newId } from '../../../platform/ids.ts';
import { translate } from '../../../platform/messages.ts';
import type { Audience } from '../../../platform/realtime/bus.ts';
import { recordAudit } from '../../audit/index.ts';
import { lockUsers } from '../users/users.queries.ts';
import { createUserSearch } from '../users/users.service.ts';
import * as queries from './groups.queries.ts';

/** A user with the groups whose shares and exclusions apply to the user; or a group, without further groups. */
export interface Reader {
	id: string;
	groupIds: readonly string[];
}

export async function findReader(db: Db, userId: string): Promise<Reader> {
	return { id: userId, groupIds: await queries.findGroupIdsOf(db, userId) };
}

/** Like {@link findReader} for several users, in their order. */
export async function findReaders(db: Db, userIds: string[]): Promise<Reader[]> {
	const memberships = Map.groupBy(await queries.findMemberships(db, userIds), ({ userId }) => userId);
	return userIds.map((id) => ({ id, groupIds: (memberships.get(id) ?? []).map(({ groupId }) => groupId) }));
}

const computedGroupIds = Object.keys(computedGroups) as ComputedGroupId[];

function nameKeyOf(name: string): string {
	return name.trim().normalize('NFKC').toLowerCase();
}

/** Returns the keys of a computed group's names in both languages. */
function nameKeysOf(id: ComputedGroupId): string[] {
	return (['en', 'hi'] as const).map((locale) => nameKeyOf(translate(`group_${id.replaceAll('-', '_')}`, locale)));
}

const namePosition = z.tuple([z.string()]);

export async function listGroups(deps: Deps, input: InputOf<typeof groups.list>) {
	const nameKey = nameKeyOf(input.search ?? '');
	const after = unpackCursor(input.cursor, namePosition)?.[0] ?? null;
	const rows = await queries.listGroups(deps.db, { nameKey, after, limit: input.limit + 1 });
	const { page, nextCursor } = toPage(rows, input.limit, (last) => [last.nameKey]);
	const isFound = (id: ComputedGroupId) => after === null && nameKeysOf(id).some((key) => key.includes(nameKey));
	return {
		items: page.map(({ nameKey: _key, ...group }) => group),
		nextCursor,
		computed: await Promise.all(computedGroupIds.filter(isFound).map((id) => getGroup(deps, id))),
		total: await queries.countGroups(deps.db, nameKey),
	};
}

/** @throws AppError GROUP_UNKNOWN */
async function getGroup(deps: Deps, id: string): Promise<Group> {
	if (!isComputedGroup(id)) return required(await queries.findGroup(deps.db, id), 'GROUP_UNKNOWN');
	const memberCount = await queries.countComputedMembers(deps.db, id);
	return { id, name: computedGroups[id], memberCount, createdAt: null };
}

/** @throws AppError GROUP_NAME_IN_USE */
export async function createGroup(deps: Deps, caller: Caller, { name }: { name: string }): Promise<Group> {
	const id = newId();
	const row = { id, name, name_key: nameKeyOf(name), created_at: isoAt(deps.clock) };
	await inTransaction(deps.db, async (tx) => {
		if (isNameOfComputed(row.name_key) || !(await queries.insertGroupIfNew(tx, row))) throw nameInUse();
		await recordAudit(deps, tx, caller, 'group-created', ['group', id], { name });
	});
	publishGroupsChanged(deps, []);
	return getGroup(deps, id);
}

/** @throws AppError GROUP_NAME_IN_USE, GROUP_COMPUTED, GROUP_UNKNOWN */
export async function renameGroup(deps: Deps, caller: Caller, { id, name }: { id: string; name: string }) {
	await inTransaction(deps.db, async (tx) => {
		// So that two groups do not take one name at the same time.
		await acquireNamedLock(tx, 'group-names');
		const before = await lockNamedGroup(tx, id);
		const nameKey = nameKeyOf(name);
		const found = await queries.findGroupByNameKey(tx, nameKey);
		if (isNameOfComputed(nameKey) || (found !== undefined && found.id !== id)) throw nameInUse();
		if (before.name === name) return;
		await queries.renameGroup(tx, id, name, nameKey);
		await recordAudit(deps, tx, caller, 'group-renamed', ['group', id], { name, from: before.name });
	});
	publishGroupsChanged(deps, []);
	return getGroup(deps, id);
}

function nameInUse(): AppError {
	return new AppError('GROUP_NAME_IN_USE', { fields: { name: 'error_group_name_in_use' } });
}

function isNameOfComputed(nameKey: string): boolean {
	return computedGroupIds.some((id) => nameKeysOf(id).includes(nameKey));
}

/** Deletes a group with its memberships, shares and exclusions. @throws AppError GROUP_COMPUTED, GROUP_UNKNOWN */
export async function deleteGroup(deps: Deps, caller: Caller, id: string): Promise<void> {
	await inTransaction(deps.db, async (tx) => {
		const { name } = await lockNamedGroup(tx, id);
		await queries.deleteGroup(tx, id);
		await recordAudit(deps, tx, caller, 'group-deleted', ['group', id], { name });
	});
	publishGroupsChanged(deps, null);
}

/** @throws AppError GROUP_COMPUTED, GROUP_UNKNOWN */
async function lockNamedGroup(tx: Db, id: string): Promise<{ name: string }> {
	if (isComputedGroup(id)) throw new AppError('GROUP_COMPUTED');
	return required(await queries.lockGroup(tx, id, 'wait'), 'GROUP_UNKNOWN');
}

/** Lists members of a group. @throws AppError GROUP_UNKNOWN */
export async function listMembers(deps: Deps, input: InputOf<typeof groups.members>) {
	const group = await getGroup(deps, input.id);
	const query = { ...(await createUserSearch(deps.db, input.search)), limit: input.limit + 1 };
	if (isComputedGroup(input.id)) {
		const afterKey = unpackCursor(input.cursor, namePosition)?.[0] ?? null;
		const rows = await queries.listComputedMembers(deps.db, { ...query, groupId: input.id, afterKey });
		const { page, nextCursor } = toPage(rows, input.limit, (last) => [last.email_key]);
		return { group, items: page.map((row) => presentMember(row, null)), nextCursor };
	}
	const after = unpackCursor(input.cursor, timeAndId);
	const rows = await queries.listMembers(deps.db, { ...query, groupId: input.id, after });
	const { page, nextCursor } = toPage(rows, input.limit, (last) => [last.addedAt, last.id]);
	return { group, items: page.map((row) => presentMember(row, row.addedAt)), nextCursor };
}

type MemberRow = Awaited<ReturnType<typeof queries.listComputedMembers>>[number];

function presentMember({ id, email, name, role, active }: MemberRow, addedAt: string | null): GroupMember {
	return { id, email, name, role, active: active === 1, addedAt };
}

type MembersInput = InputOf<typeof groups.addMembers>;

/** @throws AppError GROUP_COMPUTED, GROUP_UNKNOWN */
export async function addMembers(deps: Deps, caller: Caller, input: MembersInput) {
	const outcomes = await changeMembers(deps, caller, input, 'group-member-added');
	const added = countDone(outcomes);
	return { added, alreadyMembers: outcomes.size - added };
}

/** @throws AppError GROUP_COMPUTED, GROUP_UNKNOWN */
export async function removeMembers(deps: Deps, caller: Caller, input: MembersInput) {
	return { removed: countDone(await changeMembers(deps, caller, input, 'group-member-removed')) };
}

function countDone(outcomes: ReadonlyMap<string, 'done' | 'unchanged'>): number {
	return [...outcomes.values()].filter((outcome) => outcome === 'done').length;
}

/**
 * Adds or removes users in one transaction, with an audit entry for each.
 * @returns the outcomes by id, without unknown users
 * @throws AppError GROUP_COMPUTED, GROUP_UNKNOWN
 */
export async function changeMembers(
	deps: Deps,
	caller: Caller,
	{ id, userIds }: MembersInput,
	action: 'group-member-added' | 'group-member-removed',
) {
	const isAdding = action === 'group-member-added';
	const yieldIfDue = createTimedYield();
	const outcomes = new Map<string, 'done' | 'unchanged'>();
	await inTransaction(deps.db, async (tx) => {
		outcomes.clear();
		const users = await lockUsers(tx, userIds);
		// Locked against other changes too. Otherwise two calls could add the same user.
		const { name } = await lockNamedGroup(tx, id);
		const members = new Set(await queries.findMembersAmong(tx, id, userIds));
		for (const { id: userId, email } of users) {
			outcomes.set(userId, members.has(userId) === isAdding ? 'unchanged' : 'done');
			if (members.has(userId) === isAdding) continue;
			if (isAdding) await queries.insertMember(tx, { group_id: id, user_id: userId, added_at: isoAt(deps.clock) });
			else await queries.deleteMember(tx, id, userId);
			await recordAudit(deps, tx, caller, action, ['user', userId], { email, group: name });
			await yieldIfDue();
		}
	});
	const changed = [...outcomes].flatMap(([userId, outcome]) => (outcome === 'done' ? [userId] : []));
	if (changed.length > 0) publishGroupsChanged(deps, changed.length > eventsMax ? null : changed);
	return outcomes;
}

/** Above this many changed members, all open pages get one event. */
const eventsMax = 100;

/**
 * Tells admins that groups have changed, and users that other nodes are shared with them now. `userIds`: null for all
 * users, when they are too many or not known.
 */
function publishGroupsChanged(deps: Deps, userIds: readonly string[] | null): void {
	deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'groups' } });
	const audiences: Audience[] = userIds?.map((userId) => ({ to: 'user', userId })) ?? [{ to: 'everyone' }];
	for (const audience of [{ to: 'admins' } as const, ...audiences])
		deps.bus.publish({ kind: 'event', audience, event: { topic: 'shares' } });
}

/** Who reads the shares of a recipient. */
export function audienceOfRecipient({ id, kind }: { id: string; kind: 'user' | 'group' }): Audience {
	return kind === 'user' ? { to: 'user', userId: id } : { to: 'group', groupId: id };
}
