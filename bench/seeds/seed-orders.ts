import { signIn } from '#server/features/accounts/sign-in/sign-in.service.ts';
import { createUser } from '#server/features/accounts/users/users.service.ts';
import { systemCaller } from '#server/features/audit/audit.service.ts';
import { hashPassword } from '#server/platform/auth/passwords/passwords.ts';
import { parseConfig } from '#server/platform/config.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { insertBlob } from '#server/platform/storage/blobs.queries.ts';
import { createDeps } from '#server/start.ts';

/**
 * `node bench/seeds/seed-orders.ts COUNT`: fills the empty installation that the environment names with an admin and
 * COUNT orders, each with a proof, and prints the admin's session token. The newest 400 are the same for every COUNT:
 * 50 of them have an address with `meera.na`, 60 are Pending. From the 62nd on all are named Someone.
 */
const count = Number(process.argv[2]);
const rowsAtOnce = 500;
const deps = await createDeps({ ...parseConfig(process.env), LOG_LEVEL: 'warn' });
const owner = { email: 'owner@bench.example', password: 'a desk of orders' };
const passwordHash = await hashPassword(owner.password);
const upiId = deps.secrets.seal('orders.upi_id', 'buyer@examplebank');
const blobId = 'picture-of-all';

function rowsOf(number: number) {
	const digits = String(number).padStart(6, '0');
	const isFound = number <= 400 && number % 8 === 0;
	const email = `${isFound ? 'meera.nair' : 'buyer'}.${digits}@bench.example`;
	// Dots in the first name make up for the digits that a smaller COUNT lacks, so that pages have the same length.
	const name = number > 61 ? 'Someone' : number === 1 ? `A Buyer${'.'.repeat(6 - String(count).length)}` : 'A Buyer';
	const at = new Date(Date.parse('2026-01-01T00:00:00.000Z') - number * 60_000).toISOString();
	const shared = { name, phone: '98230 55512', upi_id_sealed: upiId, created_at: at };
	return {
		order: {
			...shared,
			id: `order-${digits}`,
			code: `BYE-${digits}`,
			user_id: null,
			email,
			search_key: `${name.toLowerCase()}\n${email}`,
			price_paise: number % 5 === 0 ? null : 49_900,
			status: number > 1 && number <= 61 ? null : ('Complete' as const),
			updated_at: at,
		},
		proof: { ...shared, id: `proof-${digits}`, order_id: `order-${digits}`, blob_id: blobId, thumb_blob_id: blobId },
	};
}

await inTransaction(deps.db, async (tx) => {
	await createUser(deps, tx, { ...owner, name: null, role: 'admin', passwordHash, isInitialPassword: false });
	const stored = await deps.storage.put('screenshots/bench', Buffer.from('the same picture for all'));
	await insertBlob(tx, {
		id: blobId,
		storage_key: 'screenshots/bench',
		size_bytes: stored.sizeBytes,
		sha256: stored.sha256,
		content_type: 'image/webp',
		created_at: '2026-01-01T00:00:00.000Z',
	});
	const numbers = Array.from({ length: count }, (_, i) => i + 1);
	for (let start = 0; start < count; start += rowsAtOnce) {
		const rows = numbers.slice(start, start + rowsAtOnce).map(rowsOf);
		await tx
			.insertInto('orders')
			.values(rows.map(({ order }) => order))
			.execute();
		await tx
			.insertInto('proofs')
			.values(rows.map(({ proof }) => proof))
			.execute();
	}
});
const { token } = await signIn(deps, systemCaller, owner);
await deps.bus.close();
await deps.connection.close();
console.log(JSON.stringify({ token }));
