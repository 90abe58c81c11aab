import { keepPreviousData, useQuery } from '@tanstack/react-query';
import * as z from 'zod';
import { auditCsvPath } from '#contract/audit/audit.ts';
import { auditKind } from '#contract/audit/audit-kinds.ts';
import { api } from '#web/platform/api/client.ts';

/** One screenful of entries. */
export const auditPageSize = 50;

const daySchema = z.union([z.literal(''), z.iso.date()]).default('');

/** What the address of /admin/audit carries. */
export const auditSearch = z.object({
	person: z.string().default(''),
	kind: z.enum(['all', ...auditKind.options]).default('all'),
	from: daySchema,
	to: daySchema,
});
export type AuditSearch = z.infer<typeof auditSearch>;

/** The search as the calls take it: what narrows nothing is left out. */
function toAuditFilters({ person, kind, from, to }: AuditSearch) {
	return {
		person: person.trim() || undefined,
		kind: kind === 'all' ? undefined : kind,
		from: from || undefined,
		to: to || undefined,
	};
}

/** A page of entries; the one before stays in view while the next is fetched. */
export function useAudit(search: AuditSearch, cursor: string | undefined) {
	const input = { ...toAuditFilters(search), cursor, limit: auditPageSize };
	return useQuery(api.audit.list.queryOptions({ input, placeholderData: keepPreviousData }));
}

/** Address of the filtered list as a file. */
export function auditCsvUrl(search: AuditSearch): string {
	const given = Object.entries(toAuditFilters(search)).filter(
		(pair): pair is [string, string] => pair[1] !== undefined,
	);
	const query = new URLSearchParams(given).toString();
	return query === '' ? auditCsvPath : `${auditCsvPath}?${query}`;
}

/** Whose address or name has what is typed, as suggestions; settled once they are those of this text. */
export function useEmailSuggestions(typed: string) {
	const input = { search: typed.trim(), limit: 8 };
	const users = useQuery({
		...api.people.list.queryOptions({ input, placeholderData: keepPreviousData }),
		enabled: input.search.length >= 2,
	});
	const isSearching = input.search.length >= 2;
	return {
		addresses: isSearching ? (users.data?.items ?? []).map(({ email }) => email) : [],
		isSettled: !isSearching || (!users.isPending && !users.isPlaceholderData),
	};
}
