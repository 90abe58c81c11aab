import { findUserByEmail } from '#server/features/accounts/users/users.service.ts';
import { sendAttachment } from '#server/features/chat/attachments/attachments.service.ts';
import { createReply, createReplyFile } from '#server/features/chat/canned-replies/canned-replies.service.ts';
import { markViewed, sendMessage } from '#server/features/chat/chat.service.ts';
import { saveContactInfo } from '#server/features/settings/site-settings.ts';
import { type Caller, type MemberCaller, requireMember } from '#server/platform/actor.ts';
import type { Deps } from '#server/platform/deps.ts';
import { visitorFor } from './accounts.ts';
import { type Calendar, depsAt } from './calendar.ts';
import type { SampleFiles } from './sample-files.ts';

/** Days ago, when, who says it, and the text; or a file under a name. */
type ChatLine = [
	daysAgo: number,
	time: string,
	who: 'member' | 'owner',
	said: string | { name: string; bytes: Buffer },
];

/** What members and the owner have written to each other. Two of them wait for an answer. */
export async function seedChats(deps: Deps, calendar: Calendar, admin: Caller, make: SampleFiles): Promise<void> {
	const then = depsAt(deps, calendar(30, '11:20'));
	await saveContactInfo(then, admin, { email: 'help@folio.example', phone: '+91 98000 12345', version: 0 });
	await seedCannedReplies(then, admin, make);
	const ledger = { name: 'October ledger.pdf', bytes: make.worksheet('October', ['Comes in', 'Goes out']) };
	const receipt = { name: 'receipt.jpg', bytes: await make.picture('receipt-05-farah-sheikh.jpg') };
	const chats: Array<[email: string, isSeen: boolean, lines: ChatLine[]]> = [
		[
			'imran.q@example.com',
			true,
			[
				[17, '12:10', 'member', 'My login does not work.'],
				[17, '12:31', 'owner', 'I have sent the mail again. Please look into the spam folder too.'],
			],
		],
		['lata.m@example.com', true, [[4, '18:12', 'member', 'Thanks!']]],
		[
			'ritu.a@example.com',
			true,
			[
				[2, '10:05', 'member', 'Is there an audio edition?'],
				[2, '10:40', 'owner', 'Not yet. I will write to everybody when there is one.'],
			],
		],
		[
			'sunil.y@example.com',
			true,
			[
				[1, '14:02', 'member', 'मुझे भाग 2 नहीं दिख रहा है।'],
				[1, '14:20', 'owner', 'Part 2 is there now.'],
			],
		],
		['farah.s@example.com', true, [[1, '16:45', 'member', receipt]]],
		[
			'asha.verma@example.com',
			true,
			[
				[2, '18:10', 'member', 'Namaste, is this the right place for questions about the book?'],
				[2, '18:12', 'member', 'I have paid for both parts this morning. When can I start to read?'],
				[
					2,
					'18:40',
					'owner',
					'Namaste Asha ji. I have seen the payment. Part 1 and Part 2 are on your shelf now, in English and हिन्दी.',
				],
				[0, '08:41', 'member', 'I like the monthly page in Chapter 7 very much. I filled in mine for October.'],
				[0, '08:42', 'member', ledger],
				[0, '08:42', 'member', 'Is the second column right?'],
				[
					0,
					'08:45',
					'owner',
					'It is, and well done. One thing: put the rent into “goes out every month”, then the last line tells you what is truly yours. See https://folio.example/months for more.',
				],
				[0, '08:46', 'owner', 'I have put an empty page for November into your folder “Module 1”.'],
			],
		],
		[
			'kavita.rao@example.com',
			false,
			[
				[0, '08:30', 'member', 'The screenshot was the wrong one.'],
				[0, '08:31', 'member', 'Sent it once more'],
			],
		],
	];
	for (const [email, isSeen, lines] of chats)
		await seedChat(deps, calendar, requireMember(admin), email, isSeen, lines);
}

/** What the owner answers most often. */
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

async function seedChat(
	deps: Deps,
	calendar: Calendar,
	admin: MemberCaller,
	email: string,
	isSeen: boolean,
	lines: readonly ChatLine[],
): Promise<void> {
	const member = await memberFor(deps, email);
	const { userId } = member.actor;
	for (const [index, [daysAgo, time, who, said]] of lines.entries()) {
		const at = depsAt(deps, calendar(daysAgo, time));
		const caller = who === 'owner' ? admin : member;
		const clientId = `demo-${who}-${index}`;
		const { sequence } =
			typeof said === 'string'
				? await sendMessage(at, caller, userId, { clientId, message: said })
				: await sendAttachment(at, caller, { userId, clientId }, said);
		// The writer has read everything above.
		await markViewed(at, caller, userId, sequence);
		if (isSeen) await markViewed(at, admin, userId, sequence);
	}
}

/** Writes without signing in: the history of sign-ins stays as it is. */
async function memberFor(deps: Deps, email: string): Promise<MemberCaller> {
	const user = await findUserByEmail(deps.db, email);
	if (user === undefined) throw new Error(`There is no account for ${email}.`);
	return {
		...visitorFor(email),
		actor: {
			userId: user.id,
			email: user.email,
			name: user.name,
			role: 'user',
			sessionId: '',
			hasInitialPassword: false,
			mustSetUpTwoFactor: false,
			impersonatedBy: null,
		},
	};
}
