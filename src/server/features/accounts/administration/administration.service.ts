import * as z from 'zod';
import { type Role, role as roleSchema } from '#contract/accounts/account.ts';
import type { FirestoreUser, people, UserSummary } from '#contract/accounts/administration.ts';
import { emailPattern } from '#contract/core/common-fields.ts';
import type { InputOf } from '#contract/core/endpoint.ts';
import { limits } from '#contract/core/limits.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError, required } from '../../../platform/app-error.ts';
import { hashPassword } from '../../../platform/auth/passwords/passwords.ts';
import { setSessionsEnded } from '../../../platform/auth/sessions/sessions.queries.ts';
import { isoAt } from '../../../platform/clock.ts';
import { toPage, unpackCursor } from '../../../platform/cursor.ts';
import { isBroadSearch } from '../../../platform/database/search.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { emailKeyOf } from '../../../platform/ids.ts';
import { recordAudit } from '../../audit/index.ts';
import { endExpiredImpersonations } from '../impersonation/impersonation.service.ts';
import { updateRole } from '../users/users.queries.ts';
import { assertStrongPassword, createUser } from '../users/users.service.ts';
import * as queries from './administration.queries.ts';

type UserSummaryRow = NonNullable<Awaited<ReturnType<typeof queries.findUserSummary>>>;

const cursorSchema = z.tuple([z.string(), z.string()]);

export async function listUsers(deps: Deps, caller: Caller, input: InputOf<typeof people.list>) {
	const after = unpackCursor(input.cursor, cursorSchema);
	const searchKey = emailKeyOf(input.search ?? '');
	const isSearch = searchKey !== '';
	const isBroad = isSearch && (await isBroadSearch(deps.db, 'users_search', searchKey, limits.searchCountMax));
	const query = { searchKey, filter: input.filter, isBroad };
	const matchCount = isSearch
		? await queries.countMatchingUsers(deps.db, query, limits.searchCountMax + 1)
		: await queries.countUsers(deps.db, query.filter);
	const isMore = isSearch && matchCount > limits.searchCountMax;
	const rows = await queries.listUsers(deps.db, {
		...query,
		after: after && { activeAt: after[0], id: after[1] },
		limit: input.limit + 1,
	});
	const { page, nextCursor } = toPage(rows, input.limit, (last) => [last.lastLoginAt ?? last.createdAt, last.id]);
	return {
		items: await presentUsers(deps, caller, page),
		nextCursor,
		total: isMore ? limits.searchCountMax : matchCount,
		isMore,
	};
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
	if (!emailPattern.test(email) || email.length > limits.emailMaxLength) {
		throw new AppError('EMAIL_INVALID', { fields: { email: 'error_email_invalid' } });
	}
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

/** Activates or deactivates a user; deactivating ends all sessions. @throws AppError NOT_FOUND, LAST_ADMIN */
export async function setUserActive(deps: Deps, caller: Caller, input: { id: string; active: boolean }) {
	const isChanged = await inTransaction(deps.db, async (tx) => {
		const activeAdmins = await queries.lockActiveAdmins(tx);
		const user = required(await queries.findUserSummary(tx, input.id), 'NOT_FOUND');
		if ((user.active === 1) === input.active) return false;
		if (!input.active && isLastActiveAdmin(activeAdmins, user.id)) throw new AppError('LAST_ADMIN');
		await queries.updateActive(tx, user.id, input.active ? 1 : 0);
		if (!input.active) await setSessionsEnded(tx, { userId: user.id }, 'deactivation', isoAt(deps.clock));
		await recordAudit(deps, tx, caller, input.active ? 'user-activated' : 'user-deactivated', ['user', user.id], {
			email: user.email,
		});
		return true;
	});
	if (isChanged) {
		if (!input.active) {
			deps.bus.publish({ kind: 'ended', ended: { userId: input.id, reason: 'deactivation' } });
			// Ended now, not at the next scheduled run: a member who is soon active again must not restore an old
			// impersonation.
			await endExpiredImpersonations(deps);
		}
		deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'users' } });
	}
	return getUserSummary(deps, caller, input.id);
}

/** Changes a user's role, also for open pages and sessions. @throws AppError NOT_FOUND, LAST_ADMIN_ROLE */
export async function setUserRole(deps: Deps, caller: Caller, input: { id: string; role: Role }): Promise<UserSummary> {
	const isChanged = await inTransaction(deps.db, async (tx) => {
		const activeAdmins = await queries.lockActiveAdmins(tx);
		const user = required(await queries.findUserSummary(tx, input.id), 'NOT_FOUND');
		if (user.role === input.role) return false;
		if (isLastActiveAdmin(activeAdmins, user.id)) throw new AppError('LAST_ADMIN_ROLE');
		await updateRole(tx, user.id, input.role);
		await recordAudit(deps, tx, caller, 'user-role-changed', ['user', user.id], {
			email: user.email,
			from: user.role,
			to: input.role,
		});
		return true;
	});
	if (isChanged) {
		await endExpiredImpersonations(deps);
		deps.bus.publish({ kind: 'role', userId: input.id, role: input.role });
		deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'users' } });
	}
	return getUserSummary(deps, caller, input.id);
}

function isLastActiveAdmin(activeAdmins: string[], id: string): boolean {
	return activeAdmins.length === 1 && activeAdmins[0] === id;
}

/** Returns one user as shown on a dashboard card. @throws AppError NOT_FOUND */
export async function getUserSummary(deps: Deps, caller: Caller, id: string): Promise<UserSummary> {
	const row = await queries.findUserSummary(deps.db, id);
	const [user] = row === undefined ? [] : await presentUsers(deps, caller, [row]);
	if (user === undefined) throw new AppError('NOT_FOUND');
	return user;
}

async function presentUsers(deps: Deps, caller: Caller, rows: UserSummaryRow[]): Promise<UserSummary[]> {
	if (rows.length === 0) return [];
	const ids = rows.map((row) => row.id);
	const spaces = new Map((await queries.listSpaceUsage(deps.db, ids)).map((space) => [space.userId, space]));
	const orders = new Map(
		(await queries.listOrderSummaries(deps.db, ids)).map((order) => [order.userId, order.isComplete]),
	);
	return rows.map((row) => ({
		id: row.id,
		email: row.email,
		name: row.name,
		role: row.role,
		active: row.active === 1,
		loginCount: row.loginCount,
		lastLoginAt: row.lastLoginAt,
		fileCount: spaces.get(row.id)?.fileCount ?? 0,
		sizeBytes: spaces.get(row.id)?.sizeBytes ?? 0,
		order: !orders.has(row.id) ? 'none' : orders.get(row.id) === 1 ? 'complete' : 'pending',
		hasTwoFactor: row.twoFactorSince !== null,
		isSelf: row.id === caller.actor?.userId,
	}));
}
