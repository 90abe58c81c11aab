import { IconBook, IconMail, IconUserCheck, IconUserOff, IconUsersPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { UserFilters } from '#contract/accounts/administration.ts';
import type { BulkAction } from '#contract/bulk-actions/bulk-actions.ts';
import { m } from '#messages';
import type { UserSelection } from '#web/features/accounts/administration/user-selection.ts';
import { BulkActionDialog } from '#web/features/bulk-actions/bulk-action-dialog.tsx';
import { actionTexts, type SelectedUsers } from '#web/features/bulk-actions/bulk-run.ts';
import { formatCount } from '#web/platform/formats/format.ts';
import { SelectionBar } from '#web/ui/data/selection-bar.tsx';

const icons = {
	activate: IconUserCheck,
	deactivate: IconUserOff,
	'give-book': IconBook,
	'send-login': IconMail,
	'add-to-group': IconUsersPlus,
} satisfies Record<BulkAction, unknown>;

interface UserBulkActionsProps {
	selection: UserSelection;
	filters: UserFilters;
	/** Number of all users who match, as the screen shows it. */
	count: string;
}

/** The bar with the actions for the selected users, and the dialog of the chosen action. */
export function UserBulkActions({ selection, filters, count }: UserBulkActionsProps) {
	const { isAll, ids, isEmpty } = selection;
	const [chosen, setChosen] = useState<{ action: BulkAction; selected: SelectedUsers }>();
	const selected = isAll ? { filters: { ...filters, search: filters.search || undefined } } : { ids: [...ids] };
	return (
		<>
			{!isEmpty && (
				<SelectionBar
					labels={{ bar: m.users_selection(), clear: m.users_clear_selection() }}
					text={m.users_selected({ count: isAll ? count : formatCount(ids.size) })}
					actions={(Object.keys(icons) as BulkAction[]).map((action) => ({
						label: actionTexts[action].label(),
						icon: icons[action],
						isDangerous: action === 'deactivate',
						onClick: () => setChosen({ action, selected }),
					}))}
					onClear={selection.clear}
				/>
			)}
			{chosen !== undefined && (
				<BulkActionDialog {...chosen} onClose={() => setChosen(undefined)} onFinished={selection.clear} />
			)}
		</>
	);
}
