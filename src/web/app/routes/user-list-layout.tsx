import { IconArrowLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { UserPicker } from '#web/features/accounts/administration/user-picker.tsx';
import { ButtonLink } from '#web/ui/primitives/button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import classes from './user-list-layout.module.css';

type Search = Record<string, string>;

interface UserListLayoutProps {
	/** Names the list of people. */
	label: string;
	/** The chosen one's email, '' for nobody. */
	chosen: string;
	/** The search parameters that choose a person. */
	searchParamsOf: (email: string) => Search;
	children: ReactNode;
}

/** People left, what concerns the chosen one right; on a phone one after the other. */
export function UserListLayout({ label, chosen, searchParamsOf, children }: UserListLayoutProps) {
	return (
		<div className={classes.columns} data-chosen={chosen === '' ? undefined : true}>
			<div className={classes.users}>
				<UserPicker label={label} chosen={chosen} searchFor={searchParamsOf} />
			</div>
			<div className={classes.detail}>{children}</div>
		</div>
	);
}

/** On a phone, leads from the chosen person back to all: to the search parameters without one. */
export function BackToUsers({ label, search }: { label: string; search: Search }) {
	return (
		<ButtonLink
			to="."
			search={search}
			size="small"
			variant="quiet"
			className={classes.back}
			icon={<IconArrowLeft {...iconProps} />}
		>
			{label}
		</ButtonLink>
	);
}
