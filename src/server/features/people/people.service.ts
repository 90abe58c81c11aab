import * as z from 'zod';
import { type Role, role as roleSchema } from '#contract/account/account.ts';
import { limits } from '#contract/core/limits.ts';
import { emailForm } from '#contract/core/page.ts';
import type { FirestoreUser, Person } from '#contract/people/people.ts';
import { isBroadSearch } from '../../db/search.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { hashPassword } from '../../platform/auth/passwords.ts';
import { markSessionsEnded } from '../../platform/auth/sessions.queries.ts';
import { isoAt } from '../../platform/clock.ts';
import { packCursor, unpackCursor } from '../../platform/cursor.ts';
import type { Deps } from '../../platform/deps.ts';
import { createUser, emailKeyOf, requireStrongPassword, updateRole } from '../account/account.service.ts';
import { recordAudit } from '../audit/audit.service.ts';
import { endLapsedViews } from '../view-as/view-as.service.ts';
import * as queries from './people.queries.ts';

type PersonRow = NonNullable<Awaited<ReturnType<typeof queries.findPerson>>>;

const place = z.tuple([z.string(), z.string()]);

/** One page of cards, newest activity first, with what each person has. */
export async function listPeople(
	deps: Deps,
	caller: Caller,
	input: {
		search?: string | undefined;
		filter: queries.PeopleQuery['filter'];
		cursor?: string | undefined;
		limit: number;
	},
): Promise<{ items: Person[]; nextCursor: string | null; total: number; isMore: boolean }> {
	const after = unpackCursor(input.cursor, place);
	const searchKey = emailKeyOf(input.search ?? '');
	const isSearch = searchKey !== '';
	const isBroad = isSearch && (await isBroadSearch(deps.db, 'users_search', searchKey, limits.countedMax));
	const query = { searchKey, filter: input.filter, isBroad };
	const found = isSearch
		? await queries.countFound(deps.db, query, limits.countedMax + 1)
		: await queries.countAll(deps.db, query.filter);
	const isMore = isSearch && found > limits.countedMax;
	const rows = await queries.listPeople(deps.db, {
		...query,
		after: after && { activeAt: after[0], id: after[1] },
		limit: input.limit + 1,
	});
	const page = rows.slice(0, input.limit);
	const last = page.at(-1);
	return {
		items: await presentPeople(deps, caller, page),
		nextCursor: rows.length > page.length && last ? packCursor([last.lastLoginAt ?? last.createdAt, last.id]) : null,
		total: isMore ? limits.countedMax : found,
		isMore,
	};
}

/** Everybody as the specification's users list has them. */
export async function listEverybody(deps: Deps): Promise<FirestoreUser[]> {
	const rows = await queries.listEverybody(deps.db);
	return rows.map((row) => presentFirestoreUser({ ...row, active: row.active === 1 }));
}

export function presentFirestoreUser({ id, email, role, active }: FirestoreUser): FirestoreUser {
	return { id, email, role, active };
}

/**
 * Add New User.
 * @throws AppError ROLE_REQUIRED, EMAIL_INVALID, WEAK_PASSWORD, EMAIL_IN_USE
 */
export async function registerPerson(
	deps: Deps,
	caller: Caller,
	input: { email: string; password: string; role: string },
): Promise<Person> {
	const email = input.email.trim();
	const role = roleSchema.safeParse(input.role);
	if (!role.success) throw new AppError('ROLE_REQUIRED', { fields: { role: 'error_role_required' } });
	if (!emailForm.test(email) || email.length > limits.emailMaxLength) {
		throw new AppError('EMAIL_INVALID', { fields: { email: 'error_email_invalid' } });
	}
	requireStrongPassword(input.password);
	const passwordHash = await hashPassword(input.password);
	const id = await inTransaction(deps.db, async (tx) => {
		const made = await createUser(deps, tx, {
			email,
			name: null,
			role: role.data,
			passwordHash,
			isInitialPassword: false,
		});
		if (made === null) throw new AppError('EMAIL_IN_USE', { fields: { email: 'error_email_in_use' } });
		await recordAudit(deps, tx, caller, {
			action: 'user-registered',
			subjectKind: 'user',
			subjectId: made,
			detail: { email, role: role.data },
		});
		return made;
	});
	deps.bus.publish({ kind: 'hint', audience: { to: 'admins' }, hint: { topic: 'users' } });
	return getPerson(deps, caller, id);
}

