import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { m } from '#messages';
import { api, type CallOutputs } from '#web/platform/api/client.ts';
import { toastSaved } from '#web/platform/browser/toasts.ts';

/** The settings of the storefront; refetched at each visit. */
export function useStorefrontSettings() {
	return useQuery(api.storefrontSettings.get.queryOptions({ staleTime: 0 }));
}

/** Saves them, live at once. Errors are shown in the form. */
export function useSaveStorefrontSettings() {
	const queryClient = useQueryClient();
	return useMutation(
		api.storefrontSettings.save.mutationOptions({
			onSuccess: () => toastSaved(m.storefront_saved()),
			onSettled: () => void queryClient.invalidateQueries({ queryKey: api.storefrontSettings.key() }),
		}),
	);
}

export type SavedStorefront = CallOutputs['storefrontSettings']['get'];
type StorefrontFormValues = Omit<SavedStorefront, 'version'>;

export interface StorefrontFieldsProps {
	form: StorefrontFormValues;
	/** A sentence for each field in error, by the contract's path. */
	errors: Record<string, string>;
	/** What another admin has saved meanwhile: shown beside the fields that differ. */
	theirs: StorefrontFormValues | undefined;
	onChange: (patch: Partial<StorefrontFormValues>) => void;
}

/** What another admin has saved in a field, as a sentence, if it differs from what is typed. */
export function remoteValueText(own: string, other: string | undefined): string | undefined {
	if (other === undefined || other === own) return undefined;
	return m.storefront_now({ value: other === '' ? m.storefront_empty() : other });
}
