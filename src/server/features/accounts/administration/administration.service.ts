import * as z from 'zod';
import { type Role, role as roleSchema } from '#contract/accounts/account.ts';
import type { FirestoreUser, people, UserSummary } from '#contract/accounts/administration.ts';
import type { InputOf } from '#contract/core/endpoint.ts';
import { limits } from '#contract/core/limits.ts';
import { emailPattern } from '#contract/core/text.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError, required } from '../../../platform/app-error.ts';
import { hashPassword } from '../../../platform/auth/passwords/passwords.ts';
import { setSessionsEnded } from '../../../platform/auth/sessions/sessions.queries.ts';
import { isoAt } from '../../../platform/clock.ts';
import { toPage, unpackCursor } from '../../../platform/cursor.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { isBroadSearch } from '../../../platform/database/search.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { emailKeyOf } from '../../../platform/ids.ts';
import type { BusMessage } from '../../../platform/realtime/bus.ts';
import { recordAudit } from '../../audit/index.ts';
import { endExpiredImpersonations } from '../impersonation/impersonation.service.ts';
import { updateUser } from '../users/users.queries.ts';
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

/** Activates or deactivates a user; deactivation ends all sessions. @throws AppError NOT_FOUND, LAST_ADMIN */
export function setUserActive(deps: Deps, caller: Caller, { id, active }: { id: string; active: boolean }) {
	return changeUser(deps, caller, id, async (tx, user, isLastAdmin) => {
		if ((user.active === 1) === active) return null;
		if (!active && isLastAdmin) throw new AppError('LAST_ADMIN');
		await updateUser(tx, id, { active: active ? 1 : 0 });
		if (!active) await setSessionsEnded(tx, { userId: id }, 'deactivation', isoAt(deps.clock));
		const action = active ? 'user-activated' : 'user-deactivated';
		await recordAudit(deps, tx, caller, action, ['user', id], { email: user.email });
		return active ? [] : [{ kind: 'ended', ended: { userId: id, reason: 'deactivation' } }];
	});
}

/** Changes a user's role, also in open sessions. @throws AppError NOT_FOUND, LAST_ADMIN_ROLE */
export function setUserRole(deps: Deps, caller: Caller, { id, role }: { id: string; role: Role }) {
	return changeUser(deps, caller, id, async (tx, user, isLastAdmin) => {
		if (user.role === role) return null;
		if (isLastAdmin) throw new AppError('LAST_ADMIN_ROLE');
		await updateUser(tx, id, { role });
		const detail = { email: user.email, from: user.role, to: role };
		await recordAudit(deps, tx, caller, 'user-role-changed', ['user', id], detail);
		return [{ kind: 'role', userId: id, role }];
	});
}

/** Changes a user while all active admins are locked. `change` returns the messages to publish; null if unchanged. */
async function changeUser(
	deps: Deps,
	caller: Caller,
	id: string,
	change: (tx: Db, user: UserSummaryRow, isLastAdmin: boolean) => Promise<BusMessage[] | null>,
): Promise<UserSummary> {
	const messages = await inTransaction(deps.db, async (tx) => {
		const activeAdmins = await queries.lockActiveAdmins(tx);
		const user = required(await queries.findUserSummary(tx, id), 'NOT_FOUND');
		return change(tx, user, activeAdmins.length === 1 && activeAdmins[0] === id);
	});
	if (messages !== null) {
		for (const message of messages) deps.bus.publish(message);
		// Ends impersonations before the next scheduled run. Otherwise a member who is deactivated and soon activated again
		// would still be impersonated.
		await endExpiredImpersonations(deps);
		deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'users' } });
	}
	return getUserSummary(deps, caller, id);
}

export async function getUserSummary(deps: Deps, caller: Caller, id: string): Promise<UserSummary> {
	const row = await queries.findUserSummary(deps.db, id);
	const [user] = row === undefined ? [] : await presentUsers(deps, caller, [row]);
	return required(user, 'NOT_FOUND');
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
