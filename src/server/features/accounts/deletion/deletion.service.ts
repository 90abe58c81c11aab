import type { AccountDeletion } from '#contract/accounts/deletion.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError, required } from '../../../platform/app-error.ts';
import { resetRateLimits } from '../../../platform/auth/rate-limits/rate-limits.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { createRegistration, type Deps } from '../../../platform/deps.ts';
import { enqueueJob, listJobPayloads } from '../../../platform/jobs/jobs.ts';
import type { UploadKeys } from '../../../platform/storage/storage.ts';
import { recordAudit } from '../../audit/index.ts';
import { deleteMailsToUser } from '../../mail/index.ts';
import { lockActiveAdmins } from '../administration/administration.queries.ts';
import * as queries from '../users/users.queries.ts';

export const accountDeletionJob = 'person-removal';

export interface AccountData {
	chat: {
		/** Cancels mails about unread messages; waits for a mail that is being prepared. */
		cancelMails(tx: Db, userId: string): Promise<void>;
		/** Like `cancelMails`, and deletes sent mails. @returns the Message-IDs of mails that were stored as files */
		deleteMails(tx: Db, userId: string): Promise<string[]>;
		enqueueDeletion(deps: Deps, tx: Db, userId: string): Promise<void>;
	};
	files: {
		count(tx: Db, userId: string): Promise<number>;
		/**
		 * Deletes some nodes of the account's space.
		 * @returns whether none is left, the number of deleted files, and the storage keys of bytes without references
		 */
		purgeSome(tx: Db, userId: string): Promise<{ isOver: boolean; files: number; keys: string[] }>;
	};
	uploads: {
		listUnfinished(tx: Db, userId: string): Promise<UploadKeys[]>;
		deleteBytes(deps: Deps, upload: UploadKeys): Promise<void>;
		/** Discards some uploads of other users into the account's space. @returns whether uploads may remain */
		discardSomeToSpace(deps: Deps, userId: string): Promise<boolean>;
	};
	book: {
		/** @returns the storage keys of the copies' bytes */
		deleteCopies(tx: Db, userId: string): Promise<string[]>;
	};
	orders: {
		/** Other orders are kept. @returns the storage keys of the bytes of the test order's proofs */
		deleteTestOrder(tx: Db, userId: string): Promise<string[]>;
	};
}

export const accountData = createRegistration<AccountData>('data of accounts');

/** The remaining data of a deleted user. Saved as the job's payload, so that the deletion continues after a restart. */
export interface AccountDeletionWork {
	userId: string;
	email: string;
	totalFiles: number;
	removedFiles: number;
	/** Uploads that the user had started; their rows were deleted with the account. */
	uploads: UploadKeys[];
	/** Message-IDs of mails that were stored as files. */
	keptMails: string[];
	/** Storage keys of bytes whose rows are already deleted. */
	keys: string[];
}

/**
 * Deletes a user's account and sessions, and enqueues the job that deletes the other data. Orders are kept without the
 * user, except the test order. Audit entries are kept unchanged.
 * @param isWanted whether to delete the account, asked when no other deletion can change the answer
 * @returns whether the account was deleted
 * @throws AppError FORBIDDEN (the caller is no longer an active admin), NOT_FOUND, LAST_ADMIN_STAYS
 */
export async function deleteAccount(
	deps: Deps,
	caller: Caller,
	id: string,
	isWanted = async (_tx: Db) => true,
): Promise<boolean> {
	const isDeleted = await inTransaction(deps.db, async (tx) => {
		const activeAdmins = await lockActiveAdmins(tx);
		// The caller may have been deleted or deactivated since the request began.
		if (caller.actor === null || !activeAdmins.includes(caller.actor.userId)) throw new AppError('FORBIDDEN');
		const found = await queries.findUserByIdForUpdate(tx, id);
		if (!(await isWanted(tx))) return false;
		const user = required(found, 'NOT_FOUND');
		if (activeAdmins.length === 1 && activeAdmins[0] === user.id) throw new AppError('LAST_ADMIN_STAYS');
		await deleteAccountData(deps, tx, caller, user);
		return true;
	});
	if (!isDeleted) return false;
	deps.wakeWorkers();
	deps.bus.publish({ kind: 'ended', ended: { userId: id, reason: 'deletion' } });
	for (const topic of ['users', 'orders', 'removals'] as const)
		deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic } });
	return true;
}

async function deleteAccountData(
	deps: Deps,
	tx: Db,
	caller: Caller,
	user: { id: string; email: string; emailKey: string },
): Promise<void> {
	const data = accountData();
	// Cancelled first: a concurrent job that mails the user's messages waits for this transaction and then finds no due
	// mail.
	const chatMails = await data.chat.deleteMails(tx, user.id);
	const uploads = await data.uploads.listUnfinished(tx, user.id);
	const keys = [...(await data.book.deleteCopies(tx, user.id)), ...(await data.orders.deleteTestOrder(tx, user.id))];
	await queries.deleteUser(tx, user);
	await resetRateLimits(deps, tx, user.emailKey);
	const work: AccountDeletionWork = {
		userId: user.id,
		email: user.email,
		totalFiles: await data.files.count(tx, user.id),
		removedFiles: 0,
		uploads,
		keptMails: [...chatMails, ...(await deleteMailsToUser(tx, user.email))],
		keys,
	};
	await enqueueJob(deps, tx, accountDeletionJob, work);
	await data.chat.enqueueDeletion(deps, tx, user.id);
	const detail = { email: user.email, files: work.totalFiles };
	await recordAudit(deps, tx, caller, 'user-deleted', ['user', user.id], detail, user.emailKey);
}

/** Deletes an unused account without files in the caller's transaction. A job deletes the conversation. */
export async function deleteUnusedAccount(deps: Deps, tx: Db, userId: string): Promise<void> {
	const { chat } = accountData();
	// Cancelled first, for the same reason as in deleteAccountData.
	await chat.cancelMails(tx, userId);
	await queries.deleteUnusedUser(tx, userId);
	await chat.enqueueDeletion(deps, tx, userId);
}

export async function listAccountDeletions(deps: Deps): Promise<AccountDeletion[]> {
	const works = (await listJobPayloads(deps.db, accountDeletionJob)) as AccountDeletionWork[];
	return works.map(({ userId, email, totalFiles, removedFiles }) => ({ id: userId, email, totalFiles, removedFiles }));
}
