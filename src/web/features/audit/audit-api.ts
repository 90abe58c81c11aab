import * as z from 'zod/mini';
import { auditCsvPath } from '#contract/audit/audit.ts';
import { auditKinds } from '#contract/audit/audit-kinds.ts';
import { formatSearchText } from '#web/platform/browser/url-state.ts';

const daySchema = z._default(z.union([z.literal(''), z.iso.date()]), '');

/** The search parameters of /admin/audit. */
export const auditSearch = z.object({
	person: z._default(z.string(), ''),
	kind: z._default(z.enum(['all', ...auditKinds]), 'all'),
	from: daySchema,
	to: daySchema,
});
export type AuditSearch = z.infer<typeof auditSearch>;

export function hasFilters(search: AuditSearch): boolean {
	return JSON.stringify(search) !== JSON.stringify(auditSearch.parse({}));
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
