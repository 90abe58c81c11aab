import { useBlocker } from '@tanstack/react-router';
import { m } from '#messages';
import { ConfirmDialog } from '#web/ui/dialog.tsx';

/** Asks before rows are left unsaved; the browser itself asks before a reload or a closed tab. */
export function LeaveGuard({ unsaved }: { unsaved: number }) {
	const blocker = useBlocker({
		// Search and filter change the address too, but leave nothing.
		shouldBlockFn: ({ current, next }) => unsaved > 0 && current.pathname !== next.pathname,
		enableBeforeUnload: () => unsaved > 0,
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
