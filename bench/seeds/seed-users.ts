import { addUser, count, insertRows, nodeRow, orderRow, seed, seededAt, signIn, userRow } from './seeding.ts';

/**
 * `node bench/seeds/seed-users.ts COUNT`: creates an admin, and COUNT - 1 users with a file and an order each. The
 * newest 99 users are the same for every COUNT; 12 of them have an address with `meera.na`.
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
		users: userRow({
			id,
			email,
			search_key: `${email}\na person`,
			// Pages of all COUNTs must have the same length. The first page contains COUNT, so the name of its first user gets
			// one dot for each digit that a smaller COUNT lacks.
			name: id === newestId ? `A Person${'.'.repeat(Math.max(0, 5 - String(count).length))}` : 'A Person',
			login_count: 3,
			last_login_at: at,
			created_at: at,
		}),
		nodes: nodeRow({ id: `file-of-${id}`, owner_id: id, name: 'worksheet.pdf', size_bytes: 1000, created_at: at }),
		spaces: { owner_id: id, file_count: 1, used_bytes: 1000 },
		orders: orderRow({ id: `order-of-${id}`, user_id: id, name: 'A Person', email, created_at: at }),
	};
}

const owner = await addUser('owner', 'admin');
await seed(async (tx) => {
	for (const table of ['users', 'nodes', 'spaces', 'orders'] as const)
		await insertRows(tx, table, count - 1, (index) => rowsOf(index + 1)[table]);
	return { token: await signIn(owner, tx) };
});
