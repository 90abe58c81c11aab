import { useState } from 'react';
import { m } from '#messages';
import { describeFailure } from '#web/platform/api/failure.ts';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { Avatar } from '#web/ui/primitives/avatar.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { FailedState } from '#web/ui/states/states.tsx';
import { useRecentlySharedWith, useRecipientSearch } from '../api.ts';
import classes from './share-dialog.module.css';

interface RecipientSearchProps {
	/** Who reads it already, by address. */
	readers: ReadonlySet<string>;
	isBusy: boolean;
	onShare: (email: string) => void;
}

interface Candidate {
	email: string;
	name: string | null;
	isInactive: boolean;
}

/** Finds a recipient: recent ones first, all users by a search. */
export function RecipientSearch({ readers, isBusy, onShare }: RecipientSearchProps) {
	const [search, setSearch] = useState('');
	const recent = useRecentlySharedWith();
	const found = useRecipientSearch(search);
	const isSearching = search.trim() !== '';
	const candidates: Candidate[] = isSearching
		? (found.data?.items ?? []).map(({ email, name, active }) => ({ email, name, isInactive: !active }))
		: recent.map((email) => ({ email, name: null, isInactive: false }));
	const heading = isSearching ? m.sharing_found_users() : m.sharing_recent();
	return (
		<div>
			<SearchField label={m.sharing_find_user()} value={search} onChange={setSearch} />
			{isSearching && found.isError && (
				<FailedState
					text={m.users_failed()}
					detail={describeFailure(found.error).message}
					onRetry={() => void found.refetch()}
				/>
			)}
			{candidates.length > 0 && (
				<section className={classes.found} aria-label={heading}>
					<h3 className={classes.heading}>{heading}</h3>
					<ul className={classes.users} aria-busy={isSearching && found.isPlaceholderData}>
						{candidates.map(({ email, name, isInactive }) => (
							<li key={email} className={classes.user}>
								<Avatar name={name} email={email} size={32} isMuted={isInactive} />
								<span className={classes.text}>
									<span className={classes.name}>{name ?? email}</span>
									<span className={classes.note}>
										{[
											isInactive ? m.sharing_inactive() : undefined,
											name === null ? undefined : email,
											readers.has(email) ? m.sharing_reads_already() : undefined,
										]
											.filter((word) => word !== undefined)
											.join(' · ')}
									</span>
								</span>
								<Button
									size="small"
									aria-label={m.sharing_share_with({ email })}
									disabled={isBusy}
									onClick={() => onShare(email)}
								>
									{m.sharing_share()}
								</Button>
							</li>
						))}
					</ul>
				</section>
			)}
			{isSearching && found.data?.items.length === 0 && (
				<p role="status" className={classes.none}>
					{m.sharing_no_users_found()}
				</p>
			)}
		</div>
	);
}
