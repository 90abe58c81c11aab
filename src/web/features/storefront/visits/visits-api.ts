import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod';
import { m } from '#messages';
import { api, type CallOutputs } from '#web/platform/api/client.ts';
import { toastSaved } from '#web/platform/browser/toasts.ts';

/** One screenful of addresses. */
export const addressesPageSize = 25;

/** How many days the figures are shown for, as the address carries it. */
export const visitRanges = ['30', '90', '365'] as const;

/** What the address of /admin/visitor carries: how many days are shown, and what the addresses are sorted by. */
export const visitsSearch = z.object({
	days: z.enum(visitRanges).default('30'),
	sort: z.enum(['visits', 'ip']).default('visits'),
});
export type VisitsSearch = z.infer<typeof visitsSearch>;

export type VisitsSummary = CallOutputs['visits']['summary'];
export type SavedVisitSettings = CallOutputs['visits']['getSettings'];

/** Totals and the last days; what was shown stays in view while other days are fetched. */
export function useVisitsSummary(days: VisitsSearch['days']) {
	return useQuery(
		api.visits.summary.queryOptions({ input: { days: Number(days) }, placeholderData: keepPreviousData }),
	);
}

export function useVisitAddresses(sort: VisitsSearch['sort'], cursor: string | undefined) {
	const input = { sort, cursor, limit: addressesPageSize };
	return useQuery(api.visits.addresses.queryOptions({ input, placeholderData: keepPreviousData }));
}

export function useVisitSettings() {
	return useQuery(api.visits.getSettings.queryOptions());
}

/** Saves them. Errors are shown in the form. */
export function useSaveVisitSettings() {
	const queryClient = useQueryClient();
	return useMutation(
		api.visits.saveSettings.mutationOptions({
			onSuccess: () => toastSaved(m.visits_settings_saved()),
			onSettled: () => void queryClient.invalidateQueries({ queryKey: api.visits.key() }),
		}),
	);
}
