import type { Order } from '#contract/orders/orders.ts';
import { createMailSender } from '#server/features/mail/outbox/mail-sender.ts';
import { placeOrder } from '#server/features/orders/checkout/checkout.service.ts';
import { updateOrder, writeNote } from '#server/features/orders/management/management.service.ts';
import { listOrders } from '#server/features/orders/orders.service.ts';
import type { Caller } from '#server/platform/actor.ts';
import type { Deps } from '#server/platform/deps.ts';
import { chooseDemoPassword, signInOnDays, visitorFor } from './accounts.ts';
import { type Buyer, buyers, type DepsAt, readSample } from './sample-data.ts';

/** Seeds all orders: submits the buyers' purchase forms, and then changes the orders as the owner. */
export async function placeOrders(at: DepsAt, owner: Caller): Promise<void> {
	for (const buyer of buyers.toReversed()) {
		for (const proof of buyer.proofs) await submitProof(at(proof.daysAgo, proof.time), buyer, proof);
		const daysAgo = buyer.proofs[0]?.daysAgo ?? 0;
		if (buyer.note !== '') await askForProof(at(daysAgo, '08:30'), owner, buyer);
		if (!buyer.isPending) await completeOrder(at(Math.max(0, daysAgo - 1), '09:20'), owner, buyer);
		const [firstSignIn] = buyer.signIns;
		if (firstSignIn === undefined) continue;
		await chooseDemoPassword(at(firstSignIn, '09:21'), buyer.email);
		await signInOnDays(at, buyer.email, buyer.signIns, '09:25');
	}
}

async function submitProof(then: Deps, buyer: Buyer, proof: Buyer['proofs'][number]): Promise<void> {
	const { name, email, upiId, locale } = buyer;
	const { phone, utr, picture } = proof;
	await placeOrder(
		then,
		{ ...visitorFor(email), locale },
		{
			values: { name, email, phone, upiId, utr },
			screenshot: { name: picture, bytes: await readSample(`pictures/${picture}`), isTooLarge: false },
		},
	);
	await sendMails(then);
}

async function sendMails(then: Deps): Promise<void> {
	const sendNextMail = createMailSender(then);
	while (await sendNextMail());
}

async function askForProof(then: Deps, owner: Caller, buyer: Buyer): Promise<void> {
	const { id } = await findOrderOf(then, buyer);
	await writeNote(then, owner, { id, note: buyer.note, was: null, isProofWanted: true });
	await sendMails(then);
}

async function findOrderOf(then: Deps, buyer: Buyer): Promise<Order> {
	const { items } = await listOrders(then, { search: buyer.email, status: 'All', sort: 'newest', limit: 1 });
	const [order] = items;
	if (order === undefined) throw new Error(`There is no order of ${buyer.email}.`);
	return order;
}

async function completeOrder(then: Deps, owner: Caller, buyer: Buyer): Promise<void> {
	const { id, name, email, phone, upiId, version } = await findOrderOf(then, buyer);
	await updateOrder(then, owner, { id, name, email, phone, upiId, version, status: 'Complete' });
	await sendMails(then);
}
