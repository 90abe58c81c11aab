import { signIn } from '#server/features/accounts/sign-in/sign-in.service.ts';
import { createUser } from '#server/features/accounts/users/users.service.ts';
import { systemCaller } from '#server/features/audit/audit.service.ts';
import { hashPassword } from '#server/platform/auth/passwords/passwords.ts';
import { parseConfig } from '#server/platform/config.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { createDeps } from '#server/start.ts';

/**
 * `node bench/seeds/seed-users.ts COUNT`: fills the empty installation that the environment names with COUNT users, one
 * of them an admin, the others with a file and an order each, and prints the admin's session token. The newest 99 are
 * the same for every COUNT; 12 of them have an address with `meera.na`.
 */
const count = Number(process.argv[2]);
const rowsAtOnce = 500;
const deps = await createDeps({ ...parseConfig(process.env), LOG_LEVEL: 'warn' });
const owner = { email: 'owner@bench.example', password: 'a page of people' };
const passwordHash = await hashPassword(owner.password);

const newestId = userOf(1).id;

function userOf(number: number) {
	const isFound = number <= 96 && number % 8 === 0;
	const email = `${isFound ? 'meera.nair' : 'person'}.${String(number).padStart(6, '0')}@bench.example`;
	const at = new Date(Date.parse('2026-01-01T00:00:00.000Z') - number * 60_000).toISOString();
	return { id: `person-${String(number).padStart(6, '0')}`, email, at };
}

function rowsOf(numbers: number[]) {
	const people = numbers.map(userOf);
	return {
		users: people.map(({ id, email, at }) => ({
			id,
			email,
			email_key: email,
			search_key: `${email}\na person`,
			// Dots in the first name make up for the digits that a smaller COUNT lacks, so that pages have the same length.
			name: id === newestId ? `A Person${'.'.repeat(Math.max(0, 5 - String(count).length))}` : 'A Person',
			role: 'user' as const,
			active: 1 as const,
			login_count: 3,
			last_login_at: at,
			password_hash: passwordHash,
			initial_password_expires_at: null,
			has_initial_password: 0 as const,
			created_at: at,
		})),
		nodes: people.map(({ id, at }) => ({
			id: `file-of-${id}`,
			owner_id: id,
			parent_id: null,
			path: '',
			real_path: null,
			kind: 'file' as const,
			kind_order: 1,
			name: 'Worksheet.pdf',
			name_key: 'worksheet.pdf',
			sort_key: 'worksheet.pdf',
			ending: 'pdf',
			size_bytes: 1000,
			blob_id: null,
			created_at: at,
			deleted_at: null,
		})),
		spaces: people.map(({ id }) => ({ owner_id: id, file_count: 1, used_bytes: 1000, quota_bytes: null })),
		orders: people.map(({ id, email, at }) => ({
			id: `order-of-${id}`,
			code: `BYE-${id}`,
			user_id: id,
			name: 'A Person',
			email,
			phone: '98230 55512',
			upi_id_sealed: '',
			search_key: `a person ${email}`,
			price_paise: 49_900,
			status: 'Complete' as const,
			created_at: at,
			updated_at: at,
		})),
	};
}

await inTransaction(deps.db, async (tx) => {
	await createUser(deps, tx, { ...owner, name: null, role: 'admin', passwordHash, isInitialPassword: false });
	const numbers = Array.from({ length: count - 1 }, (_, i) => i + 1);
	for (let start = 0; start < numbers.length; start += rowsAtOnce) {
		const { users, nodes, spaces, orders } = rowsOf(numbers.slice(start, start + rowsAtOnce));
		await tx.insertInto('users').values(users).execute();
		await tx.insertInto('nodes').values(nodes).execute();
		await tx.insertInto('spaces').values(spaces).execute();
		await tx.insertInto('orders').values(orders).execute();
	}
});
const { token } = await signIn(deps, systemCaller, owner);
await deps.bus.close();
await deps.connection.close();
console.log(JSON.stringify({ token }));
