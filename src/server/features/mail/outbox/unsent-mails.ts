import type { InputOf } from '#contract/core/endpoint.ts';
import type { mail, UnsentMail } from '#contract/mail/mail.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError, required } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import { timeAndId, toPage, unpackCursor } from '../../../platform/cursor.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { recordAudit } from '../../audit/index.ts';
import { mailAccounts } from '../mail-settings.ts';
import * as queries from './outbox.queries.ts';
import { deleteMailFile, type Mail } from './outbox.service.ts';

/** The kinds of mails with a link to set a password. */
const loginMailKinds: ReadonlySet<string> = new Set<Extract<Mail, { linkId: string }>['kind']>([
	'credentials',
	'order-received',
	'login-again',
	'reset',
	'invitation',
]);

/** Lists the mails that were refused by the mail server or written to a file, those that were due last first. */
export async function listUnsentMails(deps: Deps, { cursor, limit }: InputOf<typeof mail.listUnsent>) {
	const rows = await queries.listUnsentMails(deps.db, unpackCursor(cursor, timeAndId), limit + 1);
	const { page, nextCursor } = toPage(rows, limit, ({ at, id }) => [at, id]);
	const items = page.map(({ id, kind, recipient, at, state, error, hasContent }): UnsentMail => {
		const hasLoginLink = loginMailKinds.has(kind);
		const canSendAgain = hasLoginLink || Boolean(hasContent);
		return { id, kind, to: recipient, at, state: state as UnsentMail['state'], error, hasLoginLink, canSendAgain };
	});
	return { items, nextCursor };
}

/**
 * Sends an unsent mail again. A mail with a login is replaced by a new mail, because its password or link may have
 * expired or been revoked.
 * @throws AppError NOT_FOUND, RECIPIENT_UNKNOWN, LOGIN_NOT_OPEN, TOO_MANY_RESETS
 */
export async function sendMailAgain(deps: Deps, caller: Caller, id: string): Promise<void> {
	const { kind, recipient, messageId } = required(await queries.findUnsentMail(deps.db, id), 'NOT_FOUND');
	const hasLogin = loginMailKinds.has(kind);
	if (hasLogin) await mailAccounts().sendLogin(deps, caller, await findRecipientId(deps, recipient));
	await inTransaction(deps.db, async (tx) => {
		if (hasLogin) await queries.deleteUnsentMail(tx, id);
		else if (!(await queries.enqueueUnsentMail(tx, id, isoAt(deps.clock)))) throw new AppError('NOT_FOUND');
		await recordAudit(deps, tx, caller, 'mail-sent-again', ['system', 'outbox'], { email: recipient });
	});
	// The file of a login contains its password and link. Without a mail server, another mail is written to its file again.
	if (hasLogin || deps.config.SMTP_URL !== undefined) await deleteMailFile(deps, messageId);
	deps.wakeWorkers();
	deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'outbox' } });
}

/**
 * Creates a link to set a password for the recipient of an unsent mail with a login.
 * @throws AppError NOT_FOUND, RECIPIENT_UNKNOWN, LOGIN_NOT_OPEN, FORBIDDEN
 */
export async function createLoginLink(deps: Deps, caller: Caller, id: string): Promise<{ url: string }> {
	const { kind, recipient } = required(await queries.findUnsentMail(deps.db, id), 'NOT_FOUND');
	if (!loginMailKinds.has(kind)) throw new AppError('NOT_FOUND');
	return mailAccounts().createLoginLink(deps, caller, await findRecipientId(deps, recipient));
}

async function findRecipientId(deps: Deps, email: string): Promise<string> {
	return required(await mailAccounts().findUserByEmail(deps.db, email), 'RECIPIENT_UNKNOWN').id;
}
