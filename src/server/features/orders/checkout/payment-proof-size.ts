import type { Caller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import { consumeRateLimit, getRemainingAllowance, rateLimits } from '../../../platform/auth/rate-limits/rate-limits.ts';
import { createRegistration, type Deps } from '../../../platform/deps.ts';
import { subscriberPrefixOf } from '../../../platform/http/ip-addresses.ts';
import { emailKeyOf } from '../../../platform/ids.ts';
import {
	databaseReserveBytes,
	freeBytesFor,
	isCheckoutSpaceLow,
	listDiskSpaces,
} from '../../../platform/storage/free-space.ts';

/** Maximum bytes of a stored payment proof, including its thumbnail. */
export const proofMaxBytes = 1_000_000;
/** Maximum bytes while less than a tenth of the reserve for payment screenshots is left. */
const smallProofMaxBytes = 150_000;
/** Maximum bytes while less than 150 KB of this reserve is left. A payment app's receipt is still readable. */
const smallestProofMaxBytes = 40_000;

/** Purchases are refused while fewer bytes are free. This part of the database's reserve is for rows and mails. */
const minimumFreeBytes = databaseReserveBytes / 2;

/** Mails the owner that space is low, and never fails. Registered by maintenance. */
export const lowSpaceWarning = createRegistration<(deps: Deps) => Promise<void>>('warning of low space');

/** The sender of a proof. The IP address and the email have allowances. */
export interface ProofSender {
	caller: Caller;
	/** The email as typed, whether or not it has an account. */
	email: string;
	/** Whether the proof is for the test order. It uses up no allowance. */
	isTest?: boolean;
}

/** Returns the rate limit subject of an email together with the sender's network. */
export function emailAndIpAddress({ caller, email }: ProofSender): string {
	return `${emailKeyOf(email)} ${subscriberPrefixOf(caller.ip)}`;
}

/**
 * Returns the maximum bytes of the next proof, by the free space and the daily allowances of the sender's network and
 * email. If the email's allowance is used up, each network may still send a few small proofs, so that strangers cannot
 * block a buyer. Deducts nothing.
 * @throws AppError STORAGE_FULL when there is no space for any purchase, PURCHASE_INVALID when the allowances are used
 * up
 */
export async function getProofMaxBytes(deps: Deps, sender: ProofSender): Promise<number> {
	const maxBytes = await requireProofSpace(deps);
	if (sender.isTest) return maxBytes;
	const [ofIpAddress, ofEmail, ofBoth] = await Promise.all([
		getRemainingAllowance(deps, rateLimits.proofKilobytesPerIpAddress, sender.caller.ip),
		getRemainingAllowance(deps, rateLimits.proofKilobytesPerEmail, emailKeyOf(sender.email)),
		getRemainingAllowance(deps, rateLimits.proofKilobytesPerEmailAndIpAddress, emailAndIpAddress(sender)),
	]);
	const allowedBytes = Math.min(ofIpAddress, ofEmail) * 1024;
	if (allowedBytes >= smallestProofMaxBytes) return Math.min(maxBytes, allowedBytes);
	if (Math.min(ofIpAddress, ofBoth) * 1024 >= smallestProofMaxBytes) return smallestProofMaxBytes;
	throw new AppError('PURCHASE_INVALID', { fields: { screenshot: 'error_screenshots_of_day' } });
}

/** Deducts a proof's bytes from the sender's allowances. @returns false when too little is left */
export async function takeProofBytes(deps: Deps, sender: ProofSender, sizeBytes: number): Promise<boolean> {
	if (sender.isTest) return true;
	const kilobytes = Math.ceil(sizeBytes / 1024);
	// The IP address's allowance is consumed first. An attacker who has used it up cannot use up those of emails.
	if (!(await consumeRateLimit(deps, rateLimits.proofKilobytesPerIpAddress, sender.caller.ip, kilobytes))) return false;
	if (await consumeRateLimit(deps, rateLimits.proofKilobytesPerEmail, emailKeyOf(sender.email), kilobytes)) return true;
	if (sizeBytes > smallestProofMaxBytes) return false;
	return consumeRateLimit(deps, rateLimits.proofKilobytesPerEmailAndIpAddress, emailAndIpAddress(sender), kilobytes);
}

/**
 * Returns the maximum bytes of a proof, by the free space of the fuller disk (files or embedded database). Mails the
 * owner when space is low.
 * @throws AppError STORAGE_FULL
 */
async function requireProofSpace(deps: Deps): Promise<number> {
	const spaces = await listDiskSpaces(deps);
	const isLow = spaces.some(isCheckoutSpaceLow);
	if (isLow) await lowSpaceWarning()(deps);
	if (spaces.some(({ freeBytes }) => freeBytes < minimumFreeBytes)) throw new AppError('STORAGE_FULL');
	if (!isLow) return proofMaxBytes;
	const checkoutBytes = Math.min(...spaces.map((space) => freeBytesFor('checkout', space)));
	return checkoutBytes < smallProofMaxBytes ? smallestProofMaxBytes : smallProofMaxBytes;
}
