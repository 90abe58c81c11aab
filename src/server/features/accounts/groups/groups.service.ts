import * as z from 'zod';
import {
	computedGroups,
	type Group,
	type GroupMember,
	type groups,
	isComputedGroup,
} from '#contract/accounts/groups.ts';
import type { InputOf } from '#contract/core/endpoint.ts';
import { limits } from '#contract/core/limits.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError, required } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import { timeAndId, toPage, unpackCursor } from '../../../platform/cursor.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { isBroadSearch } from '../../../platform/database/search.ts';
import { acquireNamedLock, inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { createTimedYield } from '../../../platform/event-loop.ts';
import { emailKeyOf, newId } from '../../../platform/ids.ts';
import { translate } from '../../../platform/messages.ts';
import type { Audience } from '../../../platform/realtime/bus.ts';
import { recordAudit } from '../../audit/index.ts';
import * as queries from './groups.queries.ts';

/** A user with the groups whose shares the user can read, or a group alone. */
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

const computedGroupList = Object.entries(computedGroups).map(([id, name]) => ({ id, name }));

function nameKeyOf(name: string): string {
	return name.trim().normalize('NFKC').toLowerCase();
}

const namePosition = z.tuple([z.string()]);

export async function listGroups(deps: Deps, input: InputOf<typeof groups.list>) {
	const nameKey = nameKeyOf(input.search ?? '');
	const after = unpackCursor(input.cursor, namePosition)?.[0] ?? null;
	const rows = await queries.listGroups(deps.db, { nameKey, after, limit: input.limit + 1 });
	const { page, nextCursor } = toPage(rows, input.limit, (last) => [last.nameKey]);
	const computed = after === null ? computedGroupList.filter(({ id, name }) => matchesName(id, name, nameKey)) : [];
	return {
		items: await presentGroups(deps.db, page),
		nextCursor,
		computed: await Promise.all(computed.map(({ id }) => getGroup(deps, id))),
		total: await queries.countGroups(deps.db, nameKey),
	};
}

/** Whether a computed group has a name with this text in one of the languages. */
function matchesName(id: string, name: string, nameKey: string): boolean {
	return [name, ...namesOfComputed(id)].some((text) => nameKeyOf(text).includes(nameKey));
}

function namesOfComputed(id: string): string[] {
	const key = `group_${id.replaceAll('-', '_')}`;
	return [translate(key, 'en'), translate(key, 'hi')];
}

type GroupRow = NonNullable<Awaited<ReturnType<typeof queries.findGroup>>>;

async function presentGroups(db: Db, rows: GroupRow[]): Promise<Group[]> {
	const ids = rows.map(({ id }) => id);
	const counts = ids.length === 0 ? [] : await queries.countMembers(db, ids);
	const countOf = new Map(counts.map(({ groupId, count }) => [groupId, count]));
	return rows.map(({ id, name, createdAt }) => ({ id, name, createdAt, memberCount: countOf.get(id) ?? 0 }));
}

/** @throws AppError GROUP_UNKNOWN */
async function getGroup(deps: Deps, id: string): Promise<Group> {
	if (isComputedGroup(id)) {
		const memberCount = await queries.countComputedMembers(deps.db, id);
		return { id, name: computedGroups[id], memberCount, createdAt: null };
	}
	const [group] = await presentGroups(deps.db, [required(await queries.findGroup(deps.db, id), 'GROUP_UNKNOWN')]);
	return required(group, 'GROUP_UNKNOWN');
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
		const before = await lockNamedGroup(tx, id, 'wait');
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
	return computedGroupList.some(({ id }) => namesOfComputed(id).some((name) => nameKeyOf(name) === nameKey));
}

/** Deletes a group with its memberships, shares and exclusions. @throws AppError GROUP_COMPUTED, GROUP_UNKNOWN */
export async function deleteGroup(deps: Deps, caller: Caller, id: string): Promise<void> {
	await inTransaction(deps.db, async (tx) => {
		const { name } = await lockNamedGroup(tx, id, 'wait');
		await queries.deleteGroup(tx, id);
		await recordAudit(deps, tx, caller, 'group-deleted', ['group', id], { name });
	});
	publishGroupsChanged(deps, null);
}

/** @throws AppError GROUP_COMPUTED, GROUP_UNKNOWN */
async function lockNamedGroup(tx: Db, id: string, mode: 'share' | 'wait'): Promise<GroupRow> {
	if (isComputedGroup(id)) throw new AppError('GROUP_COMPUTED');
	return required(await queries.lockGroup(tx, id, mode), 'GROUP_UNKNOWN');
}

/** Lists members of a group. @throws AppError GROUP_UNKNOWN */
export async function listMembers(deps: Deps, input: InputOf<typeof groups.members>) {
	const group = await getGroup(deps, input.id);
	const searchKey = emailKeyOf(input.search ?? '');
	const isBroad = searchKey !== '' && (await isBroadSearch(deps.db, 'users_search', searchKey, limits.searchCountMax));
	const query = { searchKey, isBroad, limit: input.limit + 1 };
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

/** Adds users in one transaction, with an audit entry for each. @throws AppError GROUP_COMPUTED, GROUP_UNKNOWN */
export async function addMembers(deps: Deps, caller: Caller, input: MembersInput) {
	const outcomes = [...(await addUsersToGroup(deps, caller, input)).values()];
	const added = outcomes.filter((outcome) => outcome === 'done').length;
	return { added, alreadyMembers: outcomes.length - added };
}

/** Like {@link addMembers}. @returns the outcomes by id, without unknown users */
export async function addUsersToGroup(deps: Deps, caller: Caller, input: MembersInput) {
	const { users, changed } = await changeMembers(deps, caller, input, 'group-member-added', (isMember) => !isMember);
	const added = new Set(changed.map(({ id }) => id));
	return new Map(users.map(({ id }) => [id, added.has(id) ? ('done' as const) : ('unchanged' as const)]));
}

/** Removes users, each with an audit entry. @throws AppError GROUP_COMPUTED, GROUP_UNKNOWN */
export async function removeMembers(deps: Deps, caller: Caller, input: MembersInput) {
	return {
		removed: (await changeMembers(deps, caller, input, 'group-member-removed', (isMember) => isMember)).changed.length,
	};
}

async function changeMembers(
	deps: Deps,
	caller: Caller,
	{ id, userIds }: MembersInput,
	action: 'group-member-added' | 'group-member-removed',
	isToChange: (isMember: boolean) => boolean,
) {
	const yieldIfDue = createTimedYield();
	const { users, changed } = await inTransaction(deps.db, async (tx) => {
		// Locked against other changes too. Otherwise two calls could add the same user.
		const { name } = await lockNamedGroup(tx, id, 'wait');
		const found = await queries.lockUsers(tx, [...new Set(userIds)]);
		const members = new Set(await queries.findMembersAmong(tx, id, userIds));
		const usersToChange = found.filter((user) => isToChange(members.has(user.id)));
		for (const user of usersToChange) {
			if (action === 'group-member-added')
				await queries.insertMember(tx, { group_id: id, user_id: user.id, added_at: isoAt(deps.clock) });
			else await queries.deleteMember(tx, id, user.id);
			await recordAudit(deps, tx, caller, action, ['user', user.id], { email: user.email, group: name });
			await yieldIfDue();
		}
		return { users: found, changed: usersToChange };
	});
	if (changed.length > 0) publishGroupsChanged(deps, changed.length > eventsMax ? null : changed);
	return { users, changed };
}

/** Above this many changed members, all open pages get one event. */
const eventsMax = 100;

/**
 * Tells admins that groups have changed, and users that other nodes are shared with them now. `users`: null for all
 * users, when they are too many or not known.
 */
function publishGroupsChanged(deps: Deps, users: ReadonlyArray<{ id: string }> | null): void {
	deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'groups' } });
	const audiences: Audience[] = users?.map(({ id }) => ({ to: 'user', userId: id })) ?? [{ to: 'everyone' }];
	for (const audience of [{ to: 'admins' } as const, ...audiences])
		deps.bus.publish({ kind: 'event', audience, event: { topic: 'shares' } });
}

/** Who reads the shares of a recipient. */
export function audienceOfRecipient({ id, kind }: { id: string; kind: 'user' | 'group' }): Audience {
	return kind === 'user' ? { to: 'user', userId: id } : { to: 'group', groupId: id };
}
