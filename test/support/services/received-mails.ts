import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';

export type ReceivedMail = ReturnType<typeof parseReceivedMail>;

/** Texts that a mail does not have are ''. */
export function parseReceivedMail(mail: Email) {
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
