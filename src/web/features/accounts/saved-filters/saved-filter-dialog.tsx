import { Stack } from '@mantine/core';
import { useState } from 'react';
import type { FilteredList, SavedFilter } from '#contract/accounts/saved-filters.ts';
import { limits } from '#contract/core/limits.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { shownInForm, useChange } from '#web/platform/api/use-change.ts';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { TextField } from '#web/ui/forms/field.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { FailureNotice } from '#web/ui/states/notice.tsx';

interface SavedFilterDialogProps {
	list: FilteredList;
	query: string;
	items: readonly SavedFilter[];
	/** The saved filters to rename; undefined to save the current filters. */
	renamed?: SavedFilter;
	onSaved?: (saved: SavedFilter) => void;
	onClose: () => void;
}

/** Names the current filters, or renames saved ones. The name of other saved filters can be used to replace them. */
export function SavedFilterDialog({ list, query, items, renamed, onSaved, onClose }: SavedFilterDialogProps) {
	const [name, setName] = useState(renamed?.name ?? '');
	const save = useChange(
		(input: { name: string; replacedId: string | undefined }) => {
			if (renamed !== undefined) return client.savedFilters.update({ id: renamed.id, name: input.name });
			if (input.replacedId !== undefined) return client.savedFilters.update({ id: input.replacedId, query });
			return client.savedFilters.add({ list, name: input.name, query });
		},
		{
			refetch: [api.savedFilters.key()],
			isPendingUntilRefetched: true,
			onSuccess: (saved) => {
				onSaved?.(saved);
				const texts = renamed === undefined ? m.filters_was_saved : m.filters_was_renamed;
				toastSuccess(texts({ name: saved.name }));
			},
			onError: shownInForm,
		},
	);
	const isSameName = (item: SavedFilter) => item.name.toLowerCase() === name.trim().toLowerCase();
	const replaced = renamed === undefined ? items.find(isSameName) : undefined;
	const hint = replaced === undefined ? m.filters_save_hint() : m.filters_replace_hint();
	return (
		<Dialog
			onClose={onClose}
			title={renamed === undefined ? m.filters_save_title() : m.filters_rename_title()}
			onSubmit={() => save.mutate({ name, replacedId: replaced?.id }, { onSuccess: onClose })}
			isDirty={name !== (renamed?.name ?? '')}
			submitButton={{
				label: save.isPending ? m.filters_saving() : replaced === undefined ? m.filters_save() : m.filters_replace(),
				isBusy: save.isPending,
			}}
		>
			<Stack gap={12}>
				<FailureNotice failure={save.failure} />
				<TextField
					label={m.filters_name()}
					name="name"
					autoComplete="off"
					data-autofocus
					maxLength={limits.savedFilterNameMaxLength}
					value={name}
					error={save.failure?.fields.name}
					description={renamed === undefined ? hint : undefined}
					onChange={(event) => {
						setName(event.currentTarget.value);
						save.reset();
					}}
				/>
			</Stack>
		</Dialog>
	);
}
