import type { Sharp } from 'sharp';
import type { UtrRequest } from '#contract/book/book-settings.ts';
import { limits } from '#contract/core/limits.ts';
import { checkoutInput } from '#contract/orders/checkout.ts';
import type { CheckoutField } from '#contract/orders/checkout-form.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import { hashPassword, newInitialPassword } from '../../../platform/auth/passwords/passwords.ts';
import { consumeRateLimit, rateLimits } from '../../../platform/auth/rate-limits/rate-limits.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { acquireNamedLock, inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { subscriberPrefixOf } from '../../../platform/http/ip-addresses.ts';
import { emailKeyOf, newId } from '../../../platform/ids.ts';
import { decodeImage, encodeImage, ImageError, shrinkImage } from '../../../platform/images/images.ts';
import { createFairLimiter } from '../../../platform/locking/concurrency-limiter.ts';
import type { NewBlob } from '../../../platform/storage/blobs.queries.ts';
import { toKeySegment } from '../../../platform/storage/storage.ts';
import {
	createUser,
	createUserFromImportedLogin,
	findUserByEmailForUpdate,
	type UserRow,
} from '../../accounts/index.ts';
import { getBook } from '../../book/index.ts';
import { enqueueMail, findOwnerMailRecipient, type MailOrder, sanitizeMailName } from '../../mail/index.ts';
import { pictureKeyOf } from '../duplicate-proofs/duplicate-proofs.service.ts';
import { mailLogin } from '../order-page/login-mail.ts';
import { findTestOrder } from '../orders.queries.ts';
import { publishOrders } from '../orders.service.ts';
import { recordSubmission } from './order-submission.ts';
import {
	emailAndIpAddress,
	getProofMaxBytes,
	type ProofSender,
	proofMaxBytes,
	takeProofBytes,
} from './payment-proof-size.ts';

const pictureWidth = 2000;
const pictureHeight = 4000;
const thumbSize = 96;

/**
 * Queue for screenshots of the usual size. It processes one at a time, because decoding and encoding need 30 to 60 MB.
 * The networks of the senders take turns, and each screenshot takes some tenths of a second at most, so that many
 * screenshots of one network hardly delay those of others.
 */
const regularImageQueue = createFairLimiter(1);
/** Queue for pictures that are large or must be reduced a lot. They take seconds, and must not delay others. */
const expensiveImageQueue = createFairLimiter(1);
/** More pixels than almost any phone's screen has. */
const expensivePixels = 5_000_000;

/** The form as received. The bytes of a screenshot that is too large are empty. */
export interface CheckoutForm {
	values: Record<Exclude<CheckoutField, 'screenshot'>, string>;
	screenshot: { name: string; bytes: Buffer; isTooLarge: boolean } | null;
}

/**
 * Records a purchase: order, login and mail in one transaction, after the picture's bytes are stored. New and known
 * addresses take the same time and get the same response. `isTest`: places the test order, which uses up no allowance
 * and of which the owner is not mailed.
 * @returns the token of the submission's own status page
 * @throws AppError PURCHASE_INVALID with `fields`, TOO_MANY_PURCHASES, STORAGE_FULL; for a test order also
 * TEST_PURCHASE_EXISTS and TEST_BUYER_KNOWN with `fields`
 */
