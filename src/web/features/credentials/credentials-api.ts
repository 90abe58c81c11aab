import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod';
import { lookupFilter } from '#contract/credentials/credentials.ts';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { toastError, toastSuccess } from '#web/platform/browser/toasts.ts';

export const credentialsPageSize = 25;
export const lookupsPageSize = 50;

/** What the address of /admin/credentials carries. */
export const credentialsSearch = z.object({
	view: z.enum(['credentials', 'lookups']).default('credentials'),
	username: z.string().default(''),
	state: z.string().default(''),
	filter: lookupFilter.default('all'),
});
export type CredentialsSearch = z.infer<typeof credentialsSearch>;

/** The public lookup. Its result is shown on the page, and so are its errors. */
export function useCredentialsLookup() {
	return useMutation(api.credentials.search.mutationOptions());
}

/** Adds a record and says how it went, in the specified words; why it did not, the form says. */
export function useAddCredentials() {
	const queryClient = useQueryClient();
	return useMutation(
		api.credentials.add.mutationOptions({
			onSuccess: ({ success }) => {
				if (!success) {
					toastError(m.credentials_add_failed());
					return;
				}
				toastSuccess(m.credentials_added());
				void queryClient.invalidateQueries({ queryKey: api.credentials.list.key() });
			},
			onError: () => toastError(m.credentials_wrong()),
		}),
	);
}

/** A page of records; the one before stays in view while the next is fetched. */
export function useCredentials({ username, state }: CredentialsSearch, cursor: string | undefined) {
	const input = { username, state, cursor, limit: credentialsPageSize };
	return useQuery(api.credentials.list.queryOptions({ input, placeholderData: keepPreviousData }));
}

/** Saves a record. Errors are shown in the dialog. */
export function useUpdateCredentials() {
	const queryClient = useQueryClient();
	return useMutation(
		api.credentials.update.mutationOptions({
			onSuccess: () => toastSuccess(m.credentials_saved()),
			// A stale row is brought up to date, too.
			onSettled: () => void queryClient.invalidateQueries({ queryKey: api.credentials.list.key() }),
		}),
	);
}

export function useDeleteCredentials() {
	const queryClient = useQueryClient();
	return useMutation(
		api.credentials.remove.mutationOptions({
			onSuccess: () => toastSuccess(m.credentials_deleted()),
			onError: (error) => toastError(describeFailure(error).message),
			onSettled: () => void queryClient.invalidateQueries({ queryKey: api.credentials.list.key() }),
		}),
	);
}

/** Imports a CSV text. The report is shown in the dialog. */
export function useImportCredentials() {
	const queryClient = useQueryClient();
	return useMutation(
		api.credentials.importCsv.mutationOptions({
			onSettled: () => void queryClient.invalidateQueries({ queryKey: api.credentials.list.key() }),
		}),
	);
}

/** A page of lookups. */
export function useLookups({ filter }: CredentialsSearch, cursor: string | undefined) {
	const input = { filter, cursor, limit: lookupsPageSize };
	return useQuery(api.credentials.lookups.queryOptions({ input, placeholderData: keepPreviousData }));
}
