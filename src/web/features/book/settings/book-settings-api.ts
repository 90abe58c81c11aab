import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type QrAnswer, qrUploadPath } from '#contract/book/book-settings.ts';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { readFailedCall } from '#web/platform/api/failure.ts';
import { toastError, toastSuccess } from '#web/platform/browser/toasts.ts';

/** The current book settings; refetched each time the form is opened, and unchanged while it is open. */
export function useBookSettings() {
	return useQuery(api.bookSettings.get.queryOptions({ gcTime: 0 }));
}

/** Saves the book settings; the landing page changes at once. */
export function useSaveBookSettings() {
	const queryClient = useQueryClient();
	return useMutation(
		api.bookSettings.save.mutationOptions({
			onSuccess: () => {
				toastSuccess(m.orders_settings_saved());
				void queryClient.invalidateQueries({ queryKey: api.bookSettings.key() });
				void queryClient.invalidateQueries({ queryKey: api.orders.key() });
			},
			onError: () => toastError(m.orders_settings_failed()),
		}),
	);
}

async function uploadPaymentQr(file: File): Promise<QrAnswer> {
	const body = new FormData();
	body.append('file', file);
	const response = await fetch(qrUploadPath, { method: 'POST', body, headers: { Accept: 'application/json' } });
	if (!response.ok) throw await readFailedCall(response);
	return response.json();
}

/** Uploads the payment QR. It is saved at once, independently of Save Changes. */
export function useUploadPaymentQr() {
	return useMutation({
		mutationFn: uploadPaymentQr,
		onSuccess: () => toastSuccess(m.orders_qr_uploaded()),
		onError: () => toastError(m.error_qr_upload()),
	});
}
