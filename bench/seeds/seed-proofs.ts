import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createUser } from '#server/features/accounts/users/users.service.ts';
import { packFingerprint } from '#server/features/orders/duplicate-proofs/duplicate-proofs.service.ts';
import { packEdgeGrid } from '#server/features/orders/duplicate-proofs/fingerprint-index.ts';
import { computeFingerprint, edgeGridOf } from '#server/features/orders/duplicate-proofs/image-fingerprint.ts';
import { hashPassword } from '#server/platform/auth/passwords/passwords.ts';
import { parseConfig } from '#server/platform/config.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { insertBlob } from '#server/platform/storage/blobs.queries.ts';
import { createDeps } from '#server/start.ts';

/**
 * `node bench/seeds/seed-proofs.ts COUNT`: fills the empty installation that the environment names with COUNT orders,
 * each with a proof whose fingerprint is that of one of the demo's receipts with a random variation.
 */
const count = Number(process.argv[2]);
const rowsAtOnce = 500;
const deps = await createDeps({ ...parseConfig(process.env), LOG_LEVEL: 'warn' });
const passwordHash = await hashPassword('a hundred thousand proofs');
const pictures = join(import.meta.dirname, '..', '..', 'demo', 'pictures');
const receipts = (await readdir(pictures)).filter((name) => name.startsWith('receipt-'));
const fingerprints = await Promise.all(
	receipts.map(async (name) => {
		const fingerprint = await computeFingerprint(await readFile(join(pictures, name)));
		return { fine: packFingerprint(fingerprint), edgeGrid: edgeGridOf(fingerprint) };
	}),
);

function rowsOf(numbers: number[]) {
	const at = '2026-01-01T00:00:00.000Z';
	const shared = { name: 'A Person', phone: '98230 55512', upi_id_sealed: '' };
	return {
		orders: numbers.map((number) => ({
			...shared,
			id: `order-${number}`,
			code: `BYE-${number}`,
			user_id: null,
			email: `person.${number}@bench.example`,
			search_key: `a person person.${number}@bench.example`,
			price_paise: 49_900,
			status: 'Complete' as const,
			created_at: at,
			updated_at: at,
		})),
		proofs: numbers.map((number) => ({
			...shared,
			id: `proof-${number}`,
			order_id: `order-${number}`,
			blob_id: 'picture',
			thumb_blob_id: 'picture',
			created_at: at,
			utr_key: `utr-${number}`,
			picture_key: `picture-${number}`,
		})),
		fingerprints: numbers.map((number) => {
			const { fine, edgeGrid } = fingerprints[number % fingerprints.length] as (typeof fingerprints)[0];
			const own = edgeGrid.map((steep) => Math.round(steep * (0.8 + Math.random() * 0.4)));
			return { number, proof_id: `proof-${number}`, fine_fingerprint: fine, coarse_fingerprint: packEdgeGrid(own) };
		}),
	};
}

await inTransaction(deps.db, async (tx) => {
	const owner = { email: 'owner@bench.example', name: null, role: 'admin' as const };
	await createUser(deps, tx, { ...owner, passwordHash, isInitialPassword: false });
	const stored = await deps.storage.put('screenshots/bench.webp', Buffer.from('bench'));
	const blob = { id: 'picture', storage_key: 'screenshots/bench.webp', content_type: 'image/webp' };
	await insertBlob(tx, {
		...blob,
		size_bytes: stored.sizeBytes,
		sha256: stored.sha256,
		created_at: '2026-01-01T00:00:00.000Z',
	});
	for (let start = 1; start <= count; start += rowsAtOnce) {
		const {
			orders,
			proofs,
			fingerprints: seen,
		} = rowsOf(Array.from({ length: Math.min(rowsAtOnce, count + 1 - start) }, (_, i) => start + i));
		await tx.insertInto('orders').values(orders).execute();
		await tx.insertInto('proofs').values(proofs).execute();
		await tx.insertInto('proof_fingerprints').values(seen).execute();
	}
	await tx.updateTable('proof_sequence').set({ last_number: count }).execute();
});
await deps.bus.close();
await deps.connection.close();
console.log(JSON.stringify({ count }));
