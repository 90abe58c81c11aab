import { Group } from '@mantine/core';
import { m } from '#messages';
import { formatCount } from '#web/platform/formats/format.ts';
import { SelectionCheckbox } from '#web/ui/forms/selection-checkbox.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import type { UserSelection } from './user-selection.ts';

interface UserSelectionHeaderProps {
	selection: UserSelection;
	pageIds: readonly string[];
	/** Number of users who match. `isMore`: more than `total` match. */
	total: number;
	isMore: boolean;
}

/** Selects all users of the page and then, if there are more pages, all users who match. */
export function UserSelectionHeader({ selection, pageIds, total, isMore }: UserSelectionHeaderProps) {
	const { isAll, ids, has } = selection;
	const chosen = pageIds.filter(has).length;
	const isPageChosen = chosen === pageIds.length;
	const count = `${formatCount(total)}${isMore ? '+' : ''}`;
	return (
		<Group gap="4px 12px" mih={36} mb={8} fz={13} c="var(--ink-2)">
			<SelectionCheckbox
				text={m.users_select_page()}
				isChecked={isPageChosen}
				isPartial={chosen > 0 && !isPageChosen}
				onChange={() => selection.togglePage(pageIds)}
			/>
			{isPageChosen && !isAll && (isMore || total > ids.size) && (
				<Button size="small" variant="quiet" onClick={selection.selectAll}>
					{m.users_select_matching({ count })}
				</Button>
			)}
			{isAll && <span role="status">{m.users_all_selected({ count })}</span>}
		</Group>
	);
}
