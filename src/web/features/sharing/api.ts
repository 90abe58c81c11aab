import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod';
import type { ShareState } from '#contract/sharing/sharing.ts';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { toastError } from '#web/platform/browser/toasts.ts';
import { fetchIsShared, fetchShareState } from './share-state-batches.ts';

/** The search parameters of /share-folders: the recipient, the space, its folder and the search text. */
export const shareFoldersSearch = z.object({
	email: z.string().default(''),
	space: z.string().default(''),
	/** Chain of realPaths, '' at the top. */
	path: z.string().default(''),
	q: z.string().default(''),
});

/** The search parameters of /shared: the recipient, the folder's id and the search text. */
export const sharedSearch = z.object({
	email: z.string().default(''),
	folder: z.string().default(''),
	q: z.string().default(''),
});

const rowsPerPage = 200;
const usersPerPage = 8;
const maxRecent = 5;

const byCursor = {
	initialPageParam: undefined as string | undefined,
	getNextPageParam: (last: { nextCursor: string | null }) => last.nextCursor ?? undefined,
};

/** A recipient's access to a folder or file; null when it was deleted. */
export function useShareState(email: string, id: string) {
	return useQuery<ShareState | null>({
		queryKey: [...api.sharing.key(), 'state', email.toLowerCase(), id],
		queryFn: () => fetchShareState(email, id),
	});
}

/** Whether a folder or file is shared with anybody, by an entry of its own. */
export function useIsShared(id: string): boolean {
	const { data } = useQuery({ queryKey: [...api.sharing.key(), 'mark', id], queryFn: () => fetchIsShared(id) });
	return data === true;
}

/** What a person sees at the top, page by page. */
export function useSharesOf(email: string, q: string, isEnabled: boolean) {
	const search = q.trim() || undefined;
	return useInfiniteQuery(
		api.sharing.list.infiniteOptions({
			...byCursor,
			input: (cursor: string | undefined) => ({ email, search, cursor, limit: rowsPerPage }),
			placeholderData: keepPreviousData,
			enabled: isEnabled,
		}),
	);
}

/** Whether there is such a person, and whether they are active. */
export function useRecipient(email: string) {
	return useQuery(
		api.sharing.list.queryOptions({
			input: { email, limit: 1 },
			select: ({ person }) => person,
			enabled: email !== '',
		}),
	);
}

/** A folder as that person sees it, page by page. */
export function useSharedContentOf(email: string, id: string, q: string) {
	const search = q.trim() || undefined;
	return useInfiniteQuery(
		api.sharing.content.infiniteOptions({
			...byCursor,
			input: (cursor: string | undefined) => ({ id, email, search, cursor, limit: rowsPerPage }),
			enabled: id !== '',
		}),
	);
}

/** Who can read a folder or file, by address, page by page. */
export function useReaders(id: string, isEnabled = true) {
	return useInfiniteQuery(
		api.sharing.readers.infiniteOptions({
			...byCursor,
			input: (cursor: string | undefined) => ({ id, cursor, limit: 50 }),
			enabled: isEnabled && id !== '',
		}),
	);
}

/** People whose address or name holds the text. */
export function useRecipientSearch(search: string) {
	const input = { search: search.trim(), limit: usersPerPage };
	return useQuery(
		api.people.list.queryOptions({ input, enabled: input.search !== '', placeholderData: keepPreviousData }),
	);
}

/** Addresses of those with whom something was shared last. */
export function useRecentlySharedWith(): string[] {
	const input = { limit: 20 };
	const folders = useQuery(api.sharing.folderDocuments.queryOptions({ input }));
	const files = useQuery(api.sharing.fileDocuments.queryOptions({ input }));
	const newest = [...(folders.data?.items ?? []), ...(files.data?.items ?? [])].sort((a, b) =>
		b.sharedAt.localeCompare(a.sharedAt),
	);
	return [...new Set(newest.map(({ sharedWith }) => sharedWith))].slice(0, maxRecent);
}

/** What the dashboard button shows. */
export function useDashboardSettings() {
	return useQuery(api.dashboardSettings.get.queryOptions());
}

/** Saves what the dashboard button opens; open dashboards follow by themselves. */
export function useSaveDashboardSettings() {
	const queryClient = useQueryClient();
	return useMutation(
		api.dashboardSettings.save.mutationOptions({
			onSuccess: (saved) => queryClient.setQueryData(api.dashboardSettings.get.queryKey(), saved),
			onError: (error) => toastError(`${m.sharing_button_save_failed()} ${describeFailure(error).message}`),
		}),
	);
}
