import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packFingerprint } from '#server/features/orders/duplicate-proofs/duplicate-proofs.service.ts';
import { packEdgeGrid } from '#server/features/orders/duplicate-proofs/fingerprint-index.ts';
import { computeFingerprint, edgeGridOf } from '#server/features/orders/duplicate-proofs/image-fingerprint.ts';
import { addScreenshot, addUser, count, insertRows, orderRow, seed, seededAt } from './seeding.ts';

/**
 * `node bench/seeds/seed-proofs.ts COUNT`: creates COUNT orders. Each has one proof, whose fingerprint is a random
 * variation of a demo receipt's fingerprint.
 */
const pictures = join(import.meta.dirname, '..', '..', 'demo', 'pictures');
const receipts = (await readdir(pictures)).filter((name) => name.startsWith('receipt-'));
const fingerprints = await Promise.all(
	receipts.map(async (name) => {
		const fingerprint = await computeFingerprint(await readFile(join(pictures, name)));
		return { fine: packFingerprint(fingerprint), edgeGrid: edgeGridOf(fingerprint) };
	}),
);
const shared = { name: 'A Person', phone: '98230 55512', upi_id_sealed: '', created_at: seededAt };

function fingerprintOf(number: number) {
	const { fine, edgeGrid } = fingerprints[number % fingerprints.length] as (typeof fingerprints)[0];
	const own = edgeGrid.map((steep) => Math.round(steep * (0.8 + Math.random() * 0.4)));
	return { number, proof_id: `proof-${number}`, fine_fingerprint: fine, coarse_fingerprint: packEdgeGrid(own) };
}

await addUser('owner', 'admin');
const blobs = { blob_id: await addScreenshot(), thumb_blob_id: 'screenshot' };
await seed(async (tx) => {
	await insertRows(tx, 'orders', count, (index) =>
		orderRow({ id: `order-${index + 1}`, name: shared.name, email: `person.${index + 1}@bench.example` }),
	);
	await insertRows(tx, 'proofs', count, (index) => {
		const number = index + 1;
		const keys = { utr_key: `utr-${number}`, picture_key: `picture-${number}` };
		return { ...shared, ...blobs, ...keys, id: `proof-${number}`, order_id: `order-${number}` };
	});
	await insertRows(tx, 'proof_fingerprints', count, (index) => fingerprintOf(index + 1));
	await tx.updateTable('proof_sequence').set({ last_number: count }).execute();
	return { count };
});
