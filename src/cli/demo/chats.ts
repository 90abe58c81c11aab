import { sendAttachment } from '#server/features/chat/attachments/attachments.service.ts';
import { createReply, createReplyFile } from '#server/features/chat/canned-replies/canned-replies.service.ts';
import { markViewed, sendMessage } from '#server/features/chat/chat.service.ts';
import { saveContactInfo } from '#server/features/settings/site-settings.ts';
import { type Caller, requireMember } from '#server/platform/actor.ts';
import type { Deps } from '#server/platform/deps.ts';
import { memberFor } from './accounts.ts';
import { type DepsAt, readSample, readTable } from './sample-data.ts';

/** Seeds the contact info, the canned replies, and the conversations of `demo/tables/messages.csv`. */
export async function seedChats(at: DepsAt, admin: Caller): Promise<void> {
	const begin = at(30, '11:20');
	await saveContactInfo(begin, admin, { email: 'help@folio.example', phone: '+91 98000 12345', version: 0 });
	await seedCannedReplies(begin, admin);
	const owner = requireMember(admin);
	for (const [number, row] of readTable('messages').entries()) {
		const { member: email = '', daysAgo, time = '', from, message = '', file, isUnseen } = row;
		const then = at(Number(daysAgo), time);
		const member = await memberFor(then, email);
		const caller = from === 'owner' ? owner : member;
		const { userId } = member.actor;
		const clientId = `demo-${from}-${number}`;
		const { sequence } = file
			? await sendAttachment(then, caller, { userId, clientId }, { name: message, bytes: await readSample(file) })
			: await sendMessage(then, caller, userId, { clientId, message });
		// A user who writes a message has seen all earlier ones.
		await markViewed(then, caller, userId, sequence);
		if (!isUnseen) await markViewed(then, owner, userId, sequence);
	}
}

async function seedCannedReplies(then: Deps, admin: Caller): Promise<void> {
	const paying = await createReply(then, admin, {
		name: 'How to pay',
		message:
			'Namaste {name}, scan the code with any UPI app and pay ₹499. Then send the screenshot with the order form.',
	});
	const steps = { name: 'How to pay.pdf', bytes: await readSample('files/how-to-pay.pdf') };
	await createReplyFile(then, admin, paying.id, steps);
	await createReply(then, admin, {
		name: 'Payment seen',
		message: 'Namaste {name}, I have seen the payment. The book is on your shelf now, in English and हिन्दी.',
	});
}
