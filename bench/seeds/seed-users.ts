import { inTransaction } from '#server/platform/database/transaction.ts';
import {
	addUser,
	count,
	deps,
	finishSeeding,
	insertRows,
	nodeRow,
	orderRow,
	passwordHash,
	seededAt,
	signIn,
} from './seeding.ts';

/**
 * `node bench/seeds/seed-users.ts COUNT`: creates COUNT users in an empty installation, one of them an admin, the others
 * with a file and an order each, and prints the admin's session token. The environment variables select the
 * installation. The newest 99 users are the same for every COUNT; 12 of them have an address with `meera.na`.
 */
const newestId = userOf(1).id;

function userOf(number: number) {
	const isFound = number <= 96 && number % 8 === 0;
	const email = `${isFound ? 'meera.nair' : 'person'}.${String(number).padStart(6, '0')}@bench.example`;
	const at = new Date(Date.parse(seededAt) - number * 60_000).toISOString();
	return { id: `person-${String(number).padStart(6, '0')}`, email, at };
}

function rowsOf(number: number) {
	const { id, email, at } = userOf(number);
	return {
		users: {
			id,
			email,
			email_key: email,
			search_key: `${email}\na person`,
			// Pages of all COUNTs must have the same length. The first page contains COUNT, so the name of its first user gets
			// one dot for each digit that a smaller COUNT lacks.
			name: id === newestId ? `A Person${'.'.repeat(Math.max(0, 5 - String(count).length))}` : 'A Person',
			role: 'user' as const,
			active: 1 as const,
			login_count: 3,
			last_login_at: at,
			password_hash: passwordHash,
			has_initial_password: 0 as const,
			created_at: at,
		},
		nodes: nodeRow({ id: `file-of-${id}`, owner_id: id, name: 'worksheet.pdf', size_bytes: 1000, created_at: at }),
		spaces: { owner_id: id, file_count: 1, used_bytes: 1000 },
		orders: orderRow({ id: `order-of-${id}`, user_id: id, name: 'A Person', email, created_at: at }),
	};
}

const owner = await addUser('owner', 'admin');
await inTransaction(deps.db, async (tx) => {
	for (const table of ['users', 'nodes', 'spaces', 'orders'] as const)
		await insertRows(tx, table, count - 1, (index) => rowsOf(index + 1)[table]);
});
await finishSeeding({ token: await signIn(owner) });
