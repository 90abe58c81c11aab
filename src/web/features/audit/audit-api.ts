import { keepPreviousData, useQuery } from '@tanstack/react-query';
import * as z from 'zod';
import { auditCsvPath } from '#contract/audit/audit.ts';
import { auditKind } from '#contract/audit/audit-kinds.ts';
import { api } from '#web/platform/api/client.ts';

/** Number of entries per page. */
export const auditPageSize = 50;

const daySchema = z.union([z.literal(''), z.iso.date()]).default('');

/** The search parameters of /admin/audit. */
export const auditSearch = z.object({
	person: z.string().default(''),
	kind: z.enum(['all', ...auditKind.options]).default('all'),
	from: daySchema,
	to: daySchema,
});
export type AuditSearch = z.infer<typeof auditSearch>;

/** Whether the search narrows the list. */
export function hasFilters(search: AuditSearch): boolean {
	return JSON.stringify(search) !== JSON.stringify(auditSearch.parse({}));
}

/** The API's filters of a search, without empty values. */
function toAuditFilters({ person, kind, from, to }: AuditSearch) {
	return {
		person: person.trim() || undefined,
		kind: kind === 'all' ? undefined : kind,
		from: from || undefined,
		to: to || undefined,
	};
}

/** A page of entries; the previous page stays visible while the next is loading. */
export function useAudit(search: AuditSearch, cursor: string | undefined) {
	const input = { ...toAuditFilters(search), cursor, limit: auditPageSize };
	return useQuery(api.audit.list.queryOptions({ input, placeholderData: keepPreviousData }));
}

/** The URL of the filtered list as a CSV file. */
export function auditCsvUrl(search: AuditSearch): string {
	const given = Object.entries(toAuditFilters(search)).filter(
		(pair): pair is [string, string] => pair[1] !== undefined,
	);
	const query = new URLSearchParams(given).toString();
	return query === '' ? auditCsvPath : `${auditCsvPath}?${query}`;
}

/** Email addresses of users whose address or name contains the text; `isSettled` once they belong to this text. */
export function useEmailSuggestions(typed: string) {
	const input = { search: typed.trim(), limit: 8 };
	const isSearching = input.search.length >= 2;
	const users = useQuery(
		api.people.list.queryOptions({ input, placeholderData: keepPreviousData, enabled: isSearching }),
	);
	return {
		addresses: isSearching ? (users.data?.items ?? []).map(({ email }) => email) : [],
		isSettled: !isSearching || (!users.isPending && !users.isPlaceholderData),
	};
}
