import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { toastMs, toastSaved, toastSuccess } from '#web/platform/browser/toasts.ts';

/** Number of spaces per page. */
export const spacesPageSize = 25;

/** A page of spaces, the largest first; the previous page stays visible while the next is loading. */
export function useSpaces(cursor: string | undefined) {
	const input = { cursor, limit: spacesPageSize };
	return useQuery(api.spaces.list.queryOptions({ input, placeholderData: keepPreviousData }));
}

/** A page of conversations by the size of their files, the largest first; refetched on each visit. */
export function useChatStorage(cursor: string | undefined) {
	const input = { cursor, limit: spacesPageSize };
	return useQuery(api.chat.storage.queryOptions({ input, placeholderData: keepPreviousData, staleTime: 0 }));
}

/** The settings for files; refetched on each visit. */
export function useFilesSettings() {
	return useQuery(api.spaces.getSettings.queryOptions({ staleTime: 0 }));
}

/** Sets or removes the quota of a space. */
export function useSetQuota() {
	const queryClient = useQueryClient();
	return useMutation(
		api.spaces.setQuota.mutationOptions({
			onSuccess: () => {
				toastSuccess(m.files_quota_saved(), toastMs.filesSuccess);
				void queryClient.invalidateQueries({ queryKey: api.spaces.list.key() });
			},
		}),
	);
}

/** Saves the settings for files. Errors are shown in the form. */
export function useSaveFilesSettings() {
	const queryClient = useQueryClient();
	return useMutation(
		api.spaces.saveSettings.mutationOptions({
			onSuccess: () => toastSaved(m.files_settings_saved(), toastMs.filesSuccess),
			onSettled: () => void queryClient.invalidateQueries({ queryKey: api.spaces.getSettings.key() }),
		}),
	);
}
