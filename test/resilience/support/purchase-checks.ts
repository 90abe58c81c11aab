import type { UserSummary } from '#contract/accounts/administration.ts';
import type { Order, Proof } from '#contract/orders/orders.ts';
import type { BuiltServer } from '../../support/services/built-server.ts';
import { type ReceivedMail, readStoredMails } from '../../support/services/received-mails.ts';
import { type Client, createClient, listAll, signInOwner } from '../../support/services/server-client.ts';
import type { Purchase } from './purchases.ts';
import { becomesTrue } from './report.ts';
import { checkFiles } from './server.ts';

/** If a process is killed while it sends a mail, another process sends the mail after the lease expires. */
const mailTimeoutMs = 45_000;

/**
 * Compares the clients' answers with the stored data, which it reads from the API. An order without an answer must be
 * complete or absent. `others`: members without an order; `mayBeRefusedWith`: statuses that are not a fault.
 */
export async function checkPurchases(
	server: BuiltServer,
	purchases: Purchase[],
	others: string[] = [],
	mayBeRefusedWith: number[] = [],
) {
	const owner = await signInOwner(server.url);
	const faults: string[] = [];
	/** Number of complete orders without an answer, because the kill happened after the commit. */
	let unacknowledgedButComplete = 0;
	const waiting = await waitForMail(owner);
	if (waiting > 0) faults.push(`${waiting} mails still wait after ${mailTimeoutMs / 1000} s`);
	const orders = await listAll<Order>(owner, '/api/orders');
	const users = (await listAll<UserSummary>(owner, '/api/users')).filter((user) => user.role === 'user');
	const mails = await readStoredMails(server.dataDir);

	for (const purchase of purchases) {
		const own = orders.filter((order) => order.email === purchase.email);
		const hasOrder = own.length > 0;
		if (purchase.outcome === 'acknowledged' && own.length !== 1)
			faults.push(`${purchase.email} was acknowledged, has ${own.length} orders`);
		if (purchase.outcome === 'refused' && !mayBeRefusedWith.includes(purchase.status))
			faults.push(`${purchase.email} was refused with ${purchase.status}`);
		const mail = mails.filter(({ to }) => to === purchase.email);
		const hasAccount = users.some((user) => user.email === purchase.email);
		if (!hasOrder && (hasAccount || mail.length > 0))
			faults.push(`${purchase.email} has no order, but ${hasAccount ? 'an account' : 'a mail'}`);
		if (!hasOrder) continue;
		const saleFaults = await checkSale(owner, own[0], hasAccount, mail);
		if (saleFaults.length === 0 && purchase.outcome === 'unanswered') unacknowledgedButComplete += 1;
		faults.push(...saleFaults);
	}
	const known = new Set([...purchases.map(({ email }) => email), ...others]);
	for (const { email } of [...orders, ...users])
		if (!known.has(email)) faults.push(`${email} was not created by this test`);
	faults.push(...(await checkFiles(server)));
	return { faults, unacknowledgedButComplete };
}

async function checkSale(
	owner: Client,
	order: Order | undefined,
	hasAccount: boolean,
	mails: ReceivedMail[],
): Promise<string[]> {
	if (order === undefined) return [];
	const faults: string[] = [];
	if (!hasAccount) faults.push(`${order.email} has an order without an account`);
	if (order.price !== 499) faults.push(`${order.email} has the price ${order.price}`);
	const proofs = await owner.get<Proof[]>(`/api/orders/${order.id}/proofs`);
	const picture = proofs[0] && (await owner.request(proofs[0].url));
	if (picture?.status !== 200 || (await picture.arrayBuffer()).byteLength === 0)
		faults.push(`${order.email} has an order without a screenshot`);
	const [mail, ...more] = mails;
	if (mail === undefined) return [...faults, `${order.email} has an order without a mail`];
	if (more.some(({ messageId }) => messageId !== mail.messageId)) faults.push(`${order.email} has two different mails`);
	if ((await createClient(owner.url).signIn(order.email, mail.password)) !== 200)
		faults.push(`${order.email} cannot sign in with the mailed password`);
	return faults;
}

async function waitForMail(owner: Client): Promise<number> {
	let waiting = 0;
	const isEmpty = async () => {
		({ waiting } = await owner.get<{ waiting: number }>('/api/outbox/status'));
		return waiting === 0;
	};
	await becomesTrue(isEmpty, mailTimeoutMs, 200);
	return waiting;
}