export async function placeOrder(deps: Deps, caller: Caller, form: CheckoutForm, isTest = false): Promise<string> {
	const parsed = checkoutInput.safeParse(form.values);
	const fields: Record<string, string> = {};
	for (const issue of parsed.error?.issues ?? []) fields[String(issue.path[0])] ??= issue.message;
	const { utrRequest } = await getBook(deps, deps.db);
	if (!isTest && isUtrMissing(utrRequest, form.values.utr)) fields.utr = 'error_field_required';
	const sender = { caller, email: form.values.email, isTest };
	const pictures = await processScreenshot(deps, sender, form.screenshot, fields);
	if (!parsed.success) throw new AppError('PURCHASE_INVALID', { fields });

	const buyer = parsed.data;
	const password = initialPasswordFor(deps, buyer.name);
	// The password is hashed for a known address too, so that the time does not reveal whether the address is known.
	const passwordHash = await hashPassword(password);
	const stored = await storeProofPictures(deps, form.screenshot?.name ?? '', pictures);
	const isMailAllowed =
		isTest || (await consumeRateLimit(deps, rateLimits.orderMailPerEmailAndIpAddress, emailAndIpAddress(sender)));
	const { userId, token } = await inTransaction(deps.db, async (tx) => {
		if (isTest) await requireNoTestOrder(tx);
		const { user, isNew } = await findOrCreateBuyer(deps, tx, { ...buyer, passwordHash });
		if (isTest && !isNew) throw knownTestBuyer();
		const submission = { ...buyer, ...stored, userId: user.id, madeAccount: isNew, isTest };
		const placed = await recordSubmission(deps, tx, caller, submission);
		// A first password is always mailed. Another mail may be omitted, because the status page can send the login again.
		if (isNew || isMailAllowed) {
			await mailLogin(deps, tx, caller, {
				user,
				name: buyer.name,
				password: isNew ? password : null,
				orderId: placed.orderId,
				lines: placed.summary,
				linkId: placed.link.id,
			});
		}
		if (placed.isNew && !isTest) await mailOwner(deps, tx, buyer, placed.summary);
		return { userId: user.id, token: placed.link.token };
	});
	deps.wakeWorkers();
	publishOrders(deps, userId);
	deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'users' } });
	return token;
}

/** Returns whether the reference is empty although the owner requires one. */
export function isUtrMissing(request: UtrRequest, utr: string): boolean {
	return request === 'required' && utr.trim() === '';
}

async function mailOwner(deps: Deps, tx: Db, { name, email }: { name: string; email: string }, order: MailOrder) {
	const owner = await findOwnerMailRecipient(tx, 'isOrderMailed');
	if (owner !== null)
		await enqueueMail(deps, tx, { ...owner, kind: 'new-order', name: sanitizeMailName(name), email, order });
}

/** @throws AppError TEST_PURCHASE_EXISTS */
export async function requireNoTestOrder(tx: Db): Promise<void> {
	await acquireNamedLock(tx, 'test-purchase');
	if ((await findTestOrder(tx)) !== undefined) throw new AppError('TEST_PURCHASE_EXISTS');
}

export function knownTestBuyer(): AppError {
	return new AppError('TEST_BUYER_KNOWN', { fields: { email: 'error_test_buyer_known' } });
}

interface ProofPictures {
	/** The picture to store; {@link shrinkToAllowance} reduces it to the sender's allowance. */
	full: Buffer;
	thumb: Buffer;
	/** Key of the picture before the reduction. */
	pictureKey: string;
}

/** Checks and re-encodes a screenshot. @throws AppError PURCHASE_INVALID, TOO_MANY_PURCHASES, STORAGE_FULL */
export async function processScreenshot(
	deps: Deps,
	sender: ProofSender,
	upload: CheckoutForm['screenshot'],
	fields: Record<string, string> = {},
): Promise<ProofPictures> {
	if (upload === null) fields.screenshot = 'error_screenshot_required';
	// Only the header is decoded here.
	const screenshot = upload && (await decodeImage(upload.bytes).catch(collectScreenshotError(fields)));
	if (upload?.isTooLarge) fields.screenshot = 'error_screenshot_too_large';
	if (screenshot === null || Object.keys(fields).length > 0) throw new AppError('PURCHASE_INVALID', { fields });
	// The allowance is taken before the pixels are decoded, because decoding is expensive.
	if (!sender.isTest) await takeCheckoutAllowance(deps, sender.caller);
	await getProofMaxBytes(deps, sender);
	const rewritten = await reencodeScreenshot(sender, screenshot).catch(collectScreenshotError(fields));
	if (rewritten === null) throw new AppError('PURCHASE_INVALID', { fields });
	return shrinkToAllowance(deps, sender, rewritten);
}

