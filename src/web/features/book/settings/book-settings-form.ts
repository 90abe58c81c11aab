import type { UtrRequest } from '#contract/book/book-settings.ts';
import {
	type BookLanguage,
	type BookPart,
	type EditionKey,
	type EditionMatrix,
	listEditionKeys,
	ownLanguage,
	unnamedPart,
} from '#contract/book/editions.ts';
import { limits } from '#contract/core/limits.ts';
import { m } from '#messages';
import type { CallInputs, CallOutputs } from '#web/platform/api/client.ts';

/** Names of the text fields. A name is the field's path in the API contract and in the server's errors. */
export type BookSettingsField =
	| 'title'
	| `${'original' | 'discounted'}Price`
	| `bank.${'name' | 'accountNumber' | 'ifsc' | 'accountHolder'}`
	| `upi.${'id' | 'name'}`;

/** The values as typed. */
export interface BookSettingsForm extends Record<BookSettingsField, string> {
	utrRequest: UtrRequest;
	parts: BookPart[];
	languages: BookLanguage[];
	/** File id by edition, '' for none. An edition that was just added is absent. */
	editions: Partial<Record<EditionKey, string>>;
	downloads: Partial<Record<EditionKey, boolean>>;
}

export type BookSettings = CallOutputs['bookSettings']['get'];
type SaveInput = CallInputs['bookSettings']['save'];

export function toForm({ title, bank, upi, ...settings }: BookSettings): BookSettingsForm {
	const { parts, languages } = settings;
	const keys = listEditionKeys({ parts, languages });
	const findEdition = (key: EditionKey) => settings.editions.find((edition) => edition.key === key);
	return {
		title,
		originalPrice: formatPrice(settings.originalPrice),
		discountedPrice: formatPrice(settings.discountedPrice),
		'bank.name': bank.name,
		'bank.accountNumber': bank.accountNumber,
		'bank.ifsc': bank.ifsc,
		'bank.accountHolder': bank.accountHolder,
		'upi.id': upi.id,
		'upi.name': upi.name,
		utrRequest: settings.utrRequest,
		parts,
		languages,
		editions: Object.fromEntries(keys.map((key) => [key, findEdition(key)?.fileId ?? ''])),
		downloads: Object.fromEntries(keys.map((key) => [key, findEdition(key)?.mayDownload ?? false])),
	};
}

/** Without an original price, the book has one price. An invalid price becomes NaN, which the contract rejects. */
export function toSaveInput(form: BookSettingsForm): Omit<SaveInput, 'version'> {
	return {
		title: form.title,
		originalPrice: parsePrice(form.originalPrice.trim() === '' ? form.discountedPrice : form.originalPrice),
		discountedPrice: parsePrice(form.discountedPrice),
		bank: {
			name: form['bank.name'],
			accountNumber: form['bank.accountNumber'],
			ifsc: form['bank.ifsc'].toUpperCase(),
			accountHolder: form['bank.accountHolder'],
		},
		upi: { id: form['upi.id'], name: form['upi.name'] },
		utrRequest: form.utrRequest,
		parts: form.parts,
		languages: form.languages,
		// An edition that another admin has added meanwhile is absent in the form, and keeps its file.
		editions: listEditionKeys(form).flatMap((key) => {
			const fileId = form.editions[key];
			return fileId === undefined ? [] : [{ key, fileId: fileId || null, mayDownload: form.downloads[key] ?? false }];
		}),
	};
}

function formatPrice(rupees: number): string {
	return Number.isInteger(rupees) ? String(rupees) : rupees.toFixed(2);
}

function parsePrice(typed: string): number {
	return typed.trim() === '' ? Number.NaN : Number(typed);
}

/** Prices are checked in the browser, because JSON has no NaN and the server could not tell which price is invalid. */
export function findPriceErrors(form: BookSettingsForm): Record<string, string> {
	const isInvalid = (typed: string) => !Number.isFinite(parsePrice(typed));
	const invalid = (['originalPrice', 'discountedPrice'] as const).filter(
		(field) => isInvalid(form[field]) && (field === 'discountedPrice' || form.originalPrice.trim() !== ''),
	);
	return Object.fromEntries(invalid.map((field) => [field, m.error_price()]));
}

/** Returns the problem of the saved file of an edition; undefined if the user has selected a different file. */
export function findEditionProblem({ editions }: BookSettings, form: BookSettingsForm, key: EditionKey) {
	const saved = editions.find((edition) => edition.key === key);
	return saved?.fileId === (form.editions[key] || null) ? (saved.problem ?? undefined) : undefined;
}

/** Four letters, a zero, six letters or digits. Source: format of IFSC codes of the Reserve Bank of India. */
const ifscPattern = /^[A-Z]{4}0[A-Z0-9]{6}$/iu;

export function findWarning(form: BookSettingsForm, field: BookSettingsField): string | undefined {
	const ifsc = form['bank.ifsc'].replace(/\s/gu, '');
	if (field === 'bank.ifsc') return ifsc === '' || ifscPattern.test(ifsc) ? undefined : m.orders_ifsc_warning();
	if (field !== 'originalPrice') return undefined;
	if (form.originalPrice.trim() === '') return m.orders_original_price_none();
	const isLower = parsePrice(form.originalPrice) < parsePrice(form.discountedPrice);
	return isLower ? m.orders_original_price_low() : undefined;
}

/** Adds a part with the lowest free number; undefined if there are already as many as possible. */
export function withNewPart({ parts }: BookSettingsForm): BookPart[] | undefined {
	const numbers = Array.from({ length: limits.editionPartsMax }, (_, index) => index + 1);
	const number = numbers.find((candidate) => parts.every((part) => part.number !== candidate));
	if (number === undefined) return undefined;
	return [...parts, unnamedPart(number)].toSorted((a, b) => a.number - b.number);
}

/**
 * Languages that the form offers, as far as the browser knows their names: those of India with many readers, then other
 * languages of the world.
 */
const knownLanguages =
	'en hi bn mr te ta gu ur kn or ml pa as mai sat ks ne kok sd doi mni brx sa es fr de pt it ru ar fa zh ja ko id sw';

export function listAddableLanguages({ languages }: BookSettingsForm): BookLanguage[] {
	const isNew = (code: string) => languages.every((language) => language.code !== code);
	const addable = knownLanguages.split(' ').filter(isNew).map(ownLanguage);
	return addable.filter(({ code, name }) => name !== code);
}

/** Whether a change of the parts or languages removes an edition that has a file. */
export function losesFile(form: BookSettingsForm, patch: Partial<EditionMatrix>): boolean {
	const remaining = listEditionKeys({ ...form, ...patch });
	return listEditionKeys(form).some((key) => form.editions[key] && !remaining.includes(key));
}
