import { useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { m } from '#messages';
import { type Session, sessionQuery, useMe } from '#web/platform/session.ts';
import { useScreenHold } from '#web/platform/use-screen-hold.ts';
import { ConfirmDialog } from '#web/ui/dialog.tsx';

/**
 * Asks before rows are left unsaved; the browser itself asks before a reload or a closed tab. An expired session leaves
 * them standing. They are nobody else's: when another person signs in, the page begins anew without a question.
 */
export function LeaveGuard({ unsaved }: { unsaved: number }) {
	const queryClient = useQueryClient();
	const { id } = useMe();
	const isOwn = () => {
		const session = queryClient.getQueryData<Session>(sessionQuery.queryKey);
		return session?.state === 'active' && session.me.id === id;
	};
	useScreenHold(unsaved > 0);
	const blocker = useBlocker({
		// Search and filter change the address too, but leave nothing.
		shouldBlockFn: ({ current, next }) => unsaved > 0 && current.pathname !== next.pathname,
		enableBeforeUnload: () => unsaved > 0 && isOwn(),
		withResolver: true,
	});
	return (
		<ConfirmDialog
			isOpen={blocker.status === 'blocked'}
			onClose={() => blocker.reset?.()}
			onConfirm={() => blocker.proceed?.()}
			question={m.orders_leave_question()}
			detail={<p>{m.orders_unsaved({ count: unsaved })}</p>}
			confirmLabel={m.orders_leave()}
		/>
	);
}
