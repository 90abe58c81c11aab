import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { toastSaved } from '#web/platform/browser/toasts.ts';

/** What waits, what was lost, and how mail leaves the house. */
export function useMailStatus() {
	return useQuery(api.mail.status.queryOptions());
}

/** Sends a test mail to oneself. The server's answer is shown on the page. */
export function useSendTestMail() {
	const queryClient = useQueryClient();
	return useMutation(
		api.mail.sendTest.mutationOptions({
			onSettled: () => void queryClient.invalidateQueries({ queryKey: api.mail.status.key() }),
		}),
	);
}

/** The settings of mails to the owner, and the seller on receipts; refetched at each visit. */
export function useMailSettings() {
	return useQuery(api.mailSettings.get.queryOptions({ staleTime: 0 }));
}

/** Saves the mail settings. Errors are shown in the form. */
export function useSaveMailSettings() {
	const queryClient = useQueryClient();
	return useMutation(
		api.mailSettings.save.mutationOptions({
			onSuccess: () => toastSaved(m.mail_page_saved()),
			onSettled: () => void queryClient.invalidateQueries({ queryKey: api.mailSettings.get.key() }),
		}),
	);
}
