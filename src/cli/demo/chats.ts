import { sendAttachment } from '#server/features/chat/attachments/attachments.service.ts';
import { createReply, createReplyFile } from '#server/features/chat/canned-replies/canned-replies.service.ts';
import { markViewed, sendMessage } from '#server/features/chat/chat.service.ts';
import { saveContactInfo } from '#server/features/settings/site-settings.ts';
import { type Caller, requireMember } from '#server/platform/actor.ts';
import type { Deps } from '#server/platform/deps.ts';
import { memberFor } from './accounts.ts';
import { type Calendar, depsAt } from './calendar.ts';
import type { SampleFiles } from './sample-files.ts';

/**
 * The conversations. Each begins with a line with the member's address; `unseen` means that the owner has not seen the
 * last messages. A line of a message has: days ago, time, sender, and the text, or a file name in angle brackets.
 */
const conversations = `
imran.q@example.com
17 12:10 member My login does not work.
17 12:31 owner I have sent the mail again. Please look into the spam folder too.
lata.m@example.com
4 18:12 member Thanks!
ritu.a@example.com
2 10:05 member Is there an audio edition?
2 10:40 owner Not yet. I will write to everybody when there is one.
sunil.y@example.com
1 14:02 member मुझे भाग 2 नहीं दिख रहा है।
1 14:20 owner Part 2 is there now.
farah.s@example.com
1 16:45 member <receipt.jpg>
asha.verma@example.com
2 18:10 member Namaste, is this the right place for questions about the book?
2 18:12 member I have paid for both parts this morning. When can I start to read?
2 18:40 owner Namaste Asha ji. I have seen the payment. Part 1 and Part 2 are on your shelf now, in English and हिन्दी.
0 08:41 member I like the monthly page in Chapter 7 very much. I filled in mine for October.
0 08:42 member <October ledger.pdf>
0 08:42 member Is the second column right?
0 08:45 owner It is, and well done. One thing: put the rent into “goes out every month”, then the last line tells you what is truly yours. See https://folio.example/months for more.
0 08:46 owner I have put an empty page for November into your folder “Module 1”.
kavita.rao@example.com unseen
0 08:30 member The screenshot was the wrong one.
0 08:31 member Sent it once more
`;
const messagePattern = /^(?<daysAgo>\d+) (?<time>[\d:]+) (?<who>member|owner) (?:<(?<file>.+)>|(?<message>.+))$/u;

/** Seeds the canned replies, and {@link conversations}. */
export async function seedChats(deps: Deps, calendar: Calendar, admin: Caller, make: SampleFiles): Promise<void> {
	const then = depsAt(deps, calendar(30, '11:20'));
	await saveContactInfo(then, admin, { email: 'help@folio.example', phone: '+91 98000 12345', version: 0 });
	await seedCannedReplies(then, admin, make);
	const files: Record<string, Buffer> = {
		'October ledger.pdf': make.worksheet('October', ['Comes in', 'Goes out']),
		'receipt.jpg': await make.picture('receipt-05-farah-sheikh.jpg'),
	};
	const owner = requireMember(admin);
	let member = owner;
	let isSeen = true;
	let number = 0;
	for (const line of conversations.trim().split('\n')) {
		const said = messagePattern.exec(line)?.groups;
		if (said === undefined) {
			const [email = '', unseen] = line.split(' ');
			member = await memberFor(deps, email);
			isSeen = unseen === undefined;
			number = 0;
			continue;
		}
		const { daysAgo, time = '', who, file, message = '' } = said;
		const at = depsAt(deps, calendar(Number(daysAgo), time));
		const caller = who === 'owner' ? owner : member;
		const { userId } = member.actor;
		const clientId = `demo-${who}-${number}`;
		number += 1;
		const { sequence } =
			file === undefined
				? await sendMessage(at, caller, userId, { clientId, message })
				: await sendAttachment(at, caller, { userId, clientId }, { name: file, bytes: files[file] ?? Buffer.of() });
		// A user who writes a message has seen all earlier ones.
		await markViewed(at, caller, userId, sequence);
		if (isSeen) await markViewed(at, owner, userId, sequence);
	}
}

/** Canned replies: the answers that the owner needs most often. */
async function seedCannedReplies(then: Deps, admin: Caller, make: SampleFiles): Promise<void> {
	const steps = {
		name: 'How to pay.pdf',
		bytes: make.worksheet('How to pay', ['Scan the code', 'Send the screenshot']),
	};
	const paying = await createReply(then, admin, {
		name: 'How to pay',
		message:
			'Namaste {name}, scan the code with any UPI app and pay ₹499. Then send the screenshot with the order form.',
	});
	await createReplyFile(then, admin, paying.id, steps);
	await createReply(then, admin, {
		name: 'Payment seen',
		message: 'Namaste {name}, I have seen the payment. The book is on your shelf now, in English and हिन्दी.',
	});
}
