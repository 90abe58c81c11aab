import { createUser } from '#server/features/accounts/users/users.service.ts';
import { systemCaller } from '#server/features/audit/audit.service.ts';
import { lockConversation, updateConversation } from '#server/features/chat/chat.queries.ts';
import { hashPassword } from '#server/platform/auth/passwords/passwords.ts';
import { createSession } from '#server/platform/auth/sessions/sessions.ts';
import { parseConfig } from '#server/platform/config.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { createDeps } from '#server/start.ts';
import { readProductDurability } from './product-durability.ts';

/**
 * `node bench/seeds/seed-event-streams.ts OTHERS`: fills the empty installation that the environment names with a
 * member, nine admins and OTHERS other members, a session each. Prints the member's ID, the tokens `readers` (of users
 * who may read the member's conversation, the member first) and `others`, and the durability of the product's
 * connection. The conversation's last message number is set to 100,000.
 */
const others = Number(process.argv[2]);
const admins = 9;
const deps = await createDeps({ ...parseConfig(process.env), LOG_LEVEL: 'warn' });
const passwordHash = await hashPassword('a line for everybody');

const seeded = await inTransaction(deps.db, async (tx) => {
	const join = async (email: string, role: 'user' | 'admin') => {
		const person = { email: `${email}@bench.example`, name: 'A Person', role, passwordHash, isInitialPassword: false };
		const id = await createUser(deps, tx, person);
		if (id === null) throw new Error('The installation is not empty.');
		return { id, token: (await createSession(deps, tx, id, systemCaller)).token };
	};
	const member = await join('member', 'user');
	const readers = [member.token];
	for (let number = 1; number <= admins; number += 1) readers.push((await join(`admin.${number}`, 'admin')).token);
	const tokens: string[] = [];
	for (let number = 1; number <= others; number += 1) tokens.push((await join(`other.${number}`, 'user')).token);
	const now = deps.clock.now().toISOString();
	await lockConversation(tx, member.id, now);
	await updateConversation(tx, member.id, { last_sequence: 100_000, last_at: now });
	return { memberId: member.id, readers, others: tokens };
});
const durability = await readProductDurability(deps.db);
await deps.bus.close();
await deps.connection.close();
console.log(JSON.stringify({ ...seeded, durability }));
