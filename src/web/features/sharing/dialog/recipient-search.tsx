import { Box } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { FailedQuery } from '#web/ui/states/states.tsx';
import { useRecentlySharedWith, useRecipientSearch } from '../api.ts';
import classes from './share-dialog.module.css';
import { UserRow } from './share-readers.tsx';

interface RecipientSearchProps {
	readers: ReadonlySet<string>;
	isBusy: boolean;
	onShare: (email: string) => void;
}

/** Finds a recipient: recent ones first, all users by a search. */
export function RecipientSearch({ readers, isBusy, onShare }: RecipientSearchProps) {
	const [search, setSearch] = useState('');
	const recent = useRecentlySharedWith();
	const found = useRecipientSearch(search);
	const isSearching = search.trim() !== '';
	const candidates = isSearching
		? (found.data?.items ?? []).map(({ email, name, active }) => ({ email, name, isInactive: !active }))
		: recent.map((email) => ({ email, name: null, isInactive: false }));
	const heading = isSearching ? m.sharing_found_users() : m.sharing_recent();
	return (
		<div>
			<SearchField label={m.sharing_find_user()} value={search} onChange={setSearch} />
			{isSearching && found.isError && <FailedQuery text={m.users_failed()} query={found} />}
			{candidates.length > 0 && (
				<Box component="section" mt={16} aria-label={heading}>
					<h3 className={classes.heading}>{heading}</h3>
					<ul aria-busy={isSearching && found.isPlaceholderData}>
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
			{isSearching && found.data?.items.length === 0 && (
				<p role="status" className={classes.none}>
					{m.sharing_no_users_found()}
				</p>
			)}
		</div>
	);
}
