import type { Sharp } from 'sharp';
import { limits } from '#contract/core/limits.ts';
import { type PurchaseField, purchase } from '#contract/storefront/storefront.ts';
import type { Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Caller } from '../../platform/actor.ts';
import { lineOf } from '../../platform/addresses.ts';
import { AppError } from '../../platform/app-error.ts';
import { hashPassword, newInitialPassword } from '../../platform/auth/passwords.ts';
import { rateLimits, takeAllowance } from '../../platform/auth/rate-limits.ts';
import { createFairTurns } from '../../platform/auth/turns.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { newId } from '../../platform/ids.ts';
import { decodePicture, encodePicture, PictureError, shrinkPicture } from '../../platform/pictures.ts';
import { type StoredBytes, safeSegment } from '../../platform/storage/storage.ts';
import {
	createUser,
	emailKeyOf,
	findUserByEmailForUpdate,
	makeProfileOfImport,
	type UserRow,
} from '../account/account.service.ts';
import { createPasswordLink, firstLinkSeconds } from '../account/password-links.service.ts';
import { insertBlob } from '../files/files.service.ts';
import { enqueueMail, mailedName } from '../mail/mail.service.ts';
import { createMailLink } from '../orders/order-links.service.ts';
import { publishOrders } from '../orders/orders.service.ts';
import { type PlacedOrder, placeOrder } from '../orders/orders-place.service.ts';
import { recognisePicture, type SeenPicture } from '../orders/proof-marks.service.ts';
import { findOrderMailTo } from '../settings/mail-settings.service.ts';
import { findProofMaxBytes, type ProofSender, proofMaxBytes, takeProofBytes } from './proof-size.service.ts';

const pictureWidth = 2000;
const pictureHeight = 4000;
const thumbSize = 96;

/**
 * A screenshot takes 30 to 60 MB while it is decoded and written anew: one at a time, as its memory is what several at
 * once would cost. The addresses that they come from take turns, and one of a phone takes a few tenths of a second at
 * most: a buyer waits for one or two of them, whatever others send.
 */
const usualPictures = createFairTurns(1);
/** Larger pictures, and those that have to be made much smaller: seconds each. They wait for each other alone. */
const costlyPictures = createFairTurns(1);
/** More pixels than any phone's screen has. */
const costlyPixels = 5_000_000;

/** The form as it came; the screenshot's bytes only as far as they are allowed. */
export interface PurchaseForm {
	values: Record<Exclude<PurchaseField, 'screenshot'>, string>;
	screenshot: { name: string; bytes: Buffer; isTooLarge: boolean } | null;
}

/**
 * A purchase: order, login and mail in one transaction, after the picture's bytes are safe. A new and a known address
 * cost the same and answer the same.
 * @returns the token of the submission's own status page
 * @throws AppError PURCHASE_INVALID with `fields`, TOO_MANY_PURCHASES, STORAGE_FULL
 */
export async function submitPurchase(deps: Deps, caller: Caller, form: PurchaseForm): Promise<string> {
	const parsed = purchase.safeParse(form.values);
	const fields: Record<string, string> = {};
	for (const issue of parsed.error?.issues ?? []) fields[String(issue.path[0])] ??= issue.message;
	const sender = { caller, email: form.values.email };
	const pictures = await takePictures(deps, sender, form.screenshot, fields);
	if (!parsed.success) throw new AppError('PURCHASE_INVALID', { fields });

	const buyer = parsed.data;
	const password = firstPasswordFor(deps, buyer.name);
	// Hashed for a known address too: the time must not tell which it is.
	const passwordHash = await hashPassword(password);
	const { full, thumb } = await storePictures(deps, form.screenshot?.name ?? '', pictures);
	const inbox = `${emailKeyOf(buyer.email)} ${lineOf(caller.ip)}`;
	const mayMail = await takeAllowance(deps, rateLimits.orderMailPerAccount, inbox);
	const { userId, token } = await inTransaction(deps.db, async (tx) => {
		const { user, isNew } = await findOrCreateBuyer(deps, tx, { ...buyer, passwordHash });
		for (const picture of [full, thumb]) await insertBlob(tx, { ...picture, created_at: isoAt(deps.clock) });
		const { orderId, lines, link, ...placed } = await placeOrder(deps, tx, caller, {
			userId: user.id,
			...buyer,
			blobId: full.id,
			thumbBlobId: thumb.id,
			madeAccount: isNew,
			picture: pictures.seen,
		});
		// A first password always goes out; whoever has one reads on the page what a further mail would say.
		if (isNew || mayMail) {
			await mailLogin(deps, tx, caller, {
				user,
				name: buyer.name,
				password: isNew ? password : null,
				orderId,
				lines,
				linkId: link.id,
			});
		}
		if (placed.isNew) await tellOwner(deps, tx, buyer, lines);
		return { userId: user.id, token: link.token };
	});
	deps.wakeWorkers();
	publishOrders(deps, userId);
	deps.bus.publish({ kind: 'hint', audience: { to: 'admins' }, hint: { topic: 'users' } });
	return token;
}

