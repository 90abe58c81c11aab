import { upiIdPattern } from '#contract/book/book-settings.ts';
import type { Order } from '#contract/orders/orders.ts';
import { toAsciiDigits } from '#shared/digits.ts';

/** An Indian mobile number in any usual grouping, or a foreign one with its country's code; its figures may be of any writing. */
const phonePattern = /^(?:(?:\+?91|0)[\s-]*)?[6-9](?:[\s-]*\d){9}$|^\+\d(?:[\s-]*\d){6,14}$/u;

/** A UPI payment's reference (12 digits), or that of a bank transfer: RTGS (22 signs) and NEFT (16, from some banks a letter and figures). */
const utrPattern = /^(?:\d{12}|[A-Z]\d{15}|[A-Z]{4}[A-Z0-9]{12}|[A-Z]{4}[A-Z0-9]{18})$/u;

/** Letters and marks of any writing, with what stands between names. */
const namePattern = /^[\p{L}\p{M}][\p{L}\p{M} .'’‘,()/&-]*$/u;
const nameMaxLength = 100;
/** A letter to the rules of writing, and nothing to the eye. */
const invisibleCharacter = /\p{Default_Ignorable_Code_Point}/u;

/** A payment's reference as it counts: figures and letters, however they were typed and grouped. */
export function normalizeUtr(typed: string): string {
	return visibleCharacters(typed)
		.replace(/[^\p{L}\p{N}]/gu, '')
		.toUpperCase();
}

/**
 * By what two references are the same: the one number of 12 figures (UPI, IMPS) in the text, whatever words stand beside
 * it or zeros fill it up; else all of it, plain.
 */
export function comparableUtr(typed: string): string {
	const plain = normalizeUtr(typed);
	return findOnlyNumber(visibleCharacters(typed).split(/[^\p{L}\p{N}]+/u)) ?? findOnlyNumber([plain]) ?? plain;
}

/** Letters may stick to it; what has figures on both sides of a letter is another reference. */
function findOnlyNumber(words: readonly string[]): string | undefined {
	const found = new Set(words.flatMap((word) => /^\p{L}*0*(\d{12})\p{L}*$/u.exec(word)?.[1] ?? []));
	return found.size === 1 ? [...found][0] : undefined;
}

/** Without what is drawn over letters or not at all, and figures as we write them. */
function visibleCharacters(typed: string): string {
	return toAsciiDigits(typed.normalize('NFKD').replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, ''));
}

export function isUnusualUtr(utr: string): boolean {
	return !utrPattern.test(normalizeUtr(utr));
}

/** Details that the owner should look at twice. Nothing is refused for them. */
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
