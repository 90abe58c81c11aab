import { checkoutInput } from '#contract/orders/checkout.ts';
import type { OrderReceiptPage, OrderStatusPage } from '#contract/orders/order-page.ts';
import { orderPathOf } from '#contract/orders/order-page.ts';
import type { SubmittedOrder } from '#contract/storefront/landing.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError, required } from '../../../platform/app-error.ts';
import { hashPassword } from '../../../platform/auth/passwords/passwords.ts';
import { consumeRateLimit, rateLimits } from '../../../platform/auth/rate-limits/rate-limits.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { formatMoment, formatRupees } from '../../../platform/format.ts';
import { emailKeyOf } from '../../../platform/ids.ts';
import {
	changeEmailOfUnusedUser,
	createUserFromImportedLogin,
	deleteUnusedAccount,
	findUserByEmail,
	findUserById,
	hasFilesOrShares,
	lockUsers,
	type UserRow,
} from '../../accounts/index.ts';
import { deleteUnsentOrderMails, getMailSettings } from '../../mail/index.ts';
import {
	type CheckoutForm,
	findOrCreateBuyer,
	initialPasswordFor,
	isUtrMissing,
	processScreenshot,
	storeProofPictures,
	takeCheckoutAllowance,
} from '../checkout/checkout.service.ts';
import { addProof } from '../checkout/order-submission.ts';
import { countOrdersOfUser } from '../orders.queries.ts';
import { publishOrders } from '../orders.service.ts';
import { mailLogin } from './login-mail.ts';
import { findOrderLink } from './order-links.ts';
import { deleteMailLinks, moveOrderLink, type OrderLinkRow } from './order-page.queries.ts';
import * as orders from './submissions.ts';

/** Returns the link of a token. @throws AppError NOT_FOUND for an unknown token, or if the order was deleted */
export async function getOrderLink(deps: Deps, token: string): Promise<OrderLinkRow> {
	return required(await findOrderLink(deps, deps.db, token), 'NOT_FOUND');
}

/** Returns the order of a token as shown to the buyer after a submission; null when it cannot be loaded. */
export async function findSubmittedOrder(deps: Deps, token: string): Promise<SubmittedOrder | null> {
	try {
		const { code } = await orders.getOrderOfLink(deps, await getOrderLink(deps, token));
		return { statusUrl: orderPathOf(token), code };
	} catch (error) {
		// The purchase has succeeded, so an error here must not reach the buyer.
		if (!(error instanceof AppError)) deps.log.error({ err: error }, 'order not shown to its buyer');
		return null;
	}
}

/**
 * Returns what the status page and the receipt of a link share. They must not reveal earlier data of the order, because
 * the sender may have entered another person's address. So they have the submission's own time and details, unless the
 * link was mailed and has no submission.
 */
async function presentOrder(deps: Deps, { locale }: Caller, token: string) {
	const link = await getOrderLink(deps, token);
	const order = await orders.getOrderOfLink(deps, link);
	const typed = link.email === null ? null : await orders.getSubmission(deps, deps.db, link.id, link.email);
	const moment = (iso: string) => formatMoment(iso, deps.config.TIME_ZONE, locale);
	const shared = {
		path: orderPathOf(token),
		title: order.title,
		offered: order.offered,
		price: formatRupees(order.pricePaise),
		isTest: order.is_test === 1,
	};
	return { link, order, typed, moment, shared, since: moment(typed === null ? order.created_at : link.created_at) };
}

/** @throws AppError NOT_FOUND */
export async function presentStatus(
	deps: Deps,
	caller: Caller,
	token: string,
): Promise<Omit<OrderStatusPage, 'kind' | 'done' | 'refusal' | 'values'>> {
	const { link, order, typed, shared, since } = await presentOrder(deps, caller, token);
	const status = order.status ?? 'Pending';
	const isOfSubmission = typed !== null;
	return {
		...shared,
		code: order.code,
		status,
		receivedAt: since,
		// A note from before the submission is about an earlier proof of another sender, so this sender must not see it.
		note: isOfSubmission && (order.note_at ?? '') < link.created_at ? null : order.note,
		isProofWanted: (order.proof_wanted_at ?? '') >= (isOfSubmission ? link.created_at : '0'),
		typed,
		utrRequest: order.utrRequest,
		// The test order stays with the account that is deleted with it.
		canCorrect: isOfSubmission && status === 'Pending' && !shared.isTest,
	};
}

