import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Locale } from '#contract/core/text.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import { newId } from '../../../platform/ids.ts';
import { countMailsByState, findLastMailError, insertMail, releaseMailLeases } from './outbox.queries.ts';

interface MailBase {
	to: string;
	locale: Locale;
}

interface LinkMail extends MailBase {
	/** The password link it carries; its clock starts when the mail is out. */
	linkId: string;
	token: string;
}

/** A message as a mail quotes it: its first words on one line, or a file's name. */
export interface MailQuote {
	text: string;
	isFile: boolean;
}

interface ChatMail extends MailBase {
	/** Who wrote, or whom. */
	name: string;
	/** The first of them, oldest first. */
	quotes: MailQuote[];
	/** All that were not seen. */
	count: number;
}

export interface MailOrder {
	code: string;
	title: string;
	pricePaise: number;
	receivedAt: string;
}

interface OrderMail extends MailBase {
	name: string;
	order: MailOrder;
	/** Opens the order's status page; mails of before there was one have none. */
	statusToken?: string;
}

/** The mails of the product and what each says. */
export type Mail =
	| (LinkMail & OrderMail & { kind: 'credentials'; password: string })
	| (LinkMail & OrderMail & { kind: 'order-received' })
	/** Asked for on the status page. */
	| (LinkMail & OrderMail & { kind: 'login-again' })
	| (OrderMail & { kind: 'proof-wanted'; note: string; statusToken: string })
	| (OrderMail & { kind: 'receipt'; paidAt: string; seller: string; statusToken: string })
	/** To the owner. */
	| (MailBase & { kind: 'new-order'; name: string; email: string; order: MailOrder })
	/** To the owner, of a member's messages. */
	| (ChatMail & { kind: 'chat-to-owner'; email: string })
	/** To a member, of the owner's messages. */
	| (ChatMail & { kind: 'chat-to-member' })
	/** To the owner. */
	| (MailBase & { kind: 'disk-low' | 'purchase-space-low'; freeBytes: number; totalBytes: number })
	| (MailBase & { kind: 'test' })
	| (LinkMail & { kind: 'reset' })
	/** An account was created for this address. */
	| (LinkMail & { kind: 'invitation' })
	| (MailBase & { kind: 'two-factor-on' | 'two-factor-off' | 'two-factor-reset' });

export const mailSealContext = 'outbox.payload';

interface EnqueueOptions {
	delaySeconds?: number;
	/** The submission that it answers, which may take an unsent mail back ({@link deleteUnsentOrderMails}). */
	orderLinkId?: string;
	/** The side of a conversation that it tells, likewise ({@link deleteUnsentChatMails}). */
	chatKey?: string;
}

/** Puts a mail into the outbox in the transaction of what it tells about; call `deps.wakeWorkers()` after the commit. */
export async function enqueueMail(
	deps: Deps,
	tx: Db,
	mail: Mail,
	{ delaySeconds = 0, orderLinkId, chatKey }: EnqueueOptions = {},
): Promise<void> {
	const id = newId();
	await insertMail(tx, {
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

/** The Message-ID of a mail of ours. */
export function messageIdOf(deps: Deps, id: string): string {
	return `<${id}@${URL.parse(deps.config.PUBLIC_URL)?.hostname ?? hostname()}>`;
}

const mailNameMaxLength = 80;
/** Signs that turn the direction of writing, of what follows too (Unicode, UAX 9). */
const bidiControls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A name for a mail, on one line, shortened: strangers must not be sent long texts or links in our name. */
export function sanitizeMailName(name: string): string {
	// Word by word: one pattern over the whole name would take seconds for a long one without spaces.
	const safeWords = name
		.replace(bidiControls, '')
		.split(/\s+/u)
		.filter((word) => !/:\/\/|www\./iu.test(word));
	// Mail programs make a link of anything that looks like a host: "K.R.Narayanan" becomes "K.R. Narayanan".
	const line = safeWords.join(' ').replace(/([.\u3002\uff0e\uff61])(?=[\p{L}\p{N}]{2})/gu, '$1 ');
	return [...line.trim()].slice(0, mailNameMaxLength).join('');
}

const excerptMaxLength = 200;

/** A user's text as a mail may quote it, on one line. */
export function excerptForMail(text: string): string {
	const line = text
		.replace(bidiControls, '')
		.replace(/[\s\p{Cc}]+/gu, ' ')
		.trim();
	const characters = [...line];
	return characters.length > excerptMaxLength ? `${characters.slice(0, excerptMaxLength).join('')}…` : line;
}

/** Path of a mail that was written to a file. */
export function mailFilePath(deps: Deps, messageId: string): string {
	return join(deps.config.DATA_DIR, 'mail', `${messageId.replace(/[^\w.@-]/gu, '')}.eml`);
}

/** Removes a mail that was kept as a file; harmless when it is gone. */
export async function deleteMailFile(deps: Deps, messageId: string): Promise<void> {
	await rm(mailFilePath(deps, messageId), { force: true });
}

/** Before this machine's only process starts its sender: mails that a killed one held go out at once, not when its lease ends. */
export async function releaseMailLeasesAfterStart(deps: Deps): Promise<void> {
	if (deps.connection.kind === 'sqlite') await releaseMailLeases(deps.db);
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
