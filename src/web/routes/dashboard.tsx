import { useLocation, useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { m } from '#messages';
import { type FilePlace, parseFilePlace, searchOfPlace } from '#web/features/files/file-place.ts';
import { FileToolbar } from '#web/features/files/file-toolbar.tsx';
import { MemberSpace } from '#web/features/files/member-space.tsx';
import { useRememberedView } from '#web/features/files/use-remembered-view.ts';
import { BookCard } from '#web/features/reader/book-card.tsx';
import { useGreeting } from '#web/features/reader/use-greeting.ts';
import { WelcomeDialog } from '#web/features/reader/welcome-dialog.tsx';
import { DashboardButton } from '#web/features/sharing/dashboard-button.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import classes from './dashboard.module.css';

/** /dashboard: the book, the dashboard button, one's own files, and below them the guest space. Search and filter look through both spaces. */
export function DashboardScreen() {
	const search: Record<string, unknown> = useLocation().search;
	const [view, rememberView] = useRememberedView();
	const own = useMemo(() => parseFilePlace(search, view), [search, view]);
	const guest = useMemo(() => parseFilePlace({ ...search, path: search.guest }, view), [search, view]);
	const navigate = useNavigate();
	const greeting = useGreeting();

	const searchForOwn = (place: FilePlace) => withGuest(searchOfPlace(place), guest.path);
	const searchForGuest = (place: FilePlace) => withGuest(searchOfPlace({ ...place, path: own.path }), place.path);
	const narrow = useCallback(
		(change: Partial<FilePlace>) => {
			if (change.view !== undefined) rememberView(change.view);
			void navigate({ to: '.', search: withGuest(searchOfPlace({ ...own, ...change }), guest.path), replace: true });
		},
		[navigate, own, guest.path, rememberView],
	);

	return (
		<>
			<PageHeader title={m.screen_dashboard()} isHome />
			<WelcomeDialog />
			<div className={classes.body}>
				<div className={classes.top}>
					<p className={classes.greeting}>{greeting}</p>
					<BookCard />
					<DashboardButton />
				</div>
				<MemberSpace owner="me" title={m.files_my_files()} place={own} searchFor={searchForOwn} onChange={narrow}>
					<FileToolbar place={own} onChange={narrow} />
				</MemberSpace>
				<MemberSpace
					owner="guest"
					title={m.files_space_guest()}
					note={m.files_space_guest_note()}
					place={guest}
					searchFor={searchForGuest}
					onChange={narrow}
				/>
			</div>
		</>
	);
}

function withGuest(search: Record<string, string>, guestPath: string): Record<string, string> {
	return guestPath === '' ? search : { ...search, guest: guestPath };
}
