import type { BookAccess, UserBookAccess } from '#contract/book/book-access.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { createRegistration, type Deps } from '../../../platform/deps.ts';
import { findUserById, lockUserIfExists } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { enqueueCopies } from '../book.jobs.ts';
import * as queries from './access.queries.ts';

export interface BookOrders {
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
		const user = await findUserById(tx, input.id);
		const now = isoAt(deps.clock);
		const isNew = input.isGranted
			? await queries.insertGrantedAccess(tx, {
					user_id: input.id,
					granted_by: caller.actor?.email ?? '',
					created_at: now,
				})
			: await queries.deleteGrantedAccess(tx, input.id);
		if (!isNew) return false;
		if (input.isGranted) await enqueueCopies(deps, tx, input.id);
		await recordAudit(deps, tx, caller, input.isGranted ? 'book-granted' : 'book-grant-taken', ['user', input.id], {
			email: user?.email ?? '',
		});
		return true;
	});
	if (isChanged) {
		deps.wakeWorkers();
		const event = { topic: 'book-access' } as const;
		deps.bus.publish({ kind: 'event', audience: { to: 'user', userId: input.id }, event });
		deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event });
	}
	return getBookAccessOfUser(deps, input.id);
}
