import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { m } from '#messages';
import { api } from '#web/platform/api.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { EmptyState, FailedQuery } from '#web/ui/faces.tsx';
import { Pager, rangeOf } from '#web/ui/pager.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useKeysetPages } from '#web/ui/use-keyset-pages.ts';
import classes from './people-picker.module.css';

const pageSize = 25;

interface PeoplePickerProps {
	/** Names the list for screen readers. */
	label: string;
	/** Address of whoever is chosen. */
	chosen: string;
	/** The address of the screen with that person chosen. */
	searchFor: (email: string) => Record<string, string>;
}

/** Everybody with an account in a narrow list, searched by email or name: each a link to the same screen about them. */
export function PeoplePicker({ label, chosen, searchFor }: PeoplePickerProps) {
	const [search, setSearch] = useState('');
	return (
		<section aria-label={label} className={classes.picker}>
			<SearchField label={m.people_search()} value={search} onChange={setSearch} />
			<PickerPage key={search} search={search} chosen={chosen} searchFor={searchFor} />
		</section>
	);
}

function PickerPage({ search, chosen, searchFor }: { search: string } & Omit<PeoplePickerProps, 'label'>) {
	const pages = useKeysetPages();
	const input = { search: search || undefined, cursor: pages.cursor, limit: pageSize };
	const people = useQuery(api.people.list.queryOptions({ input, placeholderData: keepPreviousData }));
	if (people.isPending) return <PickerSkeleton />;
	if (people.isError) {
		return <FailedQuery text={m.people_failed()} query={people} />;
	}
	const { items, total, nextCursor } = people.data;
	if (items.length === 0 && pages.passed === 0) return <EmptyState text={m.people_empty()} />;
	const before = pages.passed * pageSize;
	return (
		<>
			<ul className={classes.people} aria-busy={people.isPlaceholderData}>
				{items.map(({ id, email, name, active }) => (
					<li key={id}>
						<Link
							to="."
							search={searchFor(email)}
							className={classes.person}
							aria-current={email.toLowerCase() === chosen.toLowerCase() ? 'true' : undefined}
						>
							<Avatar name={name} email={email} size={32} isMuted={!active} />
							<span className={classes.words}>
								<span className={classes.name}>{name ?? email}</span>
								{(name !== null || !active) && (
									<span className={classes.email}>
										{[active ? undefined : m.people_deactivated(), name === null ? undefined : email]
											.filter((word) => word !== undefined)
											.join(' · ')}
									</span>
								)}
							</span>
						</Link>
					</li>
				))}
			</ul>
			{(pages.onPrevious !== undefined || nextCursor !== null) && (
				<Pager
					label={m.people_pages()}
					range={rangeOf(before, items.length, total)}
					isComing={people.isPlaceholderData}
					onPrevious={pages.onPrevious}
					onNext={pages.onNext(nextCursor, people.isPlaceholderData)}
				/>
			)}
		</>
	);
}

function PickerSkeleton() {
	return (
		<div role="status" aria-label={m.people_loading()} className={classes.people}>
			{Array.from({ length: 8 }, (_, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: boxes that never change places.
				<div key={index} className={classes.person}>
					<Skeleton width="32px" height="32px" isRound />
					<Skeleton width="70%" />
				</div>
			))}
		</div>
	);
}
