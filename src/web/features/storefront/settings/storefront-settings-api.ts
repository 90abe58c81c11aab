import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { m } from '#messages';
import { api, type CallOutputs } from '#web/platform/api/client.ts';
import { toastSaved } from '#web/platform/browser/toasts.ts';

/** What the owner decided about the storefront; asked for anew at each visit. */
export function useStorefrontSettings() {
	return useQuery(api.storefrontSettings.get.queryOptions({ staleTime: 0 }));
}

/** Saves it, live at once. Refusals stand in the form. */
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
export type StorefrontFormValues = Omit<SavedStorefront, 'version'>;

/** What a group of fields is given. */
export interface StorefrontFieldsProps {
	form: StorefrontFormValues;
	/** A sentence for each field in error, by the contract's path. */
	errors: Record<string, string>;
	/** What somebody else saved meanwhile: shown beside the fields that differ. */
	theirs: StorefrontFormValues | undefined;
	onChange: (patch: Partial<StorefrontFormValues>) => void;
}

/** What somebody else saved in a field, in a sentence, where it is not what is typed. */
export function remoteValueText(own: string, other: string | undefined): string | undefined {
	if (other === undefined || other === own) return undefined;
	return m.storefront_now({ value: other === '' ? m.storefront_empty() : other });
}