/** @throws AppError NOT_FOUND, also for an order that is not Complete */
export async function presentReceipt(deps: Deps, caller: Caller, token: string): Promise<OrderReceiptPage> {
	const { order, typed, moment, shared, since } = await presentOrder(deps, caller, token);
	if (order.status !== 'Complete') throw new AppError('NOT_FOUND');
	return {
		...shared,
		kind: 'receipt',
		number: order.code,
		name: typed?.name ?? order.name,
		orderedAt: since,
		paidAt: moment(order.completed_at ?? order.updated_at),
		seller: (await getMailSettings(deps.db)).seller,
	};
}

/** Adds a screenshot. @throws AppError NOT_FOUND, ORDER_COMPLETE, PURCHASE_INVALID, TOO_MANY_PURCHASES, STORAGE_FULL */
export async function submitFurtherProof(
	deps: Deps,
	caller: Caller,
	token: string,
	{ values, screenshot }: CheckoutForm,
): Promise<void> {
	const link = await getOrderLink(deps, token);
	const order = await orders.getOrderOfLink(deps, link);
	if (order.status === 'Complete') throw new AppError('ORDER_COMPLETE');
	const parsed = checkoutInput.shape.utr.safeParse(values.utr);
	const fields: Record<string, string> = {};
	if (!parsed.success) fields.utr = parsed.error.issues[0]?.message ?? 'error_invalid_input';
	if (isUtrMissing(order.utrRequest, values.utr)) fields.utr = 'error_field_required';
	const sender = { caller, email: link.email ?? order.email, isTest: order.is_test === 1 };
	const pictures = await processScreenshot(deps, sender, screenshot, fields);
	const stored = await storeProofPictures(deps, screenshot?.name ?? '', pictures);
	// A mailed link is for the order, not for a submission.
	const linkId = link.email === null ? null : link.id;
	const proof = { ...stored, orderId: link.order_id, linkId, utr: parsed.data ?? '' };
	const { userId } = await inTransaction(deps.db, (tx) => addProof(deps, tx, caller, proof));
	publishOrders(deps, userId);
}

/** Mails a new login link to the owner of the order's account. @throws AppError NOT_FOUND, TOO_MANY_RESETS */
export async function resendLoginLink(deps: Deps, caller: Caller, token: string): Promise<void> {
	const link = await getOrderLink(deps, token);
	const order = await orders.getOrderOfLink(deps, link);
	const user = order.user_id === null ? undefined : await findUserById(deps.db, order.user_id);
	const isAllowed =
		// The limit of the IP address is consumed first. A caller who has exceeded it cannot use up the limits of accounts.
		(await consumeRateLimit(deps, rateLimits.resetPerIpAddress, caller.ip)) &&
		(await consumeRateLimit(deps, rateLimits.resetPerAccount, user?.email_key ?? link.id));
	if (!isAllowed) throw new AppError('TOO_MANY_RESETS', { retryAfterSeconds: rateLimits.resetPerAccount.seconds });
	if (user === undefined) return;
	const { id: orderId, name, code, title, offered, pricePaise, created_at: receivedAt } = order;
	const lines = { code, title, offered, pricePaise, receivedAt };
	const mail = { user, orderId, name, lines, linkId: link.id, kind: 'login-again' } as const;
	await inTransaction(deps.db, (tx) => mailLogin(deps, tx, caller, mail));
	deps.wakeWorkers();
}

/**
 * Moves a submission and its proofs to another email. If the order has other proofs, the submission gets a new order;
 * otherwise the order moves too. The account moves too if it was created for the submission, is unused, and the new
 * email has no account. Unsent mails are deleted, and the login is mailed to the new email. The order always gets a new
 * code, and links in earlier mails become invalid. So nothing reveals whether the old or the new email had an account.
 * @throws AppError NOT_FOUND, ORDER_COMPLETE, ORDER_ADDRESS_FIXED, PURCHASE_INVALID with `fields`, TOO_MANY_PURCHASES
 */
