import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { toastMs, toastSaved, toastSuccess } from '#web/platform/browser/toasts.ts';

/** One screenful of spaces. */
export const spacesPageSize = 25;

/** A page of spaces, the largest first; the one before stays in view while the next is fetched. */
export function useSpaces(cursor: string | undefined) {
	const input = { cursor, limit: spacesPageSize };
	return useQuery(api.spaces.list.queryOptions({ input, placeholderData: keepPreviousData }));
}

/** A page of conversations by what they store, the largest first; asked for anew at each visit. */
export function useChatStorage(cursor: string | undefined) {
	const input = { cursor, limit: spacesPageSize };
	return useQuery(api.chat.storage.queryOptions({ input, placeholderData: keepPreviousData, staleTime: 0 }));
}

/** What the owner decided about files; asked for anew at each visit. */
export function useFilesSettings() {
	return useQuery(api.spaces.getSettings.queryOptions({ staleTime: 0 }));
}

/** Gives a space a quota of its own, or takes it away. */
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

/** Saves the settings of files. Refusals stand in the form. */
export function useSaveFilesSettings() {
	const queryClient = useQueryClient();
	return useMutation(
		api.spaces.saveSettings.mutationOptions({
			onSuccess: () => toastSaved(m.files_settings_saved(), toastMs.filesSuccess),
			onSettled: () => void queryClient.invalidateQueries({ queryKey: api.spaces.getSettings.key() }),
		}),
	);
}
