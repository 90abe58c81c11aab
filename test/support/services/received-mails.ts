import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';

export interface ReceivedMail {
	to: string;
	subject: string;
	text: string;
	messageId: string;
	/** The first password; '' in a mail without a password. */
	password: string;
	/** The link to set a password; '' in a mail without such a link. */
	link: string;
}

export function parseReceivedMail(mail: Email): ReceivedMail {
	const text = mail.text ?? '';
	return {
		to: mail.to?.[0]?.address ?? '',
		subject: mail.subject ?? '',
		text,
		messageId: mail.messageId ?? '',
		password: /^Password: (.+)$/mu.exec(text)?.[1]?.trim() ?? '',
		link: /https?:\/\/\S+#token=\S+/u.exec(text)?.[0] ?? '',
	};
}

/** Reads the mails that a server without SMTP stores as .eml files below its data folder. */
export async function readStoredMails(dataDir: string): Promise<ReceivedMail[]> {
	const folder = join(dataDir, 'mail');
	const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'));
	return Promise.all(
		names.map(async (name) => parseReceivedMail(await PostalMime.parse(await readFile(join(folder, name))))),
	);
}
