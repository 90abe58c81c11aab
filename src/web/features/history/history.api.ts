import { keepPreviousData, useQuery } from '@tanstack/react-query';
import * as z from 'zod';
import { api } from '#web/platform/api.ts';

/** One screenful of sign-ins. */
export const historyPageSize = 50;

/** What the address of /login-history carries: whose. */
export const historySearch = z.object({ email: z.string().default('') });

/** A page of somebody's sign-ins; the one before stays in view while the next is fetched. */
export function useLoginHistory(email: string, cursor: string | undefined) {
	const input = { email, cursor, limit: historyPageSize };
	return useQuery(api.history.list.queryOptions({ input, placeholderData: keepPreviousData }));
}
