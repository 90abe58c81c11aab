import { type EditionKey, editionKeys } from '#contract/settings/book-settings.ts';
import { m } from '#messages';
import type { CallInputs, CallOutputs } from '#web/platform/api.ts';

/** What the form holds: texts, as typed. Prices become numbers only when they are sent. */
export interface SettingsForm {
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
	/** The editions that buyers may keep as a file. */
	downloads: Record<EditionKey, boolean>;
}

export type SettingsField = Exclude<keyof SettingsForm, 'editions' | 'downloads'>;
/** A sentence for each field in error; an edition stands as `editions.<key>`. */
export type SettingsErrors = Partial<Record<SettingsField | `editions.${EditionKey}`, string>>;

export type Settings = CallOutputs['bookSettings']['get'];
type SaveInput = CallInputs['bookSettings']['save'];

/** The form as it opens, and what others saved meanwhile. */
export function formOf(settings: Settings): SettingsForm {
	const editionOf = (key: EditionKey) => settings.editions.find((edition) => edition.key === key);
	const chosen = (key: EditionKey) => editionOf(key)?.fileId ?? '';
	const mayDownload = (key: EditionKey) => editionOf(key)?.mayDownload ?? false;
	return {
		title: settings.title,
		originalPrice: priceText(settings.originalPrice),
		discountedPrice: priceText(settings.discountedPrice),
		bankName: settings.bank.name,
		accountNumber: settings.bank.accountNumber,
		ifsc: settings.bank.ifsc,
		accountHolder: settings.bank.accountHolder,
		upiId: settings.upi.id,
		payeeName: settings.upi.name,
		editions: {
			'part-1-en': chosen('part-1-en'),
			'part-1-hi': chosen('part-1-hi'),
			'part-2-en': chosen('part-2-en'),
			'part-2-hi': chosen('part-2-hi'),
		},
		downloads: {
			'part-1-en': mayDownload('part-1-en'),
			'part-1-hi': mayDownload('part-1-hi'),
			'part-2-en': mayDownload('part-2-en'),
			'part-2-hi': mayDownload('part-2-hi'),
		},
	};
}

/** What is sent beside the version; an empty or odd price becomes NaN, which the contract refuses. */
export function inputOf(form: SettingsForm): Omit<SaveInput, 'version'> {
	const { title, bankName, accountNumber, ifsc, accountHolder, upiId, payeeName } = form;
	return {
		title,
		originalPrice: priceOf(form.originalPrice),
		discountedPrice: priceOf(form.discountedPrice),
		bank: { name: bankName, accountNumber, ifsc, accountHolder },
		upi: { id: upiId, name: payeeName },
		editions: editionKeys.map((key) => ({
			key,
			fileId: form.editions[key] || null,
			mayDownload: form.downloads[key],
		})),
	};
}

/** As prices are written: 499, 499.50. */
function priceText(rupees: number): string {
	return Number.isInteger(rupees) ? String(rupees) : rupees.toFixed(2);
}

function priceOf(typed: string): number {
	return typed.trim() === '' ? Number.NaN : Number(typed);
}

/**
 * A sentence for each price that is no number: JSON has no NaN, so the server could not tell the field. All else is the
 * server's to judge.
 */
export function findPriceErrors(form: SettingsForm): SettingsErrors {
	const errors: SettingsErrors = {};
	for (const field of ['originalPrice', 'discountedPrice'] as const) {
		if (!Number.isFinite(priceOf(form[field]))) errors[field] = m.error_price();
	}
	return errors;
}

/** Why no copies can be made of an edition's file; undefined where nothing is wrong, or another file is chosen by now. */
export function findEditionProblem(settings: Settings, form: SettingsForm, key: EditionKey): string | undefined {
	const saved = settings.editions.find((edition) => edition.key === key);
	if (saved === undefined || saved.fileId !== (form.editions[key] || null)) return undefined;
	return saved.problem ?? undefined;
}

/** Four letters, a zero, six letters or figures. Source: the Reserve Bank of India's form of an IFSC. */
const usualIfsc = /^[A-Z]{4}0[A-Z0-9]{6}$/iu;

/** What is odd about a field, though it may be saved; undefined where nothing is. */
export function oddityOf(form: SettingsForm, field: SettingsField): string | undefined {
	const ifsc = form.ifsc.replace(/\s/gu, '');
	if (field === 'ifsc') return ifsc === '' || usualIfsc.test(ifsc) ? undefined : m.orders_ifsc_odd();
	const isLower = priceOf(form.originalPrice) < priceOf(form.discountedPrice);
	return field === 'originalPrice' && isLower ? m.orders_original_price_low() : undefined;
}

const fieldOfPath: Record<string, SettingsField> = {
	'bank.name': 'bankName',
	'bank.accountNumber': 'accountNumber',
	'bank.ifsc': 'ifsc',
	'bank.accountHolder': 'accountHolder',
	'upi.id': 'upiId',
	'upi.name': 'payeeName',
};

/** The server's sentences, by the form's own names. */
export function errorsOf(fields: Record<string, string>): SettingsErrors {
	return Object.fromEntries(Object.entries(fields).map(([path, sentence]) => [fieldOfPath[path] ?? path, sentence]));
}
