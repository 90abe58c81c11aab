import { useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { m } from '#messages';
import { type Session, sessionQuery, useMe, usePreservedScreen } from '#web/platform/session/session.ts';
import { ConfirmDialog } from '../overlays/dialog.tsx';

interface UnsavedChangesGuardProps {
	isUnsaved: boolean;
	/** What is not saved, where it is more than what stands on the screen. */
	detail?: string;
}

/** Where somebody has said that they go: of several forms on a screen one asks. */
let confirmedPath: string | null = null;

/**
 * Asks before somebody leaves a screen on which something is not saved; the browser itself asks before a reload or a closed
 * tab. An expired session leaves it standing. It is nobody else's: when another person signs in, the page begins anew
 * without a question.
 */
export function UnsavedChangesGuard({ isUnsaved, detail = m.common_unsaved() }: UnsavedChangesGuardProps) {
	const queryClient = useQueryClient();
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
			// Search and filter change the address too, but leave nothing.
			return isUnsaved && current.pathname !== next.pathname && next.pathname !== confirmedPath;
		},
		enableBeforeUnload: () => isUnsaved && isOwn(),
		withResolver: true,
	});
	const { status, proceed } = blocker;
	useEffect(() => {
		// Saved while it was asked: there is nothing left to ask.
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
