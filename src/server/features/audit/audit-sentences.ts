import type { AuditEntry } from '#contract/audit/audit.ts';
import { auditActions } from '#contract/audit/audit-kinds.ts';
import type { Locale } from '#contract/core/text.ts';
import { formatMoment, formatRupees, formatStorage } from '../../platform/format.ts';
import { translate } from '../../platform/messages.ts';

interface FormatContext {
	locale: Locale;
	timeZone: string;
}

/** Private-use characters that replace the two names while a sentence is formatted. They are removed from values. */
const namePlaceholders = { who: '\uE000', whom: '\uE001' } as const;
const knownActions = new Set<string>(Object.values(auditActions).flat());

interface DescribedAction {
	action: string;
	isOwn: boolean;
	detail: Record<string, unknown>;
}

/** Actions with a separate text for users who change their own account, so that the sentence has the name only once. */
const actionsWithSelfText = new Set([
	'password-changed',
	'sessions-ended',
	'two-factor-on',
	'two-factor-off',
	'recovery-codes-renewed',
]);

/** Formats an entry as a sentence, split into the two names and the rest of the text. */
export function formatSentence(
	entry: DescribedAction & { who: string; whom: string },
	context: FormatContext,
): AuditEntry['sentence'] {
	const values = Object.fromEntries(
		Object.keys(entry.detail).map((name) => [name, formatValue(name, entry.detail[name], context)]),
	);
	const sentence = translate(messageKeyOf(entry), context.locale, {
		...values,
		action: entry.action,
		who: namePlaceholders.who,
		whom: namePlaceholders.whom,
	});
	return sentence
		.split(/([\uE000\uE001])/u)
		.filter((text) => text !== '')
		.map((text) => {
			if (text === namePlaceholders.who) return { text: entry.who, names: 'who' };
			if (text === namePlaceholders.whom) return { text: entry.whom, names: 'whom' };
			return { text, names: null };
		});
}

function messageKeyOf({ action, isOwn, detail }: DescribedAction): string {
	if (!knownActions.has(action)) return 'audit_unknown';
	const key = `audit_${action.replaceAll('-', '_')}`;
	if (action === 'view-as-ended' && detail.isByItself === true) return `${key}_by_itself`;
	if (isOwn && actionsWithSelfText.has(action)) return `${key}_own`;
	if (/^(folder|file)-(un)?shared$/u.test(action) && detail.group !== undefined) return `${key}_group`;
	const isStatusChange = action === 'order-updated' && detail.from !== detail.to;
	return isStatusChange ? `${key}_status` : key;
}

/** Formats the details with labels. A detail without a translated label is labelled with its name. */
export function formatDetails(detail: Record<string, unknown>, context: FormatContext) {
	return Object.entries(detail)
		.filter(([, value]) => value !== null && value !== '')
		.map(([name, value]) => ({ label: formatLabel(name, context.locale), value: formatValue(name, value, context) }));
}

function formatLabel(name: string, locale: Locale): string {
	const key = `audit_detail_${name.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`)}`;
	const label = translate(key, locale);
	return label === key ? name : label;
}

const valueMessageKeys: Readonly<Record<string, string>> = {
	Pending: 'orders_pending',
	Complete: 'orders_complete',
	user: 'common_role_user',
	admin: 'common_role_admin',
	true: 'audit_yes',
	false: 'audit_no',
	'All members': 'group_all_members',
	'Owns the book': 'group_book_owners',
	quota: 'audit_reason_quota',
	depth: 'audit_reason_depth',
	update: 'audit_reason_update',
};

function formatValue(name: string, value: unknown, { locale, timeZone }: FormatContext): string {
	if (typeof value === 'number' && /paise$/iu.test(name)) return formatRupees(value);
	if (typeof value === 'number' && /^(size|size_?bytes|quotaBytes|bytes)$/iu.test(name))
		return formatStorage(value, locale);
	if (name === 'until' && typeof value === 'string') return formatMoment(value, timeZone, locale);
	if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(', ');
	const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
	const key =
		['from', 'to', 'role', 'status', 'reason', 'group'].includes(name) || typeof value === 'boolean'
			? valueMessageKeys[text]
			: undefined;
	return (key === undefined ? text : translate(key, locale)).replace(/[\uE000\uE001]/gu, '');
}
