import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { m } from '#messages';
import { api, type CallOutputs } from '#web/platform/api.ts';
import { toastSaved } from '#web/platform/toasts.ts';

export type SavedPairs = CallOutputs['outlinePairs']['get'];

/** While an outline is being read, it is asked for again, should the hint not arrive. */
const whileReadingMs = 3000;

/** The editions' outlines and what was decided by hand; asked for anew at each visit. */
export function useOutlines() {
	return useQuery({
		...api.outlinePairs.get.queryOptions(),
		staleTime: 0,
		refetchInterval: ({ state }) =>
			state.data?.parts.some(({ en, hi }) => en?.state === 'reading' || hi?.state === 'reading') === true
				? whileReadingMs
				: false,
	});
}

/** Saves it, live for readers at once. Refusals stand in the form. */
export function useSavePairs() {
	const queryClient = useQueryClient();
	return useMutation(
		api.outlinePairs.save.mutationOptions({
			onSuccess: () => toastSaved(m.pairs_saved()),
			onSettled: () => void queryClient.invalidateQueries({ queryKey: api.outlinePairs.key() }),
		}),
	);
}
