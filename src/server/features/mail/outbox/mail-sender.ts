import { mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createTransport, type SendMailOptions, type Transporter } from 'nodemailer';
import type { TestMailResult } from '#contract/mail/mail.ts';
import type { MemberCaller } from '../../../platform/actor.ts';
import { isoAt } from '../../../platform/clock.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { newId } from '../../../platform/ids.ts';
import { rowLeaseSeconds, startRowLease } from '../../../platform/locking/leases/leases.ts';
import { getContactInfo } from '../../settings/index.ts';
import { mailAccounts } from '../mail-settings.ts';
import { renderHeaderImage } from '../templates/header-image.ts';
import { headerImageContentId } from '../templates/mail-layout.ts';
import { renderMail } from '../templates/render-mail.ts';
import { leaseNextMail, markMailDone, markMailFailed, postponeMail, renewMailLease } from './outbox.queries.ts';
import { type Mail, mailFilePath, mailSealContext, messageIdOf } from './outbox.service.ts';

/** A mail goes out within five minutes of the server's return. Source: what must survive, SMTP down. */
const maxRetryDelaySeconds = 120;

/** Sends one due mail. @returns false when there was none. */
export type MailSender = () => Promise<boolean>;

/**
 * Takes mails from the outbox and sends them by SMTP, or without `SMTP_URL` keeps each as an .eml file below the data
 * folder. At least once, always with the same Message-ID; what the mail said is erased when it is out.
 */
export function createMailSender(deps: Deps, { renewEveryMs }: { renewEveryMs?: number } = {}): MailSender {
	const transport = createMailTransport(deps);
	return async () => {
		const row = await inTransaction(deps.db, (tx) => leaseNextMail(tx, isoAt(deps.clock), rowLeaseSeconds));
		if (row === undefined) return false;
		// A mail server may be slow: the lease is renewed so that no other process sends the mail meanwhile.
		const renew = (expiries: string[], until: string) => renewMailLease(deps.db, { id: row.id, expiries }, until);
		const lease = startRowLease(deps, row.leasedUntil, renew, renewEveryMs);
		try {
			if (row.payloadSealed === null) throw new Error('This mail has nothing to say.');
			const mail = JSON.parse(deps.secrets.unseal(mailSealContext, row.payloadSealed)) as Mail;
			await transport.send(await composeMail(deps, mail, row.messageId)).finally(() => lease.stop());
			await inTransaction(deps.db, async (tx) => {
				await markMailDone(tx, row.id, transport.doneState, isoAt(deps.clock));
				if ('linkId' in mail) await mailAccounts().startPasswordLinkExpiry(deps, tx, mail.linkId);
			});
		} catch (error) {
			await lease.stop();
			await handleFailure(deps, { ...row, expiries: lease.expiries() }, error);
		}
		deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'outbox' } });
		return true;
	};
}

async function composeMail(deps: Deps, mail: Mail, messageId: string): Promise<SendMailOptions> {
	const headerImage = await renderHeaderImage();
	const { email: contactEmail } = await getContactInfo(deps.db);
	const isForBuyerOrMember = ('order' in mail && mail.kind !== 'new-order') || mail.kind === 'chat-to-member';
	return {
		from: deps.config.MAIL_FROM,
		to: { name: '', address: mail.to },
		// A reply of a buyer or member reaches a person, even if MAIL_FROM is not a mailbox.
		...(isForBuyerOrMember && contactEmail !== '' && { replyTo: { name: '', address: contactEmail } }),
		messageId,
		...renderMail({ config: deps.config, contactEmail }, mail),
		attachments: [
			{ cid: headerImageContentId, filename: 'scene.png', content: headerImage, contentDisposition: 'inline' },
		],
	};
}

/** Sends a mail to the caller at once, past the outbox, to see whether and why not mails get out. */
export async function sendTestMail(deps: Deps, { actor, locale }: MemberCaller): Promise<TestMailResult> {
	const transport = createMailTransport(deps);
	const to = actor.email;
	try {
		const mail = await composeMail(deps, { kind: 'test', to, locale }, messageIdOf(deps, newId()));
		await transport.send(mail);
		return { to, result: transport.doneState, error: null };
	} catch (error) {
		const { message } = error as Error;
		deps.log.warn({ error: message }, 'test mail not sent');
		return { to, result: 'failed', error: message };
	} finally {
		transport.close();
	}
}

async function handleFailure(
	deps: Deps,
	row: { id: string; kind: string; attempts: number; expiries: string[] },
	error: unknown,
): Promise<void> {
	const { responseCode, code, message } = error as { responseCode?: number; code?: string; message: string };
	deps.log.warn({ mail: row.id, kind: row.kind, error: message }, 'mail not sent');
	// 5xx answers to a mail are for good (RFC 5321, section 4.2.1); a refused sign-in is the owner's to mend, and all else may be better later.
	const isAboutThisMail = code === 'EENVELOPE' || code === 'EMESSAGE';
	if (isAboutThisMail && responseCode !== undefined && responseCode >= 500)
		return markMailFailed(deps.db, row, message);
	const delaySeconds = Math.min(2 ** (row.attempts + 1), maxRetryDelaySeconds);
	await postponeMail(deps.db, row, isoAt(deps.clock, delaySeconds), message);
}

interface MailTransport {
	doneState: 'sent' | 'file';
	send(options: SendMailOptions): Promise<void>;
	close(): void;
}

function createMailTransport(deps: Deps): MailTransport {
	const { SMTP_URL } = deps.config;
	if (SMTP_URL === undefined) return fileTransport(deps);
	const smtp: Transporter = createTransport({
		url: SMTP_URL,
		connectionTimeout: 10_000,
		greetingTimeout: 10_000,
		socketTimeout: 30_000,
	});
	return {
		doneState: 'sent',
		send: async (options) => {
			await smtp.sendMail(options);
		},
		close: () => smtp.close(),
	};
}

function fileTransport(deps: Deps): MailTransport {
	const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
	return {
		doneState: 'file',
		async send(options) {
			const { message } = await composer.sendMail(options);
			const file = mailFilePath(deps, String(options.messageId));
			await mkdir(dirname(file), { recursive: true, mode: 0o700 });
			const handle = await open(`${file}.part`, 'w', 0o600);
			try {
				await handle.writeFile(message as Buffer);
				await handle.sync();
			} finally {
				await handle.close();
			}
			await rename(`${file}.part`, file);
		},
		close() {},
	};
}