/**
 * Activates or deactivates. Deactivating ends every session, stream and transfer of that person within a second.
 * @throws AppError NOT_FOUND, LAST_ADMIN
 */
export async function setActive(deps: Deps, caller: Caller, input: { id: string; active: boolean }): Promise<Person> {
	const isChanged = await inTransaction(deps.db, async (tx) => {
		const activeAdmins = await queries.lockActiveAdmins(tx);
		const person = await queries.findPerson(tx, input.id);
		if (person === undefined) throw new AppError('NOT_FOUND');
		if ((person.active === 1) === input.active) return false;
		if (!input.active && isOnlyOne(activeAdmins, person.id)) throw new AppError('LAST_ADMIN');
		await queries.updateActive(tx, person.id, input.active ? 1 : 0);
		if (!input.active) await markSessionsEnded(tx, { userId: person.id }, 'deactivation', isoAt(deps.clock));
		await recordAudit(deps, tx, caller, {
			action: input.active ? 'user-activated' : 'user-deactivated',
			subjectKind: 'user',
			subjectId: person.id,
			detail: { email: person.email },
		});
		return true;
	});
	if (isChanged) {
		if (!input.active) {
			deps.bus.publish({ kind: 'ended', ended: { userId: input.id, reason: 'deactivation' } });
			// Now, not at the next look: active again soon, the member must not bring an old view back.
			await endLapsedViews(deps);
		}
		deps.bus.publish({ kind: 'hint', audience: { to: 'admins' }, hint: { topic: 'users' } });
	}
	return getPerson(deps, caller, input.id);
}

/**
 * Makes a user an admin or an admin a user. Their next request has the new role, and so have their open streams.
 * @throws AppError NOT_FOUND, LAST_ADMIN_ROLE
 */
export async function setRole(deps: Deps, caller: Caller, input: { id: string; role: Role }): Promise<Person> {
	const isChanged = await inTransaction(deps.db, async (tx) => {
		const activeAdmins = await queries.lockActiveAdmins(tx);
		const person = await queries.findPerson(tx, input.id);
		if (person === undefined) throw new AppError('NOT_FOUND');
		if (person.role === input.role) return false;
		if (isOnlyOne(activeAdmins, person.id)) throw new AppError('LAST_ADMIN_ROLE');
		await updateRole(tx, person.id, input.role);
		await recordAudit(deps, tx, caller, {
			action: 'user-role-changed',
			subjectKind: 'user',
			subjectId: person.id,
			detail: { email: person.email, from: person.role, to: input.role },
		});
		return true;
	});
	if (isChanged) {
		await endLapsedViews(deps);
		deps.bus.publish({ kind: 'role', userId: input.id, role: input.role });
		deps.bus.publish({ kind: 'hint', audience: { to: 'admins' }, hint: { topic: 'users' } });
	}
	return getPerson(deps, caller, input.id);
}

function isOnlyOne(activeAdmins: string[], id: string): boolean {
	return activeAdmins.length === 1 && activeAdmins[0] === id;
}

export { lockActiveAdmins } from './people.queries.ts';

/** One person, as a card of the dashboard shows them. @throws AppError NOT_FOUND */
export async function getPerson(deps: Deps, caller: Caller, id: string): Promise<Person> {
	const row = await queries.findPerson(deps.db, id);
	const [person] = row === undefined ? [] : await presentPeople(deps, caller, [row]);
	if (person === undefined) throw new AppError('NOT_FOUND');
	return person;
}

async function presentPeople(deps: Deps, caller: Caller, rows: PersonRow[]): Promise<Person[]> {
	if (rows.length === 0) return [];
	const ids = rows.map((row) => row.id);
	const spaces = new Map((await queries.sumSpaces(deps.db, ids)).map((space) => [space.userId, space]));
	const orders = new Map(
		(await queries.summariseOrders(deps.db, ids)).map((order) => [order.userId, order.isComplete]),
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
