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
 * Returns the form of a reference for comparisons: its first number of 12 digits (UPI, IMPS) that is no phone number
 * with country code, otherwise its first number of 12 digits, otherwise the whole normalised text.
 */
export function comparableUtr(typed: string): string {
	const plain = normalizeUtr(typed);
	const inWords = findNumbers(wordsOf(typed));
	const numbers = inWords.length > 0 ? inWords : findNumbers([plain]);
	return numbers.find((number) => !isPhoneWithCountryCode(number)) ?? numbers[0] ?? plain;
}

/**
 * Returns every form of a reference by which another order may have the same payment, {@link comparableUtr} first: each
 * number of 12 digits, also a phone number; each 12 successive digits of a number of 13 to 16 digits, because a buyer
 * may have entered digits too many; and the whole normalised text. Longer numbers and those of bank transfers are not
 * split, because numbers of other payments begin with the same digits.
 */
export function listComparableUtrs(typed: string): string[] {
	const plain = normalizeUtr(typed);
	const numbers = [...wordsOf(typed), plain].flatMap((word) => [
		...findNumbers(word.match(/\d+/gu) ?? []),
		...(/^\d{13,16}$/u.test(word) ? findNumbersWithin(word) : []),
	]);
	return [...new Set([comparableUtr(typed), ...numbers, plain])].filter((form) => form !== '');
}

/** Returns the words of a text. A number in three groups of four digits is one word. */
function wordsOf(typed: string): string[] {
	return visibleCharacters(typed)
		.replace(/(?<!\d)(\d{4})[ -](\d{4})[ -](\d{4})(?!\d)/gu, '$1$2$3')
		.split(/[^\p{L}\p{N}]+/u);
}

/** Returns the number of 12 digits of each word that has one. Letters and zeros may precede it; letters may follow. */
function findNumbers(words: readonly string[]): string[] {
	return words.flatMap((word) => /^\p{L}*0*(\d{12})\p{L}*$/u.exec(word)?.[1] ?? []);
}

function findNumbersWithin(digits: string): string[] {
	return Array.from({ length: digits.length - 11 }, (_, start) => digits.slice(start, start + 12));
}

/** Returns whether a number is an Indian mobile number with its country code. Some references have the same form. */
export function isPhoneWithCountryCode(number: string): boolean {
	return /^0*91[6-9]\d{9}$/u.test(number);
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
