import * as z from 'zod';
import { type Role, role as roleSchema } from '#contract/accounts/account.ts';
import type { FirestoreUser, people, UserFilters, UserSort, UserSummary } from '#contract/accounts/administration.ts';
import type { InputOf } from '#contract/core/endpoint.ts';
import { limits } from '#contract/core/limits.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError, required } from '../../../platform/app-error.ts';
import { hashPassword } from '../../../platform/auth/passwords/passwords.ts';
import { setSessionsEnded } from '../../../platform/auth/sessions/sessions.queries.ts';
import { isoAt } from '../../../platform/clock.ts';
import { toPage, unpackCursor } from '../../../platform/cursor.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import type { BusMessage } from '../../../platform/realtime/bus.ts';
import { recordAudit } from '../../audit/index.ts';
import { endExpiredImpersonations } from '../impersonation/impersonation.service.ts';
import { lockUsers, updateUser } from '../users/users.queries.ts';
import { assertEmail, assertStrongPassword, createUser, createUserSearch } from '../users/users.service.ts';
import * as queries from './administration.queries.ts';

type UserSummaryRow = Awaited<ReturnType<typeof queries.listUserSummaries>>[number];

export async function listUsers(deps: Deps, caller: Caller, input: InputOf<typeof people.list>) {
	const { sort } = input;
	const after = unpackCursor(input.cursor, cursorOf(sort));
	const condition = await createUserCondition(deps, input);
	const isSearch = condition.searchKey !== '' || condition.book !== 'all' || condition.group !== '';
	const matchCount = isSearch
		? await queries.countMatchingUsers(deps.db, condition, limits.searchCountMax + 1)
		: await queries.countUsers(deps.db, condition);
	const isMore = isSearch && matchCount > limits.searchCountMax;
	const rows = await queries.listUsers(deps.db, {
		...condition,
		sort,
		after: after && { key: after[1], id: after[2] },
		limit: input.limit + 1,
	});
	const { page, nextCursor } = toPage(rows, input.limit, (last) => [sort, sortKeyOf(last, sort), last.id]);
	return {
		items: await presentUsers(deps, caller, page),
		nextCursor,
		total: isMore ? limits.searchCountMax : matchCount,
		isMore,
	};
}

/** A cursor starts with its sort, so that a cursor of another sort is invalid. */
const cursorOf = (sort: UserSort) => z.tuple([z.literal(sort), z.string(), z.string()]);

function sortKeyOf(row: UserSummaryRow, sort: UserSort): string {
	if (sort === 'email') return row.emailKey;
	return sort === 'newest' ? row.createdAt : (row.lastLoginAt ?? row.createdAt);
}

async function createUserCondition(deps: Deps, filters: UserFilters): Promise<queries.UserCondition> {
	const { status, role, book, group } = filters;
	const isBookRare = await queries.isBookAccessRare(deps.db, book, limits.searchCountMax);
	const isGroupSmall = group !== '' && (await queries.isGroupSmall(deps.db, group, limits.searchCountMax));
	return { ...(await createUserSearch(deps.db, filters.search)), status, role, book, group, isBookRare, isGroupSmall };
}

/** Counts all matching users. `until`: the current time, for {@link listUserBatch}. */
export async function countUsersToChange(deps: Deps, filters: UserFilters) {
	const until = isoAt(deps.clock);
	const condition = await createUserCondition(deps, filters);
	return { count: await queries.countMatchingUsers(deps.db, condition, Number.MAX_SAFE_INTEGER), until };
}

/**
 * Lists a batch of the users who match and were registered until `until`. Sorted by the time of registration, which
 * never changes, so that no user is left out or listed twice while users change.
 */
export async function listUserBatch(
	deps: Deps,
	{ filters, until, cursor }: { filters: UserFilters; until: string; cursor?: string | undefined },
	limit: number,
): Promise<{ ids: string[]; nextCursor: string | null }> {
	const [, key, id] = unpackCursor(cursor, cursorOf('newest')) ?? ['newest', until, ''];
	const condition = await createUserCondition(deps, filters);
	const query = { ...condition, sort: 'newest', after: { key, id }, limit: limit + 1 } as const;
	const rows = await queries.listUsers(deps.db, query);
	const { page, nextCursor } = toPage(rows, limit, (last) => ['newest', last.createdAt, last.id]);
	return { ids: page.map((row) => row.id), nextCursor };
}

export async function listAllUsers(deps: Deps): Promise<FirestoreUser[]> {
	const rows = await queries.listAllUsers(deps.db);
	return rows.map((row) => presentFirestoreUser({ ...row, active: row.active === 1 }));
}

export function presentFirestoreUser({ id, email, role, active }: FirestoreUser): FirestoreUser {
	return { id, email, role, active };
}

/** Creates a user ('Add New User'). @throws AppError ROLE_REQUIRED, EMAIL_INVALID, WEAK_PASSWORD, EMAIL_IN_USE */
export async function registerUser(deps: Deps, caller: Caller, input: InputOf<typeof people.register>) {
	const email = input.email.trim();
	const role = roleSchema.safeParse(input.role);
	if (!role.success) throw new AppError('ROLE_REQUIRED', { fields: { role: 'error_role_required' } });
	assertEmail(email);
	assertStrongPassword(input.password);
	const passwordHash = await hashPassword(input.password);
	const id = await inTransaction(deps.db, async (tx) => {
		const createdId = await createUser(deps, tx, { email, role: role.data, passwordHash });
		if (createdId === null) throw new AppError('EMAIL_IN_USE', { fields: { email: 'error_email_in_use' } });
		await recordAudit(deps, tx, caller, 'user-registered', ['user', createdId], { email, role: role.data });
		return createdId;
	});
	deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'users' } });
	return getUserSummary(deps, caller, id);
}

