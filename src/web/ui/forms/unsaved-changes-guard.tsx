import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { m } from '#messages';
import { queryClient } from '#web/platform/api/query-client.ts';
import { type Session, sessionQuery, useMe, usePreservedScreen } from '#web/platform/session/session.ts';
import { ConfirmDialog } from '../overlays/dialog.tsx';

interface UnsavedChangesGuardProps {
	isUnsaved: boolean;
	/** Describes what is not saved, if that is more than the screen shows. */
	detail?: string;
}

/** The path that the user has confirmed to go to, so that only one of several forms on a screen asks. */
let confirmedPath: string | null = null;

/**
 * Asks before the user leaves a screen with unsaved changes; the browser itself asks before a reload or a closed tab.
 * The screen is kept when the session expires. Unsaved changes are private: when another user signs in, the page
 * reloads without a question.
 */
export function UnsavedChangesGuard({ isUnsaved, detail = m.common_unsaved() }: UnsavedChangesGuardProps) {
	const { id } = useMe();
	const isOwn = () => {
		const session = queryClient.getQueryData<Session>(sessionQuery.queryKey);
		return session?.state === 'active' && session.me.id === id;
	};
	usePreservedScreen(isUnsaved);
	useEffect(() => {
		confirmedPath = null;
	}, []);
	const askedPath = useRef('');
	const blocker = useBlocker({
		shouldBlockFn: ({ current, next }) => {
			askedPath.current = next.pathname;
			// Search and filter change the address too, but do not leave the screen.
			return isUnsaved && current.pathname !== next.pathname && next.pathname !== confirmedPath;
		},
		enableBeforeUnload: () => isUnsaved && isOwn(),
		withResolver: true,
	});
	const { status, proceed } = blocker;
	useEffect(() => {
		// The form was saved while the question was open: there is nothing left to ask.
		if (status === 'blocked' && !isUnsaved) proceed();
	}, [status, proceed, isUnsaved]);
	return (
		<ConfirmDialog
			isOpen={blocker.status === 'blocked'}
			onClose={() => blocker.reset?.()}
			onConfirm={() => {
				confirmedPath = askedPath.current;
				blocker.proceed?.();
			}}
			question={m.common_leave_question()}
			detail={<p>{detail}</p>}
			confirmLabel={m.common_leave()}
		/>
	);
}
