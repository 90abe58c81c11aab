import { Box, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { formatRange, Pager, useKeysetPages } from '#web/ui/data/pager.tsx';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { Avatar } from '#web/ui/primitives/avatar.tsx';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { EmptyState, FailedQuery } from '#web/ui/states/states.tsx';
import classes from './user-picker.module.css';

const pageSize = 25;

interface UserPickerProps {
	/** Names the list for screen readers. */
	label: string;
	/** The selected user's address. */
	chosen: string;
	/** The address of the screen with that person chosen. */
	searchFor: (email: string) => Record<string, string>;
}

/** Everybody with an account in a narrow list, searched by email or name: each a link to the same screen about them. */
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
	const pages = useKeysetPages();
	const input = { search: search || undefined, cursor: pages.cursor, limit: pageSize };
	const users = useQuery(api.people.list.queryOptions({ input, placeholderData: keepPreviousData }));
	if (users.isPending) return <PickerSkeleton />;
	if (users.isError) return <FailedQuery text={m.users_failed()} query={users} />;
	const { items, total, nextCursor } = users.data;
	if (items.length === 0 && pages.pageIndex === 0) return <EmptyState text={m.users_empty()} />;
	const before = pages.pageIndex * pageSize;
	return (
		<>
			<Box component="ul" mt={12} aria-busy={users.isPlaceholderData}>
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
			{(pages.onPrevious !== undefined || nextCursor !== null) && (
				<Pager
					label={m.users_pages()}
					range={formatRange(before, items.length, total)}
					isFetching={users.isPlaceholderData}
					onPrevious={pages.onPrevious}
					onNext={pages.onNext(nextCursor, users.isPlaceholderData)}
				/>
			)}
		</>
	);
}

function PickerSkeleton() {
	return (
		<Box role="status" aria-label={m.users_loading()} mt={12}>
			{Array.from({ length: 8 }, (_, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: boxes that never change places.
				<div key={index} className={classes.user}>
					<Skeleton width="32px" height="32px" isRound />
					<Skeleton width="70%" />
				</div>
			))}
		</Box>
	);
}
