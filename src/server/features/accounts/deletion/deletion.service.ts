import type { AccountDeletion } from '#contract/accounts/deletion.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import { resetRateLimits } from '../../../platform/auth/rate-limits/rate-limits.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { enqueueJob, listJobPayloads } from '../../../platform/jobs/jobs.ts';
import { createRegistration } from '../../../platform/registration.ts';
import type { UploadKeys } from '../../../platform/storage/storage.ts';
import { recordAudit } from '../../audit/index.ts';
import { forgetMailsTo } from '../../mail/index.ts';
import { lockActiveAdmins } from '../administration/administration.service.ts';
import * as queries from '../users/users.queries.ts';

export const accountDeletionJob = 'person-removal';

/** What other features keep of an account, and how each removes it. */
export interface AccountData {
	chat: {
		/** Ends the mails about unread messages; waits for one that is being made. */
		cancelMails(tx: Db, userId: string): Promise<void>;
		enqueueDeletion(deps: Deps, tx: Db, userId: string): Promise<void>;
	};
	files: {
		count(tx: Db, userId: string): Promise<number>;
		/** Deletes some rows of the account's space. @returns the storage keys of the bytes that nothing needs any more */
		purgeSome(tx: Db, userId: string): Promise<{ isOver: boolean; files: number; keys: string[] }>;
	};
	uploads: {
		listUnfinished(tx: Db, userId: string): Promise<UploadKeys[]>;
		deleteBytes(deps: Deps, upload: UploadKeys): Promise<void>;
		/** Ends some of the uploads of others into the account's space. @returns whether there may be more */
		discardSomeToSpace(deps: Deps, userId: string): Promise<boolean>;
	};
	book: {
		/** @returns the storage keys of the copies' bytes */
		deleteCopies(tx: Db, userId: string): Promise<string[]>;
	};
}

export const accountData = createRegistration<AccountData>('data of accounts');

/** What is still to be removed of a deleted person; kept with the job, so that a restart goes on where it was. */
export interface AccountDeletionWork {
	userId: string;
	email: string;
	totalFiles: number;
	removedFiles: number;
	/** Uploads that the person had begun: their rows went with the account. */
	uploads: UploadKeys[];
	/** Mails that were kept as files, by Message-ID. */
	keptMails: string[];
	/** Stored bytes whose rows are gone already. */
	keys: string[];
}

/**
 * Deletes a person: the credential with all sessions at once, in the same transaction the work for the job that removes
 * what they held. Orders stay, without the person; so does the audit list.
 * @throws AppError FORBIDDEN (the deleting admin is none any more), NOT_FOUND, LAST_ADMIN_STAYS
 */
export async function deleteAccount(deps: Deps, caller: Caller, id: string): Promise<void> {
	await inTransaction(deps.db, async (tx) => {
		const activeAdmins = await lockActiveAdmins(tx);
		// Somebody may have deleted or deactivated the deleting admin a moment ago.
		if (caller.actor === null || !activeAdmins.includes(caller.actor.userId)) throw new AppError('FORBIDDEN');
		const user = await queries.findUserByIdForUpdate(tx, id);
		if (user === undefined) throw new AppError('NOT_FOUND');
		if (activeAdmins.length === 1 && activeAdmins[0] === user.id) throw new AppError('LAST_ADMIN_STAYS');
		await deleteAccountData(deps, tx, caller, user);
	});
	deps.wakeWorkers();
	deps.bus.publish({ kind: 'ended', ended: { userId: id, reason: 'deletion' } });
	for (const topic of ['users', 'orders', 'removals'] as const)
		deps.bus.publish({ kind: 'hint', audience: { to: 'admins' }, hint: { topic } });
}

async function deleteAccountData(
	deps: Deps,
	tx: Db,
	caller: Caller,
	user: { id: string; email: string; emailKey: string },
): Promise<void> {
	const data = accountData();
	// First: whoever mails what was said there waits, and finds nobody.
	await data.chat.cancelMails(tx, user.id);
	const uploads = await data.uploads.listUnfinished(tx, user.id);
	const keys = await data.book.deleteCopies(tx, user.id);
	await queries.deleteUser(tx, user);
	await resetRateLimits(deps, tx, user.emailKey);
	const work: AccountDeletionWork = {
		userId: user.id,
		email: user.email,
		totalFiles: await data.files.count(tx, user.id),
		removedFiles: 0,
		uploads,
		keptMails: await forgetMailsTo(tx, user.email),
		keys,
	};
	await enqueueJob(deps, tx, accountDeletionJob, work);
	await data.chat.enqueueDeletion(deps, tx, user.id);
	await recordAudit(deps, tx, caller, {
		action: 'user-deleted',
		subjectKind: 'user',
		subjectId: user.id,
		detail: { email: user.email, files: work.totalFiles },
		deletedEmailKey: user.emailKey,
	});
}

/**
 * In the caller's transaction: deletes an account that nobody has signed in to, and that has been given no file.
 * An admin may have written to it: its conversation goes too.
 */
export async function deleteUnusedAccount(deps: Deps, tx: Db, userId: string): Promise<void> {
	const { chat } = accountData();
	// First the mails, as with every deletion of a person.
	await chat.cancelMails(tx, userId);
	await queries.deleteUnusedUser(tx, userId);
	await chat.enqueueDeletion(deps, tx, userId);
}

/** The removals under way. */
export async function listAccountDeletions(deps: Deps): Promise<AccountDeletion[]> {
	const works = (await listJobPayloads(deps.db, accountDeletionJob)) as AccountDeletionWork[];
	return works.map(({ userId, email, totalFiles, removedFiles }) => ({ id: userId, email, totalFiles, removedFiles }));
}
