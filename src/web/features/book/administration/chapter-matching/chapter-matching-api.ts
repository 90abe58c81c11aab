import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { m } from '#messages';
import { api, type CallOutputs } from '#web/platform/api/client.ts';
import { toastSaved } from '#web/platform/browser/toasts.ts';

export type SavedChapterMatches = CallOutputs['outlinePairs']['get'];

/** Poll interval while an outline is being read, in case the event does not arrive. */
const pollIntervalMs = 3000;

/** The editions' outlines and the manual matches; refetched on each visit. */
export function useEditionOutlines() {
	return useQuery({
		...api.outlinePairs.get.queryOptions(),
		staleTime: 0,
		refetchInterval: ({ state }) =>
			state.data?.parts.some(({ en, hi }) => en?.state === 'reading' || hi?.state === 'reading') === true
				? pollIntervalMs
				: false,
	});
}

/** Saves the matches; readers see them at once. Errors are shown in the form. */
export function useSaveChapterMatches() {
	const queryClient = useQueryClient();
	return useMutation(
		api.outlinePairs.save.mutationOptions({
			onSuccess: () => toastSaved(m.chapter_matching_saved()),
			onSettled: () => void queryClient.invalidateQueries({ queryKey: api.outlinePairs.key() }),
		}),
	);
}
