import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { OfferedEditions } from '#contract/book/editions.ts';
import { emailPattern, type Locale } from '#contract/core/text.ts';
import type { SiteIdentity } from '#contract/storefront/site-identity.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import { emailKeyOf, newId } from '../../../platform/ids.ts';
import { siteIdentity } from '../../../platform/site-identity.ts';
import { getMailSettings } from '../mail-settings.ts';
import * as queries from './outbox.queries.ts';

interface MailBase {
	to: string;
	locale: Locale;
}

interface LinkMail extends MailBase {
	/** Id of the password link in the mail; the link's lifetime starts when the mail is sent. */
	linkId: string;
	token: string;
}

/** A quoted message: its beginning on one line, or a file's name. */
export interface MailQuote {
	text: string;
	isFile: boolean;
}

interface ChatMail extends MailBase {
	name: string;
	/** The first unread messages, oldest first. */
	quotes: MailQuote[];
	/** Number of all unread messages. */
	count: number;
}

export interface MailOrder {
	code: string;
	title: string;
	/** Absent in mails of an earlier version, which knew only the default editions. */
	offered?: OfferedEditions;
	pricePaise: number;
	receivedAt: string;
}

interface OrderMail extends MailBase {
	name: string;
	order: MailOrder;
	/** Token of the order's status page; absent in mails from before that page existed. */
	statusToken?: string;
}

export type Mail =
	| (LinkMail & OrderMail & { kind: 'credentials'; password: string })
	| (LinkMail & OrderMail & { kind: 'order-received' })
	/** To a buyer, when the buyer or an admin has requested the login again. */
	| (LinkMail & OrderMail & { kind: 'login-again' })
	| (OrderMail & { kind: 'proof-wanted'; note: string; statusToken: string })
	| (OrderMail & { kind: 'receipt'; paidAt: string; seller: string; statusToken: string })
	/** To the owner. */
	| (MailBase & { kind: 'new-order'; name: string; email: string; order: MailOrder })
	| (ChatMail & { kind: 'chat-to-owner'; email: string })
	| (ChatMail & { kind: 'chat-to-member' })
	/** To the owner. */
	| (MailBase & { kind: 'disk-low' | 'purchase-space-low'; freeBytes: number; totalBytes: number })
	| (MailBase & { kind: 'test' })
	| (LinkMail & { kind: 'reset' })
	/** To a user whose account an admin has created. */
	| (LinkMail & { kind: 'invitation' })
	| (MailBase & { kind: 'two-factor-on' | 'two-factor-off' | 'two-factor-reset' });

export const mailSealContext = 'outbox.payload';

interface EnqueueOptions {
	delaySeconds?: number;
	/** Link id of the mail's submission, for {@link deleteUnsentOrderMails}. */
	orderLinkId?: string;
	/** The conversation, and the side of it that gets the mail, for {@link deleteUnsentChatMails}. */
	chatKey?: string;
}

/** Enqueues a mail in the caller's transaction; call `deps.wakeWorkers()` after the commit. */
export async function enqueueMail(
	deps: Deps,
	tx: Db,
	mail: Mail,
	{ delaySeconds = 0, orderLinkId, chatKey }: EnqueueOptions = {},
): Promise<void> {
	const id = newId();
	await queries.insertMail(tx, {
		id,
		message_id: messageIdOf(deps, id),
		kind: mail.kind,
		recipient: mail.to,
		payload_sealed: deps.secrets.seal(mailSealContext, JSON.stringify(mail)),
		state: 'waiting',
		next_attempt_at: isoAt(deps.clock, delaySeconds),
		created_at: isoAt(deps.clock),
		order_link_id: orderLinkId ?? null,
		chat_key: chatKey ?? null,
	});
}

export function messageIdOf(deps: Deps, id: string): string {
	return `<${id}@${new URL(deps.config.PUBLIC_URL).hostname}>`;
}

