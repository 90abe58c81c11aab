import { useCallback } from 'react';
import { m } from '#messages';
import { peoplePageSize, usePeople } from '#web/features/people/people.api.ts';
import { removalSearch } from '#web/features/removal/removal.api.ts';
import { RemovalList, RemovalSkeleton } from '#web/features/removal/removal-list.tsx';
import { RemovalProgress } from '#web/features/removal/removal-progress.tsx';
import { useUrlState } from '#web/platform/url-state.ts';
import { FailedQuery } from '#web/ui/faces.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { useKeysetPages } from '#web/ui/use-keyset-pages.ts';
import classes from './list-screen.module.css';

/** /delete-user: find somebody, and delete them for good. */
export function DeleteUserScreen() {
	const [{ search }, setSearch] = useUrlState(removalSearch);
	const find = useCallback((text: string) => setSearch({ search: text }), [setSearch]);
	return (
		<>
			<PageHeader title={m.screen_delete_user()} />
			<div className={classes.page}>
				<div className={classes.tools}>
					<SearchField label={m.removal_search()} value={search} onChange={find} />
				</div>
				<p className={classes.intro}>{m.removal_intro()}</p>
				<RemovalProgress />
				<PagedPeople key={search} search={search} onClear={() => find('')} />
			</div>
		</>
	);
}

function PagedPeople({ search, onClear }: { search: string; onClear: () => void }) {
	const pages = useKeysetPages();
	const people = usePeople({ search, filter: 'all' }, pages.cursor);
	if (people.isPending) return <RemovalSkeleton />;
	if (people.isError) {
		return <FailedQuery text={m.removal_load_failed()} query={people} />;
	}
	const { items, total, nextCursor } = people.data;
	return (
		<RemovalList
			people={items}
			total={total}
			before={pages.passed * peoplePageSize}
			onPrevious={pages.onPrevious}
			onNext={pages.onNext(nextCursor, people.isPlaceholderData)}
			isChanging={people.isPlaceholderData}
			onClear={search === '' ? undefined : onClear}
		/>
	);
}
