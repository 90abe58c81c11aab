import { signIn } from '#server/features/accounts/sign-in/sign-in.service.ts';
import { createUser } from '#server/features/accounts/users/users.service.ts';
import { systemCaller } from '#server/features/audit/audit.service.ts';
import { hashPassword } from '#server/platform/auth/passwords/passwords.ts';
import { parseConfig } from '#server/platform/config.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { createDeps } from '#server/start.ts';

/**
 * `node bench/seeds/seed-chat.ts COUNT`: fills the empty installation that the environment names with an admin and 50
 * members with conversations: one of COUNT messages, the others of one each. Prints the admin's session token and the
 * ID of the member with COUNT messages. The newest message is number 100,000 for every COUNT, so that pages are the
 * same.
 */
const count = Number(process.argv[2]);
const newest = 100_000;
const members = 50;
const rowsAtOnce = 500;
const deps = await createDeps({ ...parseConfig(process.env), LOG_LEVEL: 'warn' });
const owner = { email: 'owner@bench.example', password: 'a long conversation' };
const passwordHash = await hashPassword(owner.password);

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
		blob_id: null,
		file_name: null,
		file_type: null,
		file_size_bytes: null,
		search_key: message.toLowerCase(),
		created_at: new Date(Date.parse('2026-01-01T00:00:00.000Z') + sequence * 1000).toISOString(),
	};
}

const talker = await inTransaction(deps.db, async (tx) => {
	await createUser(deps, tx, { ...owner, name: null, role: 'admin', passwordHash, isInitialPassword: false });
	const ids: string[] = [];
	for (let number = 1; number <= members; number += 1) {
		const email = `member.${String(number).padStart(2, '0')}@bench.example`;
		const person = { email, name: 'A Member', role: 'user' as const, passwordHash, isInitialPassword: false };
		const id = await createUser(deps, tx, person);
		if (id === null) throw new Error('The installation is not empty.');
		const said = number === 1 ? count : 1;
		for (let start = newest - said; start < newest; start += rowsAtOnce) {
			const rows = Array.from({ length: Math.min(rowsAtOnce, newest - start) }, (_, i) => messageOf(id, start + i + 1));
			await tx.insertInto('messages').values(rows).execute();
		}
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
				user_typing_at: null,
				admin_typing_at: null,
				last_at: lastAt,
				created_at: lastAt,
			})
			.execute();
		ids.push(id);
	}
	return ids[0];
});
const { token } = await signIn(deps, systemCaller, owner);
await deps.bus.close();
await deps.connection.close();
console.log(JSON.stringify({ token, talker }));
