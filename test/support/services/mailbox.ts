import { setTimeout as sleep } from 'node:timers/promises';
import { startSmtp } from './mail-server.ts';
import { parseReceivedMail, type ReceivedMail } from './received-mails.ts';

const waitTimeoutMs = 15_000;

/** A real SMTP server that stores the mails that the product sends. */
export interface Mailbox {
	/** Value for SMTP_URL. */
	readonly url: string;
	/**
	 * Waits for the first mail to this address, or the first that contains `says`: two processes send in any order.
	 * @throws Error after 15 s without one
	 */
	waitFor(to: string, says?: string): Promise<ReceivedMail>;
	close(): Promise<void>;
}

/** Starts a mailbox on a free port. */
export async function startMailbox(): Promise<Mailbox> {
	const smtp = await startSmtp();
	return {
		url: smtp.url,
		async waitFor(to, says = '') {
			const giveUpAt = performance.now() + waitTimeoutMs;
			for (;;) {
				const found = smtp.mails.map(parseReceivedMail).find((mail) => mail.to === to && mail.text.includes(says));
				if (found !== undefined) return found;
				if (performance.now() > giveUpAt)
					throw new Error(`No mail '${says}' to ${to} within ${waitTimeoutMs / 1000} s.`);
				await sleep(50);
			}
		},
		close: smtp.stop,
	};
}
