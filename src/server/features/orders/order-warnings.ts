import { upiIdPattern } from '#contract/book/book-settings.ts';
import type { Order } from '#contract/orders/orders.ts';
import { toAsciiDigits } from '#shared/numbers.ts';

/** Matches an Indian mobile number in any usual grouping, or a foreign one with its country code, in ASCII digits. */
const phonePattern = /^(?:(?:\+?91|0)[\s-]*)?[6-9](?:[\s-]*\d){9}$|^\+\d(?:[\s-]*\d){6,14}$/u;

/** Matches the reference of a UPI payment (12 digits), of RTGS (22 characters) or NEFT (16). */
const utrPattern = /^(?:\d{12}|[A-Z]\d{15}|[A-Z]{4}[A-Z0-9]{12}|[A-Z]{4}[A-Z0-9]{18})$/u;

/** Matches letters and combining marks of any script, with the punctuation used in names. */
const namePattern = /^[\p{L}\p{M}][\p{L}\p{M} .'’‘,()/&-]*$/u;
const nameMaxLength = 100;
/** Matches characters that are not displayed. Unicode classifies some of them as letters, which names may have. */
const invisibleCharacter = /\p{Default_Ignorable_Code_Point}/u;

/** Normalises a payment reference to its letters and digits, in upper case and without grouping. */
export function normalizeUtr(typed: string): string {
	return visibleCharacters(typed)
		.replace(/[^\p{L}\p{N}]/gu, '')
		.toUpperCase();
}

/**
 * Returns the form of a reference for comparisons: its number of 12 digits (UPI, IMPS) if it has exactly one, otherwise
 * the whole normalised text.
 */
export function comparableUtr(typed: string): string {
	const plain = normalizeUtr(typed);
	return findOnlyNumber(visibleCharacters(typed).split(/[^\p{L}\p{N}]+/u)) ?? findOnlyNumber([plain]) ?? plain;
}

/** Returns the number of 12 digits if the words have only one. Letters and zeros may precede it; letters may follow. */
function findOnlyNumber(words: readonly string[]): string | undefined {
	const numbers = new Set(words.flatMap((word) => /^\p{L}*0*(\d{12})\p{L}*$/u.exec(word)?.[1] ?? []));
	return numbers.size === 1 ? [...numbers][0] : undefined;
}

/** Removes combining marks and invisible characters, and converts digits to ASCII. */
function visibleCharacters(typed: string): string {
	return toAsciiDigits(typed.normalize('NFKD').replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, ''));
}

export function isUnusualUtr(utr: string): boolean {
	return !utrPattern.test(normalizeUtr(utr));
}

/** Returns the fields that the owner should check. Orders are not refused because of them. */
export function findOrderWarnings(order: {
	name: string;
	phone: string;
	upiId: string;
	utr: string | null;
}): Order['oddFields'] {
	const warnings: Order['oddFields'] = [];
	const name = order.name.trim();
	if (!namePattern.test(name) || invisibleCharacter.test(name) || name.length > nameMaxLength) warnings.push('name');
	if (!phonePattern.test(toAsciiDigits(order.phone.normalize('NFKC')).trim())) warnings.push('phone');
	if (!upiIdPattern.test(order.upiId.trim())) warnings.push('upiId');
	if (order.utr !== null && isUnusualUtr(order.utr)) warnings.push('utr');
	return warnings;
}
