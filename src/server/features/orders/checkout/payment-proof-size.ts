import type { Caller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import { emailKeyOf } from '../../../platform/auth/email-key.ts';
import { consumeRateLimit, getRemainingAllowance, rateLimits } from '../../../platform/auth/rate-limits/rate-limits.ts';
import type { Deps } from '../../../platform/deps.ts';
import { createRegistration } from '../../../platform/registration.ts';
import {
	databaseReserveBytes,
	freeBytesFor,
	isCheckoutSpaceLow,
	listDiskSpaces,
} from '../../../platform/storage/free-space.ts';

/** The most bytes that a stored payment proof has, its thumbnail included. */
export const proofMaxBytes = 1_000_000;
/** The same while less than a tenth of the reserve for purchases is left. */
const smallProofMaxBytes = 150_000;
/** The same once that reserve is used up: a payment app's receipt can still be read. */
const smallestProofMaxBytes = 40_000;

/** With less free space than this, purchases are refused too: the other half of the database's reserve is for rows and mails. */
const minimumFreeBytes = databaseReserveBytes / 2;

/** Mails the owner that space runs low; never fails. Maintenance does it. */
export const lowSpaceWarning = createRegistration<(deps: Deps) => Promise<void>>('warning of low space');

/** Whose allowances a proof counts against. */
export interface ProofSender {
	caller: Caller;
	/** As it was typed, whether or not it has an account. */
	email: string;
}

/**
 * The most bytes that the next proof may have, by the space that is left and by what the sender's network and email have
 * stored today; null when they have used up their allowance. Nothing is taken yet.
 * @throws AppError STORAGE_FULL when there is no space for any purchase
 */
export async function findProofMaxBytes(deps: Deps, { caller, email }: ProofSender): Promise<number | null> {
	const maxBytes = await requireProofSpace(deps);
	const kilobytes = Math.min(
		await getRemainingAllowance(deps, rateLimits.proofKilobytesPerAddress, caller.ip),
		await getRemainingAllowance(deps, rateLimits.proofKilobytesPerEmail, emailKeyOf(email)),
	);
	const allowedBytes = kilobytes * 1024;
	return allowedBytes < smallestProofMaxBytes ? null : Math.min(maxBytes, allowedBytes);
}

/** Takes a proof's bytes from the sender's allowances. @returns false when requests at the same time have left too little */
export async function takeProofBytes(deps: Deps, { caller, email }: ProofSender, sizeBytes: number): Promise<boolean> {
	const kilobytes = Math.ceil(sizeBytes / 1024);
	return (
		// The address first: an attacker who has used up their own allowance cannot use up that of another person's email.
		(await consumeRateLimit(deps, rateLimits.proofKilobytesPerAddress, caller.ip, kilobytes)) &&
		(await consumeRateLimit(deps, rateLimits.proofKilobytesPerEmail, emailKeyOf(email), kilobytes))
	);
}

/**
 * The most bytes of a proof by the space that is left on the tighter disk, that of the files or of the embedded database;
 * mails the owner when that is low. @throws AppError STORAGE_FULL
 */
async function requireProofSpace(deps: Deps): Promise<number> {
	const spaces = await listDiskSpaces(deps);
	const isLow = spaces.some(isCheckoutSpaceLow);
	if (isLow) await lowSpaceWarning()(deps);
	if (spaces.some(({ freeBytes }) => freeBytes < minimumFreeBytes)) throw new AppError('STORAGE_FULL');
	if (!isLow) return proofMaxBytes;
	const purchaseBytes = Math.min(...spaces.map((space) => freeBytesFor('purchase', space)));
	return purchaseBytes < smallProofMaxBytes ? smallestProofMaxBytes : smallProofMaxBytes;
}
