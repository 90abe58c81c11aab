import { limits } from '#contract/core/limits.ts';
import { type PurchaseField, purchase } from '#contract/storefront/storefront.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { hashPassword, newInitialPassword } from '../../platform/auth/passwords.ts';
import { rateLimits, takeAllowance } from '../../platform/auth/rate-limits.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { newId } from '../../platform/ids.ts';
import { decodePicture, encodePicture, PictureError } from '../../platform/pictures.ts';
import { type StoredBytes, safeSegment } from '../../platform/storage/storage.ts';
import {
	createPasswordLink,
	createUser,
	findUserByEmailForUpdate,
	firstLinkSeconds,
} from '../account/account.service.ts';
import { insertBlob } from '../files/files.service.ts';
import { enqueueMail } from '../mail/mail.service.ts';
import { placeOrder, publishOrders } from '../orders/orders.service.ts';

const pictureWidth = 2000;
const pictureHeight = 4000;
const thumbSize = 96;

/** The form as it came; the screenshot's bytes only as far as they are allowed. */
export interface PurchaseForm {
	values: Record<Exclude<PurchaseField, 'screenshot'>, string>;
	screenshot: { name: string; bytes: Buffer; isTooLarge: boolean } | null;
}

/**
 * A purchase: order, login and mail in one transaction, after the picture's bytes are safe. A new and a known address
 * cost the same and answer the same.
 * @throws AppError PURCHASE_INVALID with `fields`, TOO_MANY_PURCHASES
 */
export async function submitPurchase(deps: Deps, caller: Caller, form: PurchaseForm): Promise<void> {
	const parsed = purchase.safeParse(form.values);
	const fields: Record<string, string> = {};
	for (const issue of parsed.error?.issues ?? []) fields[String(issue.path[0])] ??= issue.message;
	const pictures = await readScreenshot(form.screenshot).catch((error: unknown) => {
		if (!(error instanceof ScreenshotError)) throw error;
		fields.screenshot = error.text;
		return null;
	});
	if (!parsed.success || pictures === null) throw new AppError('PURCHASE_INVALID', { fields });
	if (!(await takeAllowance(deps, rateLimits.purchasePerAddress, caller.ip))) {
		throw new AppError('TOO_MANY_PURCHASES', { retryAfterSeconds: rateLimits.purchasePerAddress.seconds });
	}

	const buyer = parsed.data;
	const password = firstPasswordFor(deps, buyer.name);
	// Hashed for a known address too: the time must not tell which it is.
	const passwordHash = await hashPassword(password);
	const base = `screenshots/${deps.clock.now().getTime()}_${newId()}-${safeSegment(form.screenshot?.name ?? '')}`;
	const full = await storePicture(deps, `${base}.webp`, pictures.full);
	const thumb = await storePicture(deps, `${base}-thumb.webp`, pictures.thumb);
	const userId = await inTransaction(deps.db, async (tx) => {
		const made = await createUser(deps, tx, {
			email: buyer.email,
			name: buyer.name,
			role: 'user',
			passwordHash,
			isInitialPassword: true,
		});
		const user = await findUserByEmailForUpdate(tx, buyer.email);
		if (user === undefined) throw new Error('The account of a purchase is not there.');
		for (const picture of [full, thumb]) await insertBlob(tx, { ...picture, created_at: isoAt(deps.clock) });
		const order = await placeOrder(deps, tx, caller, {
			userId: user.id,
			...buyer,
			blobId: full.id,
			thumbBlobId: thumb.id,
		});
		const link = await createPasswordLink(deps, tx, user.id, firstLinkSeconds);
		const mail = { to: user.email, locale: caller.locale, linkId: link.id, token: link.token, name: buyer.name, order };
		await enqueueMail(
			deps,
			tx,
			made === null ? { ...mail, kind: 'order-received' } : { ...mail, kind: 'credentials', password },
		);
		return user.id;
	}).catch(async (error: unknown) => {
		await Promise.all([full, thumb].map((picture) => deps.storage.remove(picture.storage_key)));
		throw error;
	});
	deps.wakeWorkers();
	publishOrders(deps, userId);
	deps.bus.publish({ kind: 'hint', audience: { to: 'admins' }, hint: { topic: 'users' } });
}

/** `BUYER_PASSWORD=name` keeps the specification's literal way; names under 6 characters get a random one all the same. */
function firstPasswordFor(deps: Deps, name: string): string {
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

/** Decodes and writes the picture anew, with a small form for the desk. @throws ScreenshotError */
async function readScreenshot(screenshot: PurchaseForm['screenshot']): Promise<{ full: Buffer; thumb: Buffer }> {
	if (screenshot === null) throw new ScreenshotError('error_screenshot_required');
	if (screenshot.isTooLarge) throw new ScreenshotError('error_screenshot_too_large');
	if (screenshot.bytes.length === 0) throw new ScreenshotError('error_screenshot_not_image');
	try {
		const picture = await decodePicture(screenshot.bytes);
		const full = await encodePicture(picture, pictureWidth, pictureHeight, 'webp');
		const thumb = await encodePicture(await decodePicture(full), thumbSize, thumbSize * 2, 'webp');
		return { full, thumb };
	} catch (error) {
		if (!(error instanceof PictureError)) throw error;
		throw new ScreenshotError(
			error.fault === 'too-large' ? 'error_screenshot_too_large' : 'error_screenshot_not_image',
		);
	}
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
