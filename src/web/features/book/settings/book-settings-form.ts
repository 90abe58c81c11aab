import { type EditionKey, editionKeys } from '#contract/book/book-settings.ts';
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
	/** File id by edition, '' for none. */
	editions: Record<EditionKey, string>;
	downloads: Record<EditionKey, boolean>;
}

export type BookSettings = CallOutputs['bookSettings']['get'];
type SaveInput = CallInputs['bookSettings']['save'];

export function toForm({ title, bank, upi, ...settings }: BookSettings): BookSettingsForm {
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
		editions: forEachEdition((key) => findEdition(key)?.fileId ?? ''),
		downloads: forEachEdition((key) => findEdition(key)?.mayDownload ?? false),
	};
}

function forEachEdition<Value>(value: (key: EditionKey) => Value) {
	return Object.fromEntries(editionKeys.map((key) => [key, value(key)])) as Record<EditionKey, Value>;
}

/** An empty or invalid price becomes NaN, which the contract rejects. */
export function toSaveInput(form: BookSettingsForm): Omit<SaveInput, 'version'> {
	return {
		title: form.title,
		originalPrice: parsePrice(form.originalPrice),
		discountedPrice: parsePrice(form.discountedPrice),
		bank: {
			name: form['bank.name'],
			accountNumber: form['bank.accountNumber'],
			ifsc: form['bank.ifsc'],
			accountHolder: form['bank.accountHolder'],
		},
		upi: { id: form['upi.id'], name: form['upi.name'] },
		editions: editionKeys.map((key) => {
			return { key, fileId: form.editions[key] || null, mayDownload: form.downloads[key] };
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
	const prices = ['originalPrice', 'discountedPrice'] as const;
	const invalid = prices.filter((field) => !Number.isFinite(parsePrice(form[field])));
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
	const isLower = parsePrice(form.originalPrice) < parsePrice(form.discountedPrice);
	return field === 'originalPrice' && isLower ? m.orders_original_price_low() : undefined;
}