/** The mail after a submission: with the first password of a new account, else with a link to set another. */
export async function mailLogin(
	deps: Deps,
	tx: Db,
	caller: Caller,
	told: {
		user: { id: string; email: string };
		name: string;
		/** Null for an account that has one already. */
		password: string | null;
		orderId: string;
		lines: PlacedOrder;
		/** The submission. */
		linkId: string;
	},
): Promise<void> {
	const { user, password } = told;
	const link = await createPasswordLink(deps, tx, user.id, firstLinkSeconds);
	const mail = {
		to: user.email,
		locale: caller.locale,
		linkId: link.id,
		token: link.token,
		name: mailedName(told.name),
		order: told.lines,
		statusToken: (await createMailLink(deps, tx, told.orderId, told.linkId)).token,
	};
	await enqueueMail(
		deps,
		tx,
		password === null ? { ...mail, kind: 'order-received' } : { ...mail, kind: 'credentials', password },
		{ orderLinkId: told.linkId },
	);
}

/** The owner hears of a new order, if they like. */
async function tellOwner(deps: Deps, tx: Db, buyer: { name: string; email: string }, order: PlacedOrder) {
	const owner = await findOrderMailTo(tx);
	if (owner === null) return;
	await enqueueMail(deps, tx, { ...owner, kind: 'new-order', name: mailedName(buyer.name), email: buyer.email, order });
}

/** A screenshot's pictures, written anew. */
export interface ProofPictures {
	/** As it is stored. */
	full: Buffer;
	thumb: Buffer;
	/** Compared with earlier proofs, before it was made smaller. */
	seen: SeenPicture;
}

/**
 * Looks at a screenshot and decodes it, out of the allowances of the sender; `fields` is what else is wrong with the
 * form.
 * @throws AppError PURCHASE_INVALID with `fields`, TOO_MANY_PURCHASES, STORAGE_FULL
 */
export async function takePictures(
	deps: Deps,
	sender: ProofSender,
	upload: PurchaseForm['screenshot'],
	fields: Record<string, string> = {},
): Promise<ProofPictures> {
	const screenshot = await inspectScreenshot(upload).catch(noteScreenshotError(fields));
	if (screenshot === null || Object.keys(fields).length > 0) throw new AppError('PURCHASE_INVALID', { fields });
	// Before the pixels are decoded: that is work, and nobody may ask for it without end.
	await takePurchaseAllowance(deps, sender.caller);
	await requireProofMaxBytes(deps, sender);
	const rewritten = await rewriteInTurn(deps, sender, screenshot).catch(noteScreenshotError(fields));
	if (rewritten === null) throw new AppError('PURCHASE_INVALID', { fields });
	return fitPictures(deps, sender, rewritten);
}

/** Makes the stored picture as small as the sender's next proof has to be, and takes its bytes from their allowances. */
async function fitPictures(deps: Deps, sender: ProofSender, rewritten: ProofPictures): Promise<ProofPictures> {
	const { full: large, thumb } = rewritten;
	const turns = large.length > proofMaxBytes ? costlyPictures : usualPictures;
	// A further round means that requests at the same time took some of the allowance: the size is lower then.
	for (;;) {
		const maxBytes = (await requireProofMaxBytes(deps, sender)) - thumb.length;
		const full =
			large.length <= maxBytes
				? large
				: await turns.run(lineOf(sender.caller.ip), () => shrinkPicture(large, maxBytes));
		if (await takeProofBytes(deps, sender, full.length + thumb.length)) return { ...rewritten, full };
	}
}

/** @throws AppError PURCHASE_INVALID with words beside the screenshot, STORAGE_FULL */
async function requireProofMaxBytes(deps: Deps, sender: ProofSender): Promise<number> {
	const maxBytes = await findProofMaxBytes(deps, sender);
	if (maxBytes === null) throw new AppError('PURCHASE_INVALID', { fields: { screenshot: 'error_screenshots_of_day' } });
	return maxBytes;
}

