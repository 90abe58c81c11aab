import { addScreenshot, addUser, count, deps, insertRows, orderRow, seed, seededAt, signIn } from './seeding.ts';

/**
 * `node bench/seeds/seed-orders.ts COUNT`: creates an admin and COUNT orders, each with a proof. The newest 400 orders
 * are the same for every COUNT: 50 of them have an address with `meera.na`, 60 are Pending. From the 62nd on, every
 * buyer is named Someone.
 */
const owner = await addUser('owner', 'admin');
const blobId = await addScreenshot();
const upiId = deps.secrets.seal('orders.upi_id', 'buyer@examplebank');

function rowsOf(number: number) {
	const digits = String(number).padStart(6, '0');
	const isFound = number <= 400 && number % 8 === 0;
	const email = `${isFound ? 'meera.nair' : 'buyer'}.${digits}@bench.example`;
	// Pages of all COUNTs must have the same length, so the name gets one dot for each digit that a smaller COUNT lacks.
	const name =
		number > 61 ? 'Someone' : number === 1 ? `A Buyer${'.'.repeat(Math.max(0, 6 - String(count).length))}` : 'A Buyer';
	const at = new Date(Date.parse(seededAt) - number * 60_000).toISOString();
	const shared = { name, phone: '98230 55512', upi_id_sealed: upiId, created_at: at };
	return {
		order: orderRow({
			...shared,
			id: `order-${digits}`,
			email,
			price_paise: number % 5 === 0 ? null : 49_900,
			status: number > 1 && number <= 61 ? null : 'Complete',
		}),
		proof: { ...shared, id: `proof-${digits}`, order_id: `order-${digits}`, blob_id: blobId, thumb_blob_id: blobId },
	};
}

await seed(async (tx) => {
	await insertRows(tx, 'orders', count, (index) => rowsOf(index + 1).order);
	await insertRows(tx, 'proofs', count, (index) => rowsOf(index + 1).proof);
	return { token: await signIn(owner, tx) };
});
