import type { BookAccess, UserBookAccess } from '#contract/book/shelf.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError, required } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { createRegistration, type Deps } from '../../../platform/deps.ts';
import { findUserById, lockUserIfExists, lockUsers } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { enqueueCopies } from '../book.jobs.ts';
import * as queries from './access.queries.ts';

interface BookOrders {
	getState(db: Db, userId: string): Promise<BookAccess>;
	/** Finds the user's first Complete order, whose name and code are in the watermark. */
	findFirstComplete(db: Db, userId: string): Promise<{ name: string; code: string } | undefined>;
}

export const bookOrders = createRegistration<BookOrders>('orders of the book');

export async function getBookAccess(db: Db, userId: string): Promise<BookAccess> {
	const byOrder = await bookOrders().getState(db, userId);
	if (byOrder === 'open') return byOrder;
	return (await queries.findGrantedAccess(db, userId)) === undefined ? byOrder : 'open';
}

/** Returns a user's access to the book and, if an admin granted it, by whom and when. @throws AppError NOT_FOUND */
export async function getBookAccessOfUser(deps: Deps, userId: string): Promise<UserBookAccess> {
	if ((await findUserById(deps.db, userId)) === undefined) throw new AppError('NOT_FOUND');
	const grant = await queries.findGrantedAccess(deps.db, userId);
	return {
		access: await getBookAccess(deps.db, userId),
		grant: grant === undefined ? null : { by: grant.granted_by, at: grant.created_at },
	};
}

/** Grants a user access to the book without an order, or revokes the granted access. @throws AppError NOT_FOUND */
export async function setBookAccess(deps: Deps, caller: Caller, input: { id: string; isGranted: boolean }) {
	const isChanged = await inTransaction(deps.db, async (tx) => {
		if (!(await lockUserIfExists(tx, input.id))) throw new AppError('NOT_FOUND');
		const email = (await findUserById(tx, input.id))?.email ?? '';
		if (input.isGranted) return grantAccess(deps, tx, caller, { id: input.id, email });
		if (!(await queries.deleteGrantedAccess(tx, input.id))) return false;
		await recordAudit(deps, tx, caller, 'book-grant-taken', ['user', input.id], { email });
		return true;
	});
	if (isChanged) publishAccess(deps, [input.id]);
	return getBookAccessOfUser(deps, input.id);
}

/**
 * Grants several users access to the book in one transaction. Admins, and users who have access, are skipped.
 * @returns the outcomes by id, without unknown users
 */
export async function grantBookAccess(deps: Deps, caller: Caller, ids: readonly string[]) {
	const outcomes = await inTransaction(deps.db, async (tx) => {
		const outcomeById = new Map<string, 'done' | 'unchanged' | 'admin'>();
		// Sorted like the users, so that the jobs of two calls are inserted in the same order.
		for (const { id } of await lockUsers(tx, ids)) {
			const user = required(await findUserById(tx, id), 'NOT_FOUND');
			if (user.role === 'admin') outcomeById.set(id, 'admin');
			else if ((await getBookAccess(tx, id)) === 'open') outcomeById.set(id, 'unchanged');
			else outcomeById.set(id, (await grantAccess(deps, tx, caller, user)) ? 'done' : 'unchanged');
		}
		return outcomeById;
	});
	const changed = [...outcomes].flatMap(([id, outcome]) => (outcome === 'done' ? [id] : []));
	if (changed.length > 0) publishAccess(deps, changed);
	return outcomes;
}

/** @returns false when access was granted already */
async function grantAccess(deps: Deps, tx: Db, caller: Caller, { id, email }: { id: string; email: string }) {
	const row = { user_id: id, granted_by: caller.actor?.email ?? '', created_at: isoAt(deps.clock) };
	if (!(await queries.insertGrantedAccess(tx, row))) return false;
	await enqueueCopies(deps, tx, id);
	await recordAudit(deps, tx, caller, 'book-granted', ['user', id], { email });
	return true;
}

function publishAccess(deps: Deps, userIds: string[]): void {
	deps.wakeWorkers();
	const event = { topic: 'book-access' } as const;
	for (const userId of userIds) deps.bus.publish({ kind: 'event', audience: { to: 'user', userId }, event });
	deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event });
}
