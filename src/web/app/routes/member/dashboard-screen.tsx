import { Stack } from '@mantine/core';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { m } from '#messages';
import { BookCard } from '#web/features/book/shelf/book-card.tsx';
import { useGreeting, WelcomeDialog } from '#web/features/book/shelf/welcome-dialog.tsx';
import { type FileListQuery, listQuerySearchParams, parseListQuery } from '#web/features/files/file-list-query.ts';
import { FileToolbar, useRememberedView } from '#web/features/files/manager/file-toolbar.tsx';
import { MemberSpace } from '#web/features/files/manager/member-space.tsx';
import { DashboardButton } from '#web/features/sharing/dashboard-button/dashboard-button.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import classes from '../list-screen.module.css';

/** /dashboard: the book, the dashboard button, and the files of the member's space and the guest space. */
export function DashboardScreen() {
	const search: Record<string, unknown> = useLocation().search;
	const [view, rememberView] = useRememberedView();
	const ownQuery = parseListQuery(search, view);
	const guestQuery = parseListQuery({ ...search, path: search.guest }, view);
	const navigate = useNavigate();
	const greeting = useGreeting();

	const searchForOwn = (target: FileListQuery) => withGuest(listQuerySearchParams(target), guestQuery.path);
	const searchForGuest = (target: FileListQuery) =>
		withGuest(listQuerySearchParams({ ...target, path: ownQuery.path }), target.path);
	const changeListQuery = (change: Partial<FileListQuery>) => {
		if (change.view !== undefined) rememberView(change.view);
		void navigate({
			to: '.',
			search: withGuest(listQuerySearchParams({ ...ownQuery, ...change }), guestQuery.path),
			replace: true,
		});
	};

	return (
		<>
			<PageHeader title={m.screen_dashboard()} isHome />
			<WelcomeDialog />
			<Stack gap={40} maw={1200} className={classes.cards}>
				<Stack gap={16}>
					<p className={classes.greeting}>{greeting}</p>
					<BookCard />
					<DashboardButton />
				</Stack>
				<MemberSpace
					owner="me"
					title={m.files_my_files()}
					listQuery={ownQuery}
					searchParamsOf={searchForOwn}
					onChange={changeListQuery}
				>
					<FileToolbar listQuery={ownQuery} onChange={changeListQuery} />
				</MemberSpace>
				<MemberSpace
					owner="guest"
					title={m.files_space_guest()}
					note={m.files_space_guest_note()}
					listQuery={guestQuery}
					searchParamsOf={searchForGuest}
					onChange={changeListQuery}
				/>
			</Stack>
		</>
	);
}

function withGuest(search: Record<string, string>, guestPath: string): Record<string, string> {
	return guestPath === '' ? search : { ...search, guest: guestPath };
}
