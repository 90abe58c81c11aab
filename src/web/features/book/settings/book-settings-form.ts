import { type EditionKey, editionKeys } from '#contract/book/book-settings.ts';
import { m } from '#messages';
import type { CallInputs, CallOutputs } from '#web/platform/api/client.ts';

/** The form's values as typed. Prices become numbers only when they are sent. */
export interface BookSettingsForm {
	title: string;
	originalPrice: string;
	discountedPrice: string;
	bankName: string;
	accountNumber: string;
	ifsc: string;
	accountHolder: string;
	upiId: string;
	payeeName: string;
	/** File id by edition, '' for none. */
	editions: Record<EditionKey, string>;
	downloads: Record<EditionKey, boolean>;
}

export type BookSettingsField = Exclude<keyof BookSettingsForm, 'editions' | 'downloads'>;
/** A message for each field in error; for an edition the key is `editions.<key>`. */
export type BookSettingsErrors = Partial<Record<BookSettingsField | `editions.${EditionKey}`, string>>;

export type BookSettings = CallOutputs['bookSettings']['get'];
type SaveInput = CallInputs['bookSettings']['save'];

export function toForm(settings: BookSettings): BookSettingsForm {
	const findEdition = (key: EditionKey) => settings.editions.find((edition) => edition.key === key);
	return {
		title: settings.title,
		originalPrice: formatPrice(settings.originalPrice),
		discountedPrice: formatPrice(settings.discountedPrice),
		bankName: settings.bank.name,
		accountNumber: settings.bank.accountNumber,
		ifsc: settings.bank.ifsc,
		accountHolder: settings.bank.accountHolder,
		upiId: settings.upi.id,
		payeeName: settings.upi.name,
		editions: forEachEdition((key) => findEdition(key)?.fileId ?? ''),
		downloads: forEachEdition((key) => findEdition(key)?.mayDownload ?? false),
	};
}

function forEachEdition<Value>(value: (key: EditionKey) => Value): Record<EditionKey, Value> {
	return {
		'part-1-en': value('part-1-en'),
		'part-1-hi': value('part-1-hi'),
		'part-2-en': value('part-2-en'),
		'part-2-hi': value('part-2-hi'),
	};
}

/** The input for saving, without the version; an empty or invalid price becomes NaN, which the contract rejects. */
export function toSaveInput(form: BookSettingsForm): Omit<SaveInput, 'version'> {
	const { title, bankName, accountNumber, ifsc, accountHolder, upiId, payeeName } = form;
	return {
		title,
		originalPrice: parsePrice(form.originalPrice),
		discountedPrice: parsePrice(form.discountedPrice),
		bank: { name: bankName, accountNumber, ifsc, accountHolder },
		upi: { id: upiId, name: payeeName },
		editions: editionKeys.map((key) => {
			return { key, fileId: form.editions[key] || null, mayDownload: form.downloads[key] };
		}),
	};
}

/** Formats a price for its field: 499, 499.50. */
function formatPrice(rupees: number): string {
	return Number.isInteger(rupees) ? String(rupees) : rupees.toFixed(2);
}

function parsePrice(typed: string): number {
	return typed.trim() === '' ? Number.NaN : Number(typed);
}

/** Messages for prices that are not numbers: JSON has no NaN, so the server could not name the field. */
export function findPriceErrors(form: BookSettingsForm): BookSettingsErrors {
	const errors: BookSettingsErrors = {};
	for (const field of ['originalPrice', 'discountedPrice'] as const) {
		if (!Number.isFinite(parsePrice(form[field]))) errors[field] = m.error_price();
	}
	return errors;
}

/** Why no copies can be made of an edition's file; undefined if it is fine or another file has been chosen. */
export function findEditionProblem(
	settings: BookSettings,
	form: BookSettingsForm,
	key: EditionKey,
): string | undefined {
	const saved = settings.editions.find((edition) => edition.key === key);
	if (saved === undefined || saved.fileId !== (form.editions[key] || null)) return undefined;
	return saved.problem ?? undefined;
}

/** Four letters, a zero, six letters or digits. Source: the Reserve Bank of India's format of an IFSC. */
const ifscPattern = /^[A-Z]{4}0[A-Z0-9]{6}$/iu;

/** Warning about a field that looks wrong but can be saved; undefined for none. */
export function findWarning(form: BookSettingsForm, field: BookSettingsField): string | undefined {
	const ifsc = form.ifsc.replace(/\s/gu, '');
	if (field === 'ifsc') return ifsc === '' || ifscPattern.test(ifsc) ? undefined : m.orders_ifsc_warning();
	const isLower = parsePrice(form.originalPrice) < parsePrice(form.discountedPrice);
	return field === 'originalPrice' && isLower ? m.orders_original_price_low() : undefined;
}

const fieldByPath: Record<string, BookSettingsField> = {
	'bank.name': 'bankName',
	'bank.accountNumber': 'accountNumber',
	'bank.ifsc': 'ifsc',
	'bank.accountHolder': 'accountHolder',
	'upi.id': 'upiId',
	'upi.name': 'payeeName',
};

/** The server's error messages by the form's field names. */
export function toFormErrors(fields: Record<string, string>): BookSettingsErrors {
	return Object.fromEntries(Object.entries(fields).map(([path, sentence]) => [fieldByPath[path] ?? path, sentence]));
}
