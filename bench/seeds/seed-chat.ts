import { addUser, count, insertRows, seed, signIn } from './seeding.ts';

/**
 * `node bench/seeds/seed-chat.ts COUNT`: creates an admin and 50 members with a conversation each. The first
 * conversation has COUNT messages, every other one a single message. The newest message has the sequence number
 * 100,000, so that a page of the newest messages is the same for every COUNT.
 */
const newest = 100_000;
const members = 50;

function messageOf(userId: string, sequence: number) {
	const digits = String(sequence).padStart(6, '0');
	const message = `Good morning, this is what I wanted to ask about page ${digits} of the book.`;
	const isOfMember = sequence % 2 === 0;
	return {
		id: `${userId}-${digits}`,
		user_id: userId,
		sequence,
		sender: isOfMember ? ('user' as const) : ('admin' as const),
		author_id: isOfMember ? userId : 'owner',
		client_id: `of-the-bench-${digits}`,
		message,
		search_key: message.toLowerCase(),
		created_at: new Date(Date.parse('2026-01-01T00:00:00.000Z') + sequence * 1000).toISOString(),
	};
}

const owner = await addUser('owner', 'admin');
await seed(async (tx) => {
	const ids: string[] = [];
	for (let number = 1; number <= members; number += 1) {
		const name = `member.${String(number).padStart(2, '0')}`;
		const { id } = await addUser(name, 'user', { tx, fullName: 'A Member' });
		const sent = number === 1 ? count : 1;
		await insertRows(tx, 'messages', sent, (index) => messageOf(id, newest - sent + index + 1));
		const { created_at: lastAt } = messageOf(id, newest);
		await tx
			.insertInto('conversations')
			.values({
				user_id: id,
				last_sequence: newest,
				cleared_through: 0,
				user_viewed_through: newest - 3,
				admin_viewed_through: newest - 3,
				user_unread: 1,
				admin_unread: 2,
				last_at: lastAt,
				created_at: lastAt,
			})
			.execute();
		ids.push(id);
	}
	return { token: await signIn(owner, tx), talker: ids[0] };
});
