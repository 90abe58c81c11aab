import { Box } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { FailedQuery } from '#web/ui/states/states.tsx';
import classes from './share-dialog.module.css';
import { UserRow } from './share-readers.tsx';

interface RecipientSearchProps {
	readers: ReadonlySet<string>;
	isBusy: boolean;
	onShare: (email: string) => void;
}

/** Shows recent recipients, or the first users who match the search. */
export function RecipientSearch({ readers, isBusy, onShare }: RecipientSearchProps) {
	const [search, setSearch] = useState('');
	const recent = useRecentlySharedWith();
	const input = { search: search.trim(), limit: 8 };
	const users = useQuery(
		api.people.list.queryOptions({ input, enabled: input.search !== '', placeholderData: keepPreviousData }),
	);
	const isSearching = search.trim() !== '';
	const candidates = isSearching
		? (users.data?.items ?? []).map(({ email, name, active }) => ({ email, name, isInactive: !active }))
		: recent.map((email) => ({ email, name: null, isInactive: false }));
	const heading = isSearching ? m.sharing_found_users() : m.sharing_recent();
	return (
		<div>
			<SearchField label={m.sharing_find_user()} value={search} onChange={setSearch} />
			{isSearching && users.isError && <FailedQuery text={m.users_failed()} query={users} />}
			{candidates.length > 0 && (
				<Box component="section" mt={16} aria-label={heading}>
					<h3 className={classes.heading}>{heading}</h3>
					<ul aria-busy={isSearching && users.isPlaceholderData}>
						{candidates.map(({ email, name, isInactive }) => (
							<UserRow
								key={email}
								name={name}
								email={email}
								isMuted={isInactive}
								notes={[
									isInactive && m.sharing_inactive(),
									name !== null && email,
									readers.has(email) && m.sharing_reads_already(),
								]}
							>
								<Button
									size="small"
									aria-label={m.sharing_share_with({ email })}
									disabled={isBusy}
									onClick={() => onShare(email)}
								>
									{m.sharing_share()}
								</Button>
							</UserRow>
						))}
					</ul>
				</Box>
			)}
			{isSearching && users.data?.items.length === 0 && (
				<Box component="p" mt={12} c="dimmed" role="status">
					{m.sharing_no_users_found()}
				</Box>
			)}
		</div>
	);
}

/** Returns the email addresses of the most recent recipients. */
function useRecentlySharedWith(): string[] {
	const input = { limit: 20 };
	const folders = useQuery(api.sharing.folderDocuments.queryOptions({ input }));
	const files = useQuery(api.sharing.fileDocuments.queryOptions({ input }));
	const newest = [...(folders.data?.items ?? []), ...(files.data?.items ?? [])].sort((a, b) =>
		b.sharedAt.localeCompare(a.sharedAt),
	);
	return [...new Set(newest.map(({ sharedWith }) => sharedWith))].slice(0, 5);
}