/** @throws AppError TOO_MANY_PURCHASES */
export async function takePurchaseAllowance(deps: Deps, caller: Caller): Promise<void> {
	if (!(await takeAllowance(deps, rateLimits.purchasePerAddress, caller.ip)))
		throw new AppError('TOO_MANY_PURCHASES', { retryAfterSeconds: rateLimits.purchasePerAddress.seconds });
}

/** Makes the bytes safe, before any row points at them. */
export async function storePictures(deps: Deps, name: string, pictures: Pick<ProofPictures, 'full' | 'thumb'>) {
	const base = `screenshots/${deps.clock.now().getTime()}_${newId()}-${safeSegment(name)}`;
	return {
		full: await storePicture(deps, `${base}.webp`, pictures.full),
		thumb: await storePicture(deps, `${base}-thumb.webp`, pictures.thumb),
	};
}

/** The buyer's account, locked: the one there is, else a new one. */
export async function findOrCreateBuyer(
	deps: Deps,
	tx: Db,
	buyer: { email: string; name: string; passwordHash: string },
): Promise<{ user: UserRow; isNew: boolean }> {
	// Twice, for an account that stood in the way of a new one and was deleted before it could be locked.
	for (const _try of [1, 2]) {
		// An imported login is an account already: its password is not touched.
		await makeProfileOfImport(deps, tx, emailKeyOf(buyer.email));
		const made = await createUser(deps, tx, { ...buyer, role: 'user', isInitialPassword: true });
		const user = await findUserByEmailForUpdate(tx, buyer.email);
		if (user !== undefined) return { user, isNew: made !== null };
	}
	throw new Error('The account of a purchase is not there.');
}

/** `BUYER_PASSWORD=name` keeps the specification's literal way; names under 6 characters get a random one all the same. */
export function firstPasswordFor(deps: Deps, name: string): string {
	const isUsable =
		deps.config.BUYER_PASSWORD === 'name' &&
		[...name].length >= limits.passwordMinLength &&
		name.length <= limits.passwordMaxLength;
	return isUsable ? name : newInitialPassword();
}

class ScreenshotError extends Error {
	override name = 'ScreenshotError';
	/** Key of the sentence in the message files. */
	readonly text: string;
	constructor(text: string) {
		super(text);
		this.text = text;
	}
}

/** Remembers what is wrong with the screenshot beside its field. */
function noteScreenshotError(fields: Record<string, string>) {
	return (error: unknown): null => {
		const fault = error instanceof PictureError ? new ScreenshotError(textOfFault(error.fault)) : error;
		if (!(fault instanceof ScreenshotError)) throw fault;
		fields.screenshot = fault.text;
		return null;
	};
}

function textOfFault(fault: PictureError['fault']): string {
	return fault === 'too-large' ? 'error_screenshot_too_large' : 'error_screenshot_not_image';
}

/** Looks at the size and the header only. @throws ScreenshotError, PictureError */
async function inspectScreenshot(screenshot: PurchaseForm['screenshot']): Promise<Sharp> {
	if (screenshot === null) throw new ScreenshotError('error_screenshot_required');
	if (screenshot.isTooLarge) throw new ScreenshotError('error_screenshot_too_large');
	if (screenshot.bytes.length === 0) throw new ScreenshotError('error_screenshot_not_image');
	return decodePicture(screenshot.bytes);
}

/** {@link rewriteScreenshot}, one at a time. A costly one that waits for others keeps no usual one waiting. */
async function rewriteInTurn(deps: Deps, { caller }: ProofSender, picture: Sharp): Promise<ProofPictures> {
	const { width, height } = await picture.metadata();
	const turns = width * height > costlyPixels ? costlyPictures : usualPictures;
	return turns.run(lineOf(caller.ip), () => rewriteScreenshot(deps, picture));
}

/** Decodes the pixels and writes them anew, with a small form for the desk; looks for earlier ones. @throws PictureError */
async function rewriteScreenshot(deps: Deps, picture: Sharp): Promise<ProofPictures> {
	const full = await encodePicture(picture, pictureWidth, pictureHeight, 'webp');
	const thumb = await encodePicture(await decodePicture(full), thumbSize, thumbSize * 2, 'webp');
	return { full, thumb, seen: await recognisePicture(deps, full) };
}

async function storePicture(deps: Deps, storageKey: string, bytes: Buffer) {
	const stored: StoredBytes = await deps.storage.put(storageKey, bytes);
	return {
		id: newId(),
		storage_key: storageKey,
		size_bytes: stored.sizeBytes,
		sha256: stored.sha256,
		content_type: 'image/webp',
	};
}
