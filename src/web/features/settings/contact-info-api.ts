import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { toastSuccess } from '#web/platform/browser/toasts.ts';

/** How members reach the owner beside the chat. */
export function useContactInfo() {
	return useQuery(api.contactInfo.get.queryOptions());
}

/** Saves it. Errors are shown in the form. */
export function useSaveContactInfo() {
	const queryClient = useQueryClient();
	return useMutation(
		api.contactInfo.save.mutationOptions({
			onSuccess: () => toastSuccess(m.chat_contact_saved()),
			onSettled: () => void queryClient.invalidateQueries({ queryKey: api.contactInfo.key() }),
		}),
	);
}
