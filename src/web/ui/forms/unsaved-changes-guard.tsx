import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { m } from '#messages';
import { queryClient } from '#web/platform/api/query-client.ts';
import { type Session, sessionQuery, useMe, usePreservedScreen } from '#web/platform/session/session.ts';
import { ConfirmDialog } from '../overlays/dialog.tsx';

interface UnsavedChangesGuardProps {
	isUnsaved: boolean;
	/** By default, a general text. */
	detail?: string;
}

/** Path of the navigation that the user has confirmed. Further forms on the same screen then do not ask again. */
let confirmedPath: string | null = null;

/**
 * Asks before the user leaves a screen with unsaved changes. The form stays open when the session expires. If another
 * user then signs in, the page reloads without a question.
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
			// A changed search or filter changes the URL, but the user stays on the screen.
			return isUnsaved && current.pathname !== next.pathname && next.pathname !== confirmedPath;
		},
		enableBeforeUnload: () => isUnsaved && isOwn(),
		withResolver: true,
	});
	const { status, proceed } = blocker;
	useEffect(() => {
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
