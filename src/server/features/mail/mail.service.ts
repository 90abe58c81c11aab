import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Locale } from '#contract/storefront/landing.ts';
import type { Db } from '../../db/schema.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { newId } from '../../platform/ids.ts';
import { countMailsByState, findLastMailError, insertMail, releaseMails } from './mail.queries.ts';

interface MailBase {
	to: string;
	locale: Locale;
}

interface LinkMail extends MailBase {
	/** The password link it carries; its clock starts when the mail is out. */
	linkId: string;
	token: string;
}

export interface OrderLines {
	code: string;
	title: string;
	pricePaise: number;
	receivedAt: string;
}

/** The mails of the product and what each says. */
export type Mail =
	| (LinkMail & { kind: 'credentials'; name: string; password: string; order: OrderLines })
	| (LinkMail & { kind: 'order-received'; name: string; order: OrderLines })
	| (LinkMail & { kind: 'reset' })
	/** Somebody made an account for this address. */
	| (LinkMail & { kind: 'invitation' })
	| (MailBase & { kind: 'two-factor-on' | 'two-factor-off' | 'two-factor-reset' });

export const mailSealContext = 'outbox.payload';

/** Puts a mail into the outbox in the transaction of what it tells about, due after `delaySeconds`; call `deps.wakeWorkers()` after the commit. */
export async function enqueueMail(deps: Deps, tx: Db, mail: Mail, delaySeconds = 0): Promise<void> {
	const id = newId();
	const domain = URL.parse(deps.config.PUBLIC_URL)?.hostname ?? hostname();
	await insertMail(tx, {
		id,
		messageId: `<${id}@${domain}>`,
		kind: mail.kind,
		recipient: mail.to,
		payloadSealed: deps.secrets.seal(mailSealContext, JSON.stringify(mail)),
		now: isoAt(deps.clock),
		dueAt: isoAt(deps.clock, delaySeconds),
	});
}

/** Where a mail lies that was kept as a file. */
export function keptMailFile(deps: Deps, messageId: string): string {
	return join(deps.config.DATA_DIR, 'mail', `${messageId.replace(/[^\w.@-]/gu, '')}.eml`);
}

/** Removes a mail that was kept as a file; harmless when it is gone. */
export async function removeKeptMail(deps: Deps, messageId: string): Promise<void> {
	await rm(keptMailFile(deps, messageId), { force: true });
}

/** Before this machine's only process starts its sender: mails that a killed one held go out at once, not when its lease ends. */
export async function releaseMailsAfterStart(deps: Deps): Promise<void> {
	if (deps.connection.kind === 'sqlite') await releaseMails(deps.db);
}

/** What the owner should know about the mail: is it set up, is something waiting or lost. */
export async function getMailStatus(deps: Deps) {
	const counts = await countMailsByState(deps.db);
	return {
		transport: deps.config.SMTP_URL === undefined ? ('file' as const) : ('smtp' as const),
		waiting: counts.get('waiting') ?? 0,
		notSent: (counts.get('file') ?? 0) + (counts.get('failed') ?? 0),
		lastError: await findLastMailError(deps.db),
	};
}

export { deleteMailsTo as forgetMailsTo } from './mail.queries.ts';