/** Returns the sender of mails: MAIL_FROM, or else the storefront's name with the address of the SMTP account. */
export function senderOf({ config }: Pick<Deps, 'config'>, { texts }: SiteIdentity, locale: Locale): string {
	if (config.MAIL_FROM !== undefined) return config.MAIL_FROM;
	const user = decodeURIComponent(URL.parse(config.SMTP_URL ?? '')?.username ?? '');
	const name = texts[locale].wordmark.replace(/["\\]/gu, '') || 'Folio';
	return `"${name}" <${emailPattern.test(user) ? user : 'folio@localhost'}>`;
}

const mailNameMaxLength = 80;
/** Characters that change the text direction, also of the text after them (Unicode, UAX 9). */
const bidiControls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Makes a name safe for a mail: short and without links. Otherwise anyone could enter a link as the name and the
 * address of a stranger.
 */
export function sanitizeMailName(name: string): string {
	// Each word is checked alone, because one pattern for the whole name would take seconds if the name is long.
	const safeWords = name
		.replace(bidiControls, '')
		.split(/\s+/u)
		.filter((word) => !/:\/\/|www\./iu.test(word));
	// Mail programs turn anything that looks like a host name into a link. A space after the dot prevents this:
	// "K.R.Narayanan" becomes "K.R. Narayanan".
	const line = safeWords.join(' ').replace(/([.\u3002\uff0e\uff61])(?=[\p{L}\p{N}]{2})/gu, '$1 ');
	return [...line.trim()].slice(0, mailNameMaxLength).join('');
}

const excerptMaxLength = 200;

/** Returns the beginning of a user's text on one line, to be quoted in a mail. */
export function excerptForMail(text: string): string {
	const line = text
		.replace(bidiControls, '')
		.replace(/[\s\p{Cc}]+/gu, ' ')
		.trim();
	const characters = [...line];
	return characters.length > excerptMaxLength ? `${characters.slice(0, excerptMaxLength).join('')}…` : line;
}

export function mailFilePath(deps: Deps, messageId: string): string {
	return join(deps.config.DATA_DIR, 'mail', `${messageId.replace(/[^\w.@-]/gu, '')}.eml`);
}

export async function deleteMailFile(deps: Deps, messageId: string): Promise<void> {
	await rm(mailFilePath(deps, messageId), { force: true });
}

const ownerMailKinds: ReadonlyArray<Mail['kind']> = ['new-order', 'chat-to-owner', 'disk-low', 'purchase-space-low'];

/** Lists the mails to a user since a moment, oldest first, without mails that the owner gets at the same address. */
export function listMailsToUser(db: Db, email: string, since: string) {
	return queries.listMailsTo(db, email, since, ownerMailKinds);
}

/**
 * Deletes every mail to a user, sent or not. Mails to the owner are kept if the owner gets them at the same address.
 * @returns the Message-IDs of mails that were written to files
 */
export async function deleteMailsToUser(tx: Db, email: string): Promise<string[]> {
	const { orderMailTo } = await getMailSettings(tx);
	return queries.deleteMailsTo(tx, email, emailKeyOf(orderMailTo) === emailKeyOf(email) ? ownerMailKinds : []);
}

/** Ends the leases of a killed process when the server starts, so that its mails are sent at once. Only on SQLite. */
export async function releaseMailLeasesAfterStart(deps: Deps): Promise<void> {
	if (deps.connection.kind === 'sqlite') await queries.releaseMailLeases(deps.db);
}

/** Returns the sender of mails as text, for admins. */
export async function describeSender(deps: Deps, locale: Locale): Promise<string> {
	return senderOf(deps, await siteIdentity()(deps), locale).replaceAll('"', '');
}

/** Returns whether SMTP is configured, how many mails are waiting or were not sent, and the last error. */
export async function getMailStatus(deps: Deps, locale: Locale) {
	const counts = await queries.countMailsByState(deps.db);
	return {
		transport: deps.config.SMTP_URL === undefined ? ('file' as const) : ('smtp' as const),
		sender: await describeSender(deps, locale),
		waiting: counts.get('waiting') ?? 0,
		notSent: (counts.get('file') ?? 0) + (counts.get('failed') ?? 0),
		lastError: await queries.findLastMailError(deps.db),
	};
}
