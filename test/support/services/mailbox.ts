import { setTimeout as sleep } from 'node:timers/promises';
import { startSmtp } from './mail-server.ts';
import { parseReceivedMail, type ReceivedMail } from './received-mails.ts';

const waitTimeoutMs = 15_000;

export type Mailbox = Awaited<ReturnType<typeof startMailbox>>;

export async function startMailbox() {
	const smtp = await startSmtp();
	return {
		url: smtp.url,
		mails: smtp.mails,
		refuseWith: smtp.refuseWith,
		/** Waits for a mail to this address that contains `text`, at most 15 s. @returns the first such mail */
		async waitFor(to: string, text = ''): Promise<ReceivedMail> {
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
		[Symbol.asyncDispose]: smtp.stop,
	};
}
