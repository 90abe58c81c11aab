import { useState } from 'react';
import { m } from '#messages';
import { describeFailure } from '#web/platform/failure.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { FailedState } from '#web/ui/faces.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import classes from './share-dialog.module.css';
import { usePeopleFound, useRecentlySharedWith } from './sharing.api.ts';

interface SharePeopleProps {
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

/** Finds somebody to share with: those of late first, everybody by a search. */
export function SharePeople({ readers, isBusy, onShare }: SharePeopleProps) {
	const [search, setSearch] = useState('');
	const recent = useRecentlySharedWith();
	const found = usePeopleFound(search);
	const isSearching = search.trim() !== '';
	const candidates: Candidate[] = isSearching
		? (found.data?.items ?? []).map(({ email, name, active }) => ({ email, name, isInactive: !active }))
		: recent.map((email) => ({ email, name: null, isInactive: false }));
	const heading = isSearching ? m.sharing_found_people() : m.sharing_recent();
	return (
		<div>
			<SearchField label={m.sharing_find_person()} value={search} onChange={setSearch} />
			{isSearching && found.isError && (
				<FailedState
					text={m.people_failed()}
					detail={describeFailure(found.error).message}
					onRetry={() => void found.refetch()}
				/>
			)}
			{candidates.length > 0 && (
				<section className={classes.found} aria-label={heading}>
					<h3 className={classes.head}>{heading}</h3>
					<ul className={classes.people} aria-busy={isSearching && found.isPlaceholderData}>
						{candidates.map(({ email, name, isInactive }) => (
							<li key={email} className={classes.person}>
								<Avatar name={name} email={email} size={32} isMuted={isInactive} />
								<span className={classes.words}>
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
					{m.sharing_nobody_found()}
				</p>
			)}
		</div>
	);
}
