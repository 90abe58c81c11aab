import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { SendMailOptions, Transporter } from 'nodemailer';
import type { Locale } from '#contract/core/text.ts';
import type { TestMailResult } from '#contract/mail/mail.ts';
import type { MemberCaller } from '../../../platform/actor.ts';
import { isoAt } from '../../../platform/clock.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { newId } from '../../../platform/ids.ts';
import { rowLeaseSeconds, startRowLease } from '../../../platform/locking/leases/leases.ts';
import { siteIdentity } from '../../../platform/site-identity.ts';
import { getContactInfo, getSetting, type StoredSetting, updateSetting } from '../../settings/index.ts';
import { mailAccounts } from '../mail-settings.ts';
import { renderHeaderImage } from '../templates/header-image.ts';
import { headerImageContentId } from '../templates/mail-layout.ts';
import { renderMail } from '../templates/render-mail.ts';
import { leaseNextMail, markMailDone, updateLeasedMail } from './outbox.queries.ts';
import { type Mail, mailFilePath, mailSealContext, messageIdOf, senderOf } from './outbox.service.ts';

/** With this maximum, mails are sent within five minutes after an unavailable SMTP server is back. */
export const maxMailRetrySeconds = 120;

export type MailSender = () => Promise<boolean>;

/**
 * Creates a function that sends the next due mail of the outbox by SMTP or, without `SMTP_URL`, writes it to an .eml
 * file in the data folder. After a failure a mail may be sent twice, with the same Message-ID. The content of a sent
 * mail is erased.
 */
