import { Box, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { PagedList, usePagedQuery } from '#web/ui/data/paged-list.tsx';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { Avatar } from '#web/ui/primitives/avatar.tsx';
import { Skeleton, SkeletonRows } from '#web/ui/states/skeleton.tsx';
import classes from './user-picker.module.css';

interface UserPickerProps {
	label: string;
	/** Email of the selected user. */
	chosen: string;
	/** Returns the search parameters of the link that selects a user. */
	searchFor: (email: string) => Record<string, string>;
}

/** A searchable list of all users. Each item is a link to the current screen with this user selected. */
export function UserPicker({ label, chosen, searchFor }: UserPickerProps) {
	const [search, setSearch] = useState('');
	return (
		<Box component="section" aria-label={label} miw={0}>
			<SearchField label={m.users_search()} value={search} onChange={setSearch} />
			<PickerPage key={search} search={search} chosen={chosen} searchFor={searchFor} />
		</Box>
	);
}

function PickerPage({ search, chosen, searchFor }: { search: string } & Omit<UserPickerProps, 'label'>) {
	const list = usePagedQuery(25, (page) =>
		api.people.list.queryOptions({ input: { search: search || undefined, ...page } }),
	);
	return (
		<PagedList
			list={list}
			texts={{ failed: m.users_failed(), empty: m.users_empty(), pages: m.users_pages() }}
			skeleton={
				<SkeletonRows label={m.users_loading()} rowClassName={classes.user} widths={['70%']}>
					<Skeleton width="32px" height="32px" isRound />
				</SkeletonRows>
			}
			isHiddenOnSinglePage
		>
			{(items, isFetching) => (
				<Box component="ul" mt={12} aria-busy={isFetching}>
					{items.map(({ id, email, name, active }) => (
						<li key={id}>
							<Link
								to="."
								search={searchFor(email)}
								className={classes.user}
								aria-current={email.toLowerCase() === chosen.toLowerCase() ? 'true' : undefined}
							>
								<Avatar name={name} email={email} size={32} isMuted={!active} />
								<Stack gap={0} miw={0}>
									<span className={classes.name}>{name ?? email}</span>
									{(name !== null || !active) && (
										<span className={classes.email}>
											{[active ? undefined : m.users_deactivated(), name === null ? undefined : email]
												.filter((word) => word !== undefined)
												.join(' · ')}
										</span>
									)}
								</Stack>
							</Link>
						</li>
					))}
				</Box>
			)}
		</PagedList>
	);
}
