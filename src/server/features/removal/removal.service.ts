import type { Removal } from '#contract/removal/removal.ts';
import type { Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { forgetAllowances } from '../../platform/auth/rate-limits.ts';
import type { Deps } from '../../platform/deps.ts';
import { enqueueJob, listJobPayloads } from '../../platform/jobs/jobs.ts';
import { recordAudit } from '../audit/audit.service.ts';
import { beginClearing } from '../chat/chat-clearing.service.ts';
import { forgetChatMails } from '../chat/chat-mail.service.ts';
import { forgetCopies } from '../copies/copies.service.ts';
import { countFiles } from '../files/files.service.ts';
import { forgetMailsTo } from '../mail/mail.service.ts';
import { lockActiveAdmins } from '../people/people.service.ts';
import { listBegunUploads, type UploadPlaces } from '../uploads/uploads.service.ts';
import * as queries from './removal.queries.ts';

export const removalJob = 'person-removal';

/** What is still to be removed of a deleted person; kept with the job, so that a restart goes on where it was. */
export interface RemovalWork {
	userId: string;
	email: string;
	totalFiles: number;
	removedFiles: number;
	/** Uploads that the person had begun: their rows went with the account. */
	uploads: UploadPlaces[];
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
export async function removePerson(deps: Deps, caller: Caller, id: string): Promise<void> {
	await inTransaction(deps.db, async (tx) => {
		const activeAdmins = await lockActiveAdmins(tx);
		// Somebody may have deleted or deactivated the deleting admin a moment ago.
		if (caller.actor === null || !activeAdmins.includes(caller.actor.userId)) throw new AppError('FORBIDDEN');
		const person = await queries.lockPerson(tx, id);
		if (person === undefined) throw new AppError('NOT_FOUND');
		if (activeAdmins.length === 1 && activeAdmins[0] === person.id) throw new AppError('LAST_ADMIN_STAYS');
		await forgetPerson(deps, tx, caller, person);
	});
	deps.wakeWorkers();
	deps.bus.publish({ kind: 'ended', ended: { userId: id, reason: 'deletion' } });
	for (const topic of ['users', 'orders', 'removals'] as const)
		deps.bus.publish({ kind: 'hint', audience: { to: 'admins' }, hint: { topic } });
}

async function forgetPerson(
	deps: Deps,
	tx: Db,
	caller: Caller,
	person: { id: string; email: string; emailKey: string },
): Promise<void> {
	// First: whoever mails what was said there waits, and finds nobody.
	await forgetChatMails(tx, person.id);
	const uploads = await listBegunUploads(tx, person.id);
	const keys = await forgetCopies(tx, person.id);
	await queries.deletePerson(tx, person);
	await forgetAllowances(deps, tx, person.emailKey);
	const work: RemovalWork = {
		userId: person.id,
		email: person.email,
		totalFiles: await countFiles(tx, person.id),
		removedFiles: 0,
		uploads,
		keptMails: await forgetMailsTo(tx, person.email),
		keys,
	};
	await enqueueJob(deps, tx, removalJob, work);
	await beginClearing(deps, tx, person.id, null);
	await recordAudit(deps, tx, caller, {
		action: 'user-deleted',
		subjectKind: 'user',
		subjectId: person.id,
		detail: { email: person.email, files: work.totalFiles },
		goneEmailKey: person.emailKey,
	});
}

/** The removals under way. */
export async function listRemovals(deps: Deps): Promise<Removal[]> {
	const works = (await listJobPayloads(deps.db, removalJob)) as RemovalWork[];
	return works.map(({ userId, email, totalFiles, removedFiles }) => ({ id: userId, email, totalFiles, removedFiles }));
}