/** Reduces a picture to the size that the sender may still store, and deducts the bytes from the allowances. */
async function shrinkToAllowance(deps: Deps, sender: ProofSender, rewritten: ProofPictures): Promise<ProofPictures> {
	const { full: large, thumb } = rewritten;
	const queue = large.length > proofMaxBytes ? expensiveImageQueue : regularImageQueue;
	// Repeated if concurrent requests have used up some of the allowance, so that the maximum size is now lower.
	for (;;) {
		const maxBytes = (await getProofMaxBytes(deps, sender)) - thumb.length;
		const shrink = () => queue.run(subscriberPrefixOf(sender.caller.ip), () => shrinkImage(large, maxBytes));
		const full = large.length <= maxBytes ? large : await shrink();
		if (await takeProofBytes(deps, sender, full.length + thumb.length)) return { ...rewritten, full };
	}
}

/** @throws AppError TOO_MANY_PURCHASES */
export async function takeCheckoutAllowance(deps: Deps, caller: Caller): Promise<void> {
	if (!(await consumeRateLimit(deps, rateLimits.checkoutPerIpAddress, caller.ip)))
		throw new AppError('TOO_MANY_PURCHASES', { retryAfterSeconds: rateLimits.checkoutPerIpAddress.seconds });
}

/** Stores the pictures. The caller then inserts the rows that refer to them. */
export async function storeProofPictures(deps: Deps, name: string, { full, thumb, pictureKey }: ProofPictures) {
	const base = `screenshots/${deps.clock.now().getTime()}_${newId()}-${toKeySegment(name)}`;
	return {
		full: await storePicture(deps, `${base}.webp`, full),
		thumb: await storePicture(deps, `${base}-thumb.webp`, thumb),
		pictureKey,
	};
}

/** Returns the buyer's account, locked; creates the account if there is none. */
export async function findOrCreateBuyer(
	deps: Deps,
	tx: Db,
	buyer: { email: string; name: string; passwordHash: string },
): Promise<{ user: UserRow; isNew: boolean }> {
	// Tried twice, because an existing account may be deleted between the refused insert and the lock.
	for (const _try of [1, 2]) {
		// An imported login becomes an account first, so that its password is not changed.
		await createUserFromImportedLogin(deps, tx, emailKeyOf(buyer.email));
		const createdId = await createUser(deps, tx, { ...buyer, role: 'user', isInitialPassword: true });
		const user = await findUserByEmailForUpdate(tx, buyer.email);
		if (user !== undefined) return { user, isNew: createdId !== null };
	}
	throw new Error('The account of this purchase was neither found nor created.');
}

/** Returns a first password: random, or with `BUYER_PASSWORD=name` the buyer's name if its length is allowed. */
export function initialPasswordFor(deps: Deps, name: string): string {
	const isUsable =
		deps.config.BUYER_PASSWORD === 'name' &&
		[...name].length >= limits.passwordMinLength &&
		name.length <= limits.passwordMaxLength;
	return isUsable ? name : newInitialPassword();
}

/** Returns a catch handler that stores a screenshot error in `fields` and rethrows any other error. */
function collectScreenshotError(fields: Record<string, string>) {
	return (error: unknown): null => {
		if (!(error instanceof ImageError)) throw error;
		fields.screenshot = error.reason === 'too-large' ? 'error_screenshot_too_large' : 'error_screenshot_not_image';
		return null;
	};
}

/** Re-encodes a picture and makes its thumbnail. @throws ImageError */
async function reencodeScreenshot({ caller }: ProofSender, picture: Sharp): Promise<ProofPictures> {
	const { width, height } = await picture.metadata();
	const queue = width * height > expensivePixels ? expensiveImageQueue : regularImageQueue;
	return queue.run(subscriberPrefixOf(caller.ip), async () => {
		const full = await encodeImage(picture, pictureWidth, pictureHeight, 'webp');
		const thumb = await encodeImage(await decodeImage(full), thumbSize, thumbSize * 2, 'webp');
		return { full, thumb, pictureKey: pictureKeyOf(full) };
	});
}

async function storePicture(deps: Deps, storageKey: string, bytes: Buffer): Promise<NewBlob> {
	return { id: newId(), storageKey, ...(await deps.storage.put(storageKey, bytes)), contentType: 'image/webp' };
}