export function createMailSender(deps: Deps, { renewEveryMs }: { renewEveryMs?: number } = {}): MailSender {
	const transport = createMailTransport(deps);
	return async () => {
		const row = await inTransaction(deps.db, (tx) => leaseNextMail(tx, isoAt(deps.clock), rowLeaseSeconds));
		if (row === undefined) return false;
		// Renews the lease, so that no other process sends the mail while the SMTP server is slow.
		const renew = async (expiries: string[], until: string) => {
			const { numUpdatedRows } = await updateLeasedMail(deps.db, { id: row.id, expiries }, { leased_until: until });
			return numUpdatedRows > 0n;
		};
		const lease = startRowLease(deps, row.leasedUntil, renew, renewEveryMs);
		try {
			if (row.payloadSealed === null) throw new Error('The content of this mail was erased.');
			const mail = JSON.parse(deps.secrets.unseal(mailSealContext, row.payloadSealed)) as Mail;
			await transport.send(await composeMail(deps, mail, row.messageId)).finally(() => lease.stop());
			await inTransaction(deps.db, async (tx) => {
				// First, because it locks the user.
				if ('linkId' in mail) await mailAccounts().startPasswordLinkExpiry(deps, tx, mail.linkId);
				const state = transport.doneState;
				// A mail in a file can be sent once there is a mail server. A login would be sent with a new link.
				const isContentKept = state === 'file' && !('linkId' in mail);
				await markMailDone(tx, row.id, { state, isContentKept, now: isoAt(deps.clock) });
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
	const identity = await siteIdentity()(deps);
	const headerImage = await renderHeaderImage(identity, mail.locale);
	const { email: contactEmail } = await getContactInfo(deps.db);
	const isForBuyerOrMember = ('order' in mail && mail.kind !== 'new-order') || mail.kind === 'chat-to-member';
	return {
		from: senderOf(deps, identity, mail.locale),
		to: { name: '', address: mail.to },
		// Replies of buyers and members go to the owner's contact address, because MAIL_FROM may not be a mailbox.
		...(isForBuyerOrMember && contactEmail !== '' && { replyTo: { name: '', address: contactEmail } }),
		messageId,
		...renderMail({ config: deps.config, contactEmail, identity }, mail),
		attachments: [
			{ cid: headerImageContentId, filename: 'header.png', content: headerImage, contentDisposition: 'inline' },
		],
	};
}

/** The result of the last test mail; `server` is a keyed hash of the settings that it was sent with. */
const testMailSetting: StoredSetting<Pick<TestMailResult, 'result' | 'error'> & { server: string | null }> = {
	key: 'test-mail',
	defaults: { result: 'file', error: null, server: null },
};

function serverKeyOf({ config, secrets }: Deps): string | null {
	const { SMTP_URL, MAIL_FROM } = config;
	return SMTP_URL === undefined ? null : secrets.lookupKey('mail.server', `${SMTP_URL}\n${MAIL_FROM ?? ''}`);
}

/** Sends a mail without the outbox, so that an admin sees the result at once. The result is stored. */
export async function sendTestMail(deps: Deps, caller: MemberCaller, to: string): Promise<TestMailResult> {
	const test = await trySendTestMail(deps, caller.locale, to);
	const { result, error } = test;
	await updateSetting(deps, caller, testMailSetting, {
		change: () => ({ result, error, server: serverKeyOf(deps) }),
		action: 'test-mail-sent',
		auditDetail: () => ({ email: to, result, reason: error }),
	});
	deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'outbox' } });
	return test;
}

/** Returns whether a test mail was sent with the current settings; `error`: why the last one was not. */
export async function getMailReadiness(deps: Deps) {
	const server = serverKeyOf(deps);
	if (server === null) return { state: 'no-server' as const, error: null };
	const { value: test } = await getSetting(deps.db, testMailSetting);
	if (test.server !== server || test.result === 'file') return { state: 'untested' as const, error: null };
	return { state: test.result, error: test.error };
}

async function trySendTestMail(deps: Deps, locale: Locale, to: string): Promise<TestMailResult> {
	const transport = createMailTransport(deps);
	try {
		const mail = await composeMail(deps, { kind: 'test', to, locale }, messageIdOf(deps, newId()));
		await transport.send(mail);
		return { to, result: transport.doneState, error: null };
	} catch (error) {
		const { message } = error as Error;
		deps.log.warn({ error: message }, 'test mail not sent');
		return { to, result: isAboutMail(error) ? 'refused' : 'failed', error: message };
	} finally {
		transport.close();
	}
}

/** Whether the server refused this mail, its sender or its recipient, rather than the connection or the sign-in. */
function isAboutMail(error: unknown): boolean {
	const { code } = error as NodeJS.ErrnoException;
	return code === 'EENVELOPE' || code === 'EMESSAGE';
}

async function handleFailure(
	deps: Deps,
	row: { id: string; kind: string; attempts: number; expiries: string[] },
	error: unknown,
): Promise<void> {
	const { responseCode, message } = error as { responseCode?: number; message: string };
	deps.log.warn({ mail: row.id, kind: row.kind, error: message }, 'mail not sent');
	// A 5xx response to a mail is permanent (RFC 5321, section 4.2.1). Any other error is retried: the owner can correct
	// a refused sign-in, and other failures may be temporary.
	const isPermanent = isAboutMail(error) && responseCode !== undefined && responseCode >= 500;
	const delaySeconds = Math.min(2 ** (row.attempts + 1), maxMailRetrySeconds);
	await updateLeasedMail(deps.db, row, {
		...(isPermanent ? { state: 'failed' } : { next_attempt_at: isoAt(deps.clock, delaySeconds) }),
		leased_until: null,
		last_error: message,
	});
}

function createMailTransport(deps: Deps) {
	const { SMTP_URL } = deps.config;
	if (SMTP_URL === undefined) return fileTransport(deps);
	let opening: Promise<Transporter> | undefined;
	const open = async () => {
		const { createTransport } = await import('nodemailer');
		return createTransport({
			url: SMTP_URL,
			connectionTimeout: 10_000,
			greetingTimeout: 10_000,
			socketTimeout: 30_000,
		});
	};
	return {
		doneState: 'sent' as const,
		send: async (options: SendMailOptions) => {
			opening ??= open().catch((error: unknown) => {
				opening = undefined;
				throw error;
			});
			await (await opening).sendMail(options);
		},
		close: () =>
			void opening?.then(
				(smtp) => smtp.close(),
				() => {},
			),
	};
}

function fileTransport(deps: Deps) {
	return {
		doneState: 'file' as const,
		async send(options: SendMailOptions) {
			const { createTransport } = await import('nodemailer');
			const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
			const { message } = await composer.sendMail(options);
			const file = mailFilePath(deps, String(options.messageId));
			await mkdir(dirname(file), { recursive: true, mode: 0o700 });
			await writeFile(`${file}.part`, message as Buffer, { mode: 0o600, flush: true });
			await rename(`${file}.part`, file);
		},
		close() {},
	};
}