export async function correctEmail(deps: Deps, caller: Caller, token: string, typed: string): Promise<void> {
	const link = await getOrderLink(deps, token);
	if (link.email === null) throw new AppError('ORDER_ADDRESS_FIXED');
	const parsed = checkoutInput.shape.email.safeParse(typed);
	const errorKey = parsed.success
		? emailKeyOf(parsed.data) === emailKeyOf(link.email) && 'error_order_address_same'
		: (parsed.error.issues[0]?.message ?? 'error_email_format');
	if (!parsed.success || errorKey !== false)
		throw new AppError('PURCHASE_INVALID', { fields: { email: errorKey || 'error_email_format' } });
	const email = parsed.data;
	await takeCheckoutAllowance(deps, caller);
	const { user_id: ownerId, is_test } = await orders.getOrderOfLink(deps, link);
	if (is_test === 1) throw new AppError('ORDER_ADDRESS_FIXED');
	const { name } = await orders.getSubmission(deps, deps.db, link.id, link.email);
	const password = initialPasswordFor(deps, name);
	// The password is hashed for a known address too, so that the time does not reveal whether the address is known.
	const passwordHash = await hashPassword(password);
	const moved = await inTransaction(deps.db, async (tx) => {
		// The accounts are locked first, as in a purchase, so that nothing is added to their orders meanwhile.
		const ownerOfEmail = await findUserByEmail(tx, email);
		const userIds = [ownerId, ownerOfEmail?.id].filter((id) => id != null);
		if (userIds.length > 0) await lockUsers(tx, userIds, 'wait');
		const old = ownerId === null ? undefined : await findUserById(tx, ownerId);
		const { order, hasOthers } = await orders.getMovableOrder(tx, link);
		const now = await findOrderLink(deps, tx, token);
		if (order.user_id !== (old?.id ?? null) || now?.order_id !== order.id || now.email !== link.email) return null;
		if ((old?.last_login_at ?? '') >= link.created_at) throw new AppError('ORDER_ADDRESS_FIXED');
		const isAccountOfSubmission = old !== undefined && !hasOthers && (await isUnusedAccountOfSubmission(tx, link, old));
		const to = { email, name, passwordHash };
		const { user, isNew } = await moveBuyer(deps, tx, isAccountOfSubmission ? old : null, to);
		const move = { link, order, hasOthers, user, email };
		const { orderId, lines } = await orders.moveSubmission(deps, tx, caller, move);
		await deleteMailLinks(tx, link.id);
		await deleteUnsentOrderMails(tx, link.id);
		await moveOrderLink(tx, link.id, { order_id: orderId, email, made_account: isNew ? 1 : 0 });
		if (isAccountOfSubmission && old.id !== user.id) await deleteUnusedAccount(deps, tx, old.id);
		const mail = { user, name, password: isNew ? password : null, orderId, lines, linkId: link.id };
		await mailLogin(deps, tx, caller, mail);
		return { from: order.user_id, to: user.id };
	});
	// Another correction was faster, or the account was deleted, so this one is checked again.
	if (moved === null) return correctEmail(deps, caller, token, typed);
	deps.wakeWorkers();
	for (const userId of new Set([moved.from, moved.to])) publishOrders(deps, userId);
	deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'users' } });
}

/**
 * Returns whether an account was created by this submission, has no other order, is unused and active, and has no files
 * or shares. Those are meant for the owner of the account's address, not for the sender of the submission.
 */
async function isUnusedAccountOfSubmission(tx: Db, link: OrderLinkRow, user: UserRow): Promise<boolean> {
	return (
		link.made_account === 1 &&
		user.role === 'user' &&
		user.active === 1 &&
		user.login_count === 0 &&
		user.has_initial_password === 1 &&
		(await countOrdersOfUser(tx, user.id)) === 1 &&
		!(await hasFilesOrShares(tx, user.id))
	);
}

/** Returns the account of the new email: one that has this email, a new one, or `ownAccount` with its email changed. */
async function moveBuyer(
	deps: Deps,
	tx: Db,
	ownAccount: UserRow | null,
	to: { email: string; name: string; passwordHash: string },
): Promise<{ user: Pick<UserRow, 'id' | 'email'>; isNew: boolean }> {
	await createUserFromImportedLogin(deps, tx, emailKeyOf(to.email));
	if (ownAccount === null || (await findUserByEmail(tx, to.email)) !== undefined)
		return findOrCreateBuyer(deps, tx, to);
	await changeEmailOfUnusedUser(deps, tx, ownAccount, to);
	return { user: { id: ownAccount.id, email: to.email }, isNew: true };
}
