import { auditCsvPath } from '#contract/audit/audit.ts';
import { auditKinds } from '#contract/audit/audit-kinds.ts';
import { oneOf, orElse, stateOf, text } from '#web/platform/browser/readers.ts';
import { formatSearchText } from '#web/platform/browser/url-state.ts';

const day = orElse((value) => {
	const read = text()(value) ?? '';
	const date = new Date(read);
	return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === read ? read : undefined;
}, '');

/** The search parameters of /admin/audit. */
export const auditSearch = stateOf({
	person: orElse(text(), ''),
	kind: orElse(oneOf(['all', ...auditKinds]), 'all'),
	from: day,
	to: day,
});
export type AuditSearch = ReturnType<typeof auditSearch>;

export function hasFilters(search: AuditSearch): boolean {
	return JSON.stringify(search) !== JSON.stringify(auditSearch({}));
}

/** Converts search parameters to API filters. Omits empty values. */
export function toAuditFilters({ person, kind, from, to }: AuditSearch) {
	return {
		person: person.trim() || undefined,
		kind: kind === 'all' ? undefined : kind,
		from: from || undefined,
		to: to || undefined,
	};
}

export function auditCsvUrl(search: AuditSearch): string {
	return auditCsvPath + formatSearchText(toAuditFilters(search));
}
