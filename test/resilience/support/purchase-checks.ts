import type { UserSummary } from '#contract/accounts/administration.ts';
import type { Order, Proof } from '#contract/orders/orders.ts';
import type { BuiltServer } from '../../support/services/built-server.ts';
import { type ReceivedMail, readStoredMails } from '../../support/services/received-mails.ts';
import { type Client, createClient, listAll, signInOwner } from '../../support/services/server-client.ts';
import type { Purchase } from './purchases.ts';
import { becomesTrue } from './report.ts';
import { checkFiles } from './server.ts';

/** Long enough for another process to send a mail whose sender was killed, which it may after the lease has expired. */
const mailTimeoutMs = 45_000;

export interface Verdict {
	/** One line for each fault; empty when all promises held. */
	faults: string[];
	/** Complete orders without an answer, because the kill came after their commit. */
	unacknowledgedButComplete: number;
}

/**
 * Compares what the clients were told with what is stored now, by requests that any client can make. An order without
 * an answer must be complete or absent. `others` are members who have ordered nothing; `mayBeRefusedWith` lists the
 * statuses that are no fault.
 */
export async function checkPurchases(
	server: BuiltServer,
	purchases: Purchase[],
	others: string[] = [],
	mayBeRefusedWith: number[] = [],
): Promise<Verdict> {
	const owner = await signInOwner(server.url);
	const wrong: string[] = [];
	let unacknowledgedButComplete = 0;
	const waiting = await waitForMail(owner);
	if (waiting > 0) wrong.push(`${waiting} mails still wait after ${mailTimeoutMs / 1000} s`);
	const orders = await listAll<Order>(owner, '/api/orders');
	const users = (await listAll<UserSummary>(owner, '/api/users')).filter((user) => user.role === 'user');
	const mails = await readStoredMails(server.dataDir);

	for (const purchase of purchases) {
		const own = orders.filter((order) => order.email === purchase.email);
		const isThere = own.length > 0;
		if (purchase.outcome === 'acknowledged' && own.length !== 1)
			wrong.push(`${purchase.email} was acknowledged, has ${own.length} orders`);
		if (purchase.outcome === 'refused' && !mayBeRefusedWith.includes(purchase.status))
			wrong.push(`${purchase.email} was refused with ${purchase.status}`);
		const mail = mails.filter(({ to }) => to === purchase.email);
		const hasAccount = users.some((user) => user.email === purchase.email);
		if (!isThere && (hasAccount || mail.length > 0))
			wrong.push(`${purchase.email} has no order, but ${hasAccount ? 'an account' : 'a mail'}`);
		if (!isThere) continue;
		const faults = await checkSale(owner, own[0], hasAccount, mail);
		if (faults.length === 0 && purchase.outcome === 'unanswered') unacknowledgedButComplete += 1;
		wrong.push(...faults);
	}
	const known = new Set([...purchases.map(({ email }) => email), ...others]);
	for (const { email } of [...orders, ...users]) if (!known.has(email)) wrong.push(`${email} came from nowhere`);
	wrong.push(...(await checkFiles(server)));
	return { faults: wrong, unacknowledgedButComplete };
}

async function checkSale(
	owner: Client,
	order: Order | undefined,
	hasAccount: boolean,
	mails: ReceivedMail[],
): Promise<string[]> {
	if (order === undefined) return [];
	const wrong: string[] = [];
	if (!hasAccount) wrong.push(`${order.email} has an order without an account`);
	if (order.price !== 499) wrong.push(`${order.email} stands at ${order.price}`);
	const proofs = await owner.get<Proof[]>(`/api/orders/${order.id}/proofs`);
	const picture = proofs[0] && (await owner.request(proofs[0].url));
	if (picture?.status !== 200 || (await picture.arrayBuffer()).byteLength === 0)
		wrong.push(`${order.email} has an order without a screenshot`);
	const [mail, ...more] = mails;
	if (mail === undefined) return [...wrong, `${order.email} has an order without a mail`];
	if (more.some(({ messageId }) => messageId !== mail.messageId)) wrong.push(`${order.email} has two different mails`);
	if ((await createClient(owner.url).signIn(order.email, mail.password)) !== 200)
		wrong.push(`${order.email} cannot sign in with the mailed password`);
	return wrong;
}

/** Waits for the outbox to be empty. @returns the number of mails that still wait after the timeout */
async function waitForMail(owner: Client): Promise<number> {
	let waiting = 0;
	const isEmpty = async () => {
		({ waiting } = await owner.get<{ waiting: number }>('/api/outbox/status'));
		return waiting === 0;
	};
	await becomesTrue(isEmpty, mailTimeoutMs, 200);
	return waiting;
}
