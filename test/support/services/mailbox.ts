import { setTimeout as sleep } from 'node:timers/promises';
import { startSmtp } from './mail-server.ts';
import { parseReceivedMail, type ReceivedMail } from './received-mails.ts';

const waitTimeoutMs = 15_000;

/** An SMTP server that stores the mails that the product sends. */
export interface Mailbox {
	/** Value for SMTP_URL. */
	readonly url: string;
	/**
	 * Waits for a mail to this address that contains `text`, if set. @returns the first such mail
	 * @throws Error when no such mail arrives within 15 s
	 */
	waitFor(to: string, text?: string): Promise<ReceivedMail>;
	close(): Promise<void>;
}

/** Starts a mailbox on a free port. */
export async function startMailbox(): Promise<Mailbox> {
	const smtp = await startSmtp();
	return {
		url: smtp.url,
		async waitFor(to, text = '') {
			const timeoutAt = performance.now() + waitTimeoutMs;
			for (;;) {
				const mail = smtp.mails.map(parseReceivedMail).find((sent) => sent.to === to && sent.text.includes(text));
				if (mail !== undefined) return mail;
				if (performance.now() > timeoutAt)
					throw new Error(`No mail '${text}' to ${to} within ${waitTimeoutMs / 1000} s.`);
				await sleep(50);
			}
		},
		close: smtp.stop,
	};
}
