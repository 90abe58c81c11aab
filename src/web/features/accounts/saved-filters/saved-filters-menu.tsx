import { Text } from '@mantine/core';
import { IconBookmark, IconCheck, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FilteredList, SavedFilter } from '#contract/accounts/saved-filters.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { ConfirmDialog } from '#web/ui/overlays/dialog.tsx';
import { MenuButton } from '#web/ui/overlays/dropdown-buttons.tsx';
import { dialogOnDemand } from '#web/ui/overlays/overlays-on-demand.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { smallIconProps } from '#web/ui/primitives/icon.ts';

const SavedFilterDialog = dialogOnDemand(() => import('./saved-filter-dialog.tsx'), 'SavedFilterDialog');

interface SavedFiltersMenuProps {
	list: FilteredList;
	/** The current filters and sort as a query string. */
	query: string;
	/** Returns a saved query in the form of `query`, without parameters that the list does not know. */
	normalize: (saved: string) => string;
	onApply: (saved: string) => void;
}

/** Menu beside the filters of a list: opens, saves, renames and deletes filters that were saved under a name. */
export function SavedFiltersMenu({ list, query, normalize, onApply }: SavedFiltersMenuProps) {
	const saved = useQuery(api.savedFilters.list.queryOptions({ input: { list } }));
	const [openDialog, setOpenDialog] = useState<'save' | 'rename' | 'delete'>();
	const [appliedId, setAppliedId] = useState<string>();
	const items = saved.data?.items ?? [];
	const shown = items.filter((item) => normalize(item.query) === query);
	const current = shown.find(({ id }) => id === appliedId) ?? shown[0];
	const close = () => setOpenDialog(undefined);
	return (
		<>
			<MenuButton
				position="bottom-end"
				dropdown={{
					maw: 360,
					style: { maxHeight: 'min(70vh, 480px)', overflowY: 'auto', overflowWrap: 'anywhere' },
				}}
				button={(props) => (
					<Button icon={IconBookmark} {...props}>
						<Text span inherit truncate maw={200} lh={1.5}>
							{current?.name ?? m.filters_saved()}
						</Text>
					</Button>
				)}
			>
				{(Menu) => (
					<>
						{items.length === 0 && <Menu.Label>{saved.isError ? m.filters_failed() : m.filters_none()}</Menu.Label>}
						{items.map((item) => (
							<Menu.Item
								key={item.id}
								aria-label={item === current ? m.filters_current({ name: item.name }) : undefined}
								rightSection={item === current ? <IconCheck {...smallIconProps} /> : undefined}
								onClick={() => {
									setAppliedId(item.id);
									onApply(item.query);
								}}
							>
								{item.name}
							</Menu.Item>
						))}
						<Menu.Divider />
						<Menu.Item leftSection={<IconPlus {...smallIconProps} />} onClick={() => setOpenDialog('save')}>
							{m.filters_save_as()}
						</Menu.Item>
						{current !== undefined && (
							<>
								<Menu.Item leftSection={<IconPencil {...smallIconProps} />} onClick={() => setOpenDialog('rename')}>
									{m.filters_rename({ name: current.name })}
								</Menu.Item>
								<Menu.Item leftSection={<IconTrash {...smallIconProps} />} onClick={() => setOpenDialog('delete')}>
									{m.filters_delete({ name: current.name })}
								</Menu.Item>
							</>
						)}
					</>
				)}
			</MenuButton>
			{openDialog === 'save' && (
				<SavedFilterDialog {...{ list, query, items }} onSaved={({ id }) => setAppliedId(id)} onClose={close} />
			)}
			{openDialog === 'rename' && current !== undefined && (
				<SavedFilterDialog {...{ list, query, items }} renamed={current} onClose={close} />
			)}
			{openDialog === 'delete' && current !== undefined && <DeleteFilterDialog filter={current} onClose={close} />}
		</>
	);
}

function DeleteFilterDialog({ filter: { id, name }, onClose }: { filter: SavedFilter; onClose: () => void }) {
	const remove = useChange(client.savedFilters.remove, {
		refetch: [api.savedFilters.key()],
		onSuccess: () => toastSuccess(m.filters_was_deleted({ name })),
	});
	return (
		<ConfirmDialog
			onClose={onClose}
			onConfirm={() => remove.mutate({ id }, { onSettled: onClose })}
			question={m.filters_delete_question({ name })}
			detail={<p>{m.filters_delete_detail()}</p>}
			confirmLabel={m.filters_delete_confirm()}
			isBusy={remove.isPending}
		/>
	);
}
