import { Box } from '@mantine/core';
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

/** A list of users beside the content of the selected user. A phone shows only one of the two. */
export function UserListLayout({ label, chosen, searchParamsOf, children }: UserListLayoutProps) {
	return (
		<div className={classes.columns} data-chosen={chosen === '' ? undefined : true}>
			<div className={classes.users}>
				<Box component="h2" mb={12} fz="md" fw={600}>
					{label}
				</Box>
				<UserPicker label={label} chosen={chosen} searchFor={searchParamsOf} />
			</div>
			<div className={classes.detail}>{children}</div>
		</div>
	);
}

/** Hidden beside a list of users, which a phone does not show. `search`: the search parameters without the selected user. */
export function BackToUsers({ label, search }: { label: string; search: Search }) {
	return (
		<ButtonLink to="." search={search} size="small" variant="quiet" className={classes.back} icon={IconArrowLeft}>
			{label}
		</ButtonLink>
	);
}