/** Activates or deactivates a user; deactivation ends all sessions. @throws AppError NOT_FOUND, LAST_ADMIN */
export async function setUserActive(deps: Deps, caller: Caller, { id, active }: { id: string; active: boolean }) {
	const outcome = (await setUsersActive(deps, caller, [id], active)).get(id);
	if (outcome === undefined) throw new AppError('NOT_FOUND');
	if (outcome === 'last-admin') throw new AppError('LAST_ADMIN');
	return getUserSummary(deps, caller, id);
}

/** Activates or deactivates several users in one transaction. @returns the outcomes by id, without unknown users */
export async function setUsersActive(deps: Deps, caller: Caller, ids: readonly string[], active: boolean) {
	const outcomes = await inTransaction(deps.db, async (tx) => {
		const activeAdmins = new Set(await queries.lockActiveAdmins(tx));
		const outcomeById = new Map<string, 'done' | 'unchanged' | 'last-admin'>();
		// All before the first change, whose trigger locks the counts of users.
		await lockUsers(tx, ids, 'wait');
		for (const user of await queries.listUserSummaries(tx, ids)) {
			const { id, email } = user;
			if ((user.active === 1) === active) outcomeById.set(id, 'unchanged');
			else if (!active && activeAdmins.size === 1 && activeAdmins.has(id)) outcomeById.set(id, 'last-admin');
			else {
				await updateUser(tx, id, { active: active ? 1 : 0 });
				if (!active) await setSessionsEnded(tx, { userId: id }, 'deactivation', isoAt(deps.clock));
				await recordAudit(deps, tx, caller, active ? 'user-activated' : 'user-deactivated', ['user', id], { email });
				if (!active) activeAdmins.delete(id);
				outcomeById.set(id, 'done');
			}
		}
		return outcomeById;
	});
	const changed = [...outcomes].flatMap(([id, outcome]) => (outcome === 'done' ? [id] : []));
	const ended = (userId: string): BusMessage => ({ kind: 'ended', ended: { userId, reason: 'deactivation' } });
	if (changed.length > 0) await publishUserChanges(deps, active ? [] : changed.map(ended));
	return outcomes;
}

/** Changes a user's role, also in open sessions. @throws AppError NOT_FOUND, LAST_ADMIN_ROLE */
export async function setUserRole(deps: Deps, caller: Caller, { id, role }: { id: string; role: Role }) {
	const isChanged = await inTransaction(deps.db, async (tx) => {
		const activeAdmins = await queries.lockActiveAdmins(tx);
		const user = required((await queries.listUserSummaries(tx, [id]))[0], 'NOT_FOUND');
		if (user.role === role) return false;
		if (activeAdmins.length === 1 && activeAdmins[0] === id) throw new AppError('LAST_ADMIN_ROLE');
		await updateUser(tx, id, { role });
		const detail = { email: user.email, from: user.role, to: role };
		await recordAudit(deps, tx, caller, 'user-role-changed', ['user', id], detail);
		return true;
	});
	if (isChanged) await publishUserChanges(deps, [{ kind: 'role', userId: id, role }]);
	return getUserSummary(deps, caller, id);
}

async function publishUserChanges(deps: Deps, messages: BusMessage[]): Promise<void> {
	for (const message of messages) deps.bus.publish(message);
	// Ends impersonations before the next scheduled run. Otherwise a member who is deactivated and soon activated again
	// would still be impersonated.
	await endExpiredImpersonations(deps);
	deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'users' } });
}

export async function getUserSummary(deps: Deps, caller: Caller, id: string): Promise<UserSummary> {
	const [user] = await presentUsers(deps, caller, await queries.listUserSummaries(deps.db, [id]));
	return required(user, 'NOT_FOUND');
}

async function presentUsers(deps: Deps, caller: Caller, rows: UserSummaryRow[]): Promise<UserSummary[]> {
	if (rows.length === 0) return [];
	const ids = rows.map((row) => row.id);
	const facts = new Map((await queries.listUserFacts(deps.db, ids)).map((fact) => [fact.id, fact]));
	return rows.map((row) => {
		const { fileCount, sizeBytes, grantedTo, hasCompleteOrder } = facts.get(row.id) ?? {};
		const order = hasCompleteOrder == null ? 'none' : hasCompleteOrder === 1 ? 'complete' : 'pending';
		const isOpen = order === 'complete' || grantedTo != null;
		return {
			id: row.id,
			email: row.email,
			name: row.name,
			role: row.role,
			active: row.active === 1,
			loginCount: row.loginCount,
			lastLoginAt: row.lastLoginAt,
			fileCount: fileCount ?? 0,
			sizeBytes: sizeBytes ?? 0,
			order,
			book: isOpen ? 'open' : order === 'none' ? 'none' : 'pending',
			hasTwoFactor: row.twoFactorSince !== null,
			isSelf: row.id === caller.actor?.userId,
		};
	});
}
