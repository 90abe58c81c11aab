import { IconArrowLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { UserPicker } from '#web/features/accounts/administration/user-picker.tsx';
import { ButtonLink } from '#web/ui/primitives/button.tsx';
import classes from './user-list-layout.module.css';

type Search = Record<string, string>;

interface UserListLayoutProps {
	label: string;
	chosen: string;
	searchParamsOf: (email: string) => Search;
	children: ReactNode;
}

/** Shows users at the left and the selected user's content at the right; on a phone, one at a time. */
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

/** On a phone, links from the selected user back to the list: to the search parameters without a user. */
export function BackToUsers({ label, search }: { label: string; search: Search }) {
	return (
		<ButtonLink to="." search={search} size="small" variant="quiet" className={classes.back} icon={IconArrowLeft}>
			{label}
		</ButtonLink>
	);
}
