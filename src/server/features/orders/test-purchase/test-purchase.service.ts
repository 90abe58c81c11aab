import type { TestPurchase } from '#contract/orders/test-purchase.ts';
import type { Caller } from '../../../platform/actor.ts';
import { required } from '../../../platform/app-error.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { loadSharp } from '../../../platform/images/load-sharp.ts';
import { translate } from '../../../platform/messages.ts';
import { deleteUnusedBlobs } from '../../../platform/storage/blobs.queries.ts';
import { tryRemoveMany } from '../../../platform/storage/storage.ts';
import { deleteAccount, findUserById, hasLogin, type UserRow } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { getShelf } from '../../book/index.ts';
import { listMailsToUser, mailFilePath } from '../../mail/index.ts';
import { knownTestBuyer, placeOrder, requireNoTestOrder } from '../checkout/checkout.service.ts';
import * as queries from '../orders.queries.ts';
import { publishOrders } from '../orders.service.ts';

/** Returns the test order, the mails to its buyer, and whether the buyer can read the book; null without one. */
export async function getTestPurchase(deps: Deps): Promise<{ purchase: TestPurchase | null }> {
	const test = await findTestOrderAndBuyer(deps);
	if (test === null) return { purchase: null };
	const { order, buyer } = test;
	const { id: orderId, version, code } = order;
	const mails = await listMailsToUser(deps.db, buyer.email, order.created_at);
	return {
		purchase: {
			orderId,
			version,
			code,
			status: order.status ?? 'Pending',
			email: buyer.email,
			userId: buyer.id,
			mails: mails.map(({ id, kind, state, error }) => ({ id, kind, state, error })),
			reading: await getReadingState(deps, buyer),
		},
	};
}

/**
 * Places the test order for an address without an account, in the same way as the purchase form, with a picture as its
 * payment proof.
 * @throws AppError TEST_PURCHASE_EXISTS, TEST_BUYER_KNOWN with `fields`, STORAGE_FULL
 */
export async function startTestPurchase(deps: Deps, caller: Caller, email: string) {
	// Checked again with the order. Without this check, refused attempts would store pictures.
	await requireNoTestOrder(deps.db);
	if (await hasLogin(deps.db, email)) throw knownTestBuyer();
	const name = translate('test_purchase_buyer', caller.locale);
	const values = { name, email, phone: '99999 99999', upiId: 'test@example', utr: '' };
	const screenshot = { name: 'test.png', bytes: await drawTestProof(), isTooLarge: false };
	await placeOrder(deps, caller, { values, screenshot }, true);
	return getTestPurchase(deps);
}

/**
 * Removes the test order with its account and mails; has no effect without one. If the account has other orders by now,
 * the account and its mails are kept.
 */
export async function removeTestPurchase(deps: Deps, caller: Caller): Promise<void> {
	const order = await queries.findTestOrder(deps.db);
	if (order === undefined) return;
	const { user_id: userId } = order;
	if (userId !== null) {
		const isOnlyOrder = async (tx: Db) => (await queries.countOrdersOfUser(tx, userId)) === 1;
		if (await deleteAccount(deps, caller, userId, isOnlyOrder)) return;
	}
	const keys = await inTransaction(deps.db, async (tx) => {
		if ((await queries.findOrderForUpdate(tx, order.id)) === undefined) return [];
		await recordAudit(deps, tx, caller, 'order-deleted', ['order', order.id], { code: order.code });
		return deleteTestOrder(tx, order.id);
	});
	await tryRemoveMany(deps, keys);
	publishOrders(deps, userId);
}

/** Deletes the test order of an account that is being deleted. @returns the storage keys of its proofs */
export async function deleteTestOrderOfUser(tx: Db, userId: string): Promise<string[]> {
	const order = await queries.findTestOrder(tx);
	return order?.user_id === userId ? deleteTestOrder(tx, order.id) : [];
}

/** Returns the path of a mail to the test buyer that was saved as a file. @throws AppError NOT_FOUND */
export async function requireMailFile(deps: Deps, id: string): Promise<string> {
	const { order, buyer } = required((await findTestOrderAndBuyer(deps)) ?? undefined, 'NOT_FOUND');
	const mails = await listMailsToUser(deps.db, buyer.email, order.created_at);
	const mail = mails.find((row) => row.id === id && row.state === 'file');
	return mailFilePath(deps, required(mail, 'NOT_FOUND').messageId);
}

async function findTestOrderAndBuyer(deps: Deps) {
	const order = await queries.findTestOrder(deps.db);
	const buyer = order?.user_id == null ? undefined : await findUserById(deps.db, order.user_id);
	return order === undefined || buyer === undefined ? null : { order, buyer };
}

async function deleteTestOrder(tx: Db, orderId: string): Promise<string[]> {
	const blobIds = await queries.deleteTestOrder(tx, orderId);
	return deleteUnusedBlobs(tx, blobIds);
}

/** Returns whether the buyer can read the book. Like opening the shelf, it prioritises the buyer's copies. */
async function getReadingState(deps: Deps, { id: userId, role }: UserRow): Promise<TestPurchase['reading']> {
	const { access, editions } = await getShelf(deps, { actor: { userId, role } });
	if (access !== 'open') return 'locked';
	if (editions.length === 0) return 'no-edition';
	const states = editions.map(({ copy }) => copy.state);
	return states.includes('ready') ? 'ready' : states.includes('making') ? 'making' : 'failed';
}

/** The word TEST in squares. Drawn without a font, because a server may have none. */
const word = ['### ### ### ###', ' #  #   #    # ', ' #  ##  ###  # ', ' #  #     #  # ', ' #  ### ###  # '];

/** Draws the word TEST on a picture of a phone's shape, in place of a payment screenshot. */
async function drawTestProof(): Promise<Buffer> {
	const squares = Uint8Array.from(word.join(''), (square) => (square === '#' ? 40 : 240));
	const sharp = await loadSharp();
	const picture = sharp(squares, { raw: { width: 15, height: word.length, channels: 1 } });
	const margin = { top: 500, bottom: 580, left: 60, right: 60, background: '#f0f0f0' };
	return picture.resize({ width: 600, kernel: 'nearest' }).extend(margin).png().toBuffer();
}
