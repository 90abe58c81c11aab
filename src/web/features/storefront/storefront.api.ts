import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { m } from '#messages';
import { api } from '#web/platform/api.ts';
import { toastSaved } from '#web/platform/toasts.ts';

/** What the owner decided about the storefront; asked for anew at each visit. */
export function useStorefront() {
	return useQuery(api.storefrontSettings.get.queryOptions({ staleTime: 0 }));
}

/** Saves it, live at once. Refusals stand in the form. */
export function useSaveStorefront() {
	const queryClient = useQueryClient();
	return useMutation(
		api.storefrontSettings.save.mutationOptions({
			onSuccess: () => toastSaved(m.storefront_saved()),
			onSettled: () => void queryClient.invalidateQueries({ queryKey: api.storefrontSettings.key() }),
		}),
	);
}
