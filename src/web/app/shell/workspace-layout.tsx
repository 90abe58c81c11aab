import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { m } from '#messages';
import { Shell } from '#web/app/shell/shell.tsx';
import { PasswordReminder } from '#web/features/accounts/passwords/password-reminder.tsx';
import { useUnreadCount } from '#web/features/chat/chat-api.ts';
import { listUnsentKeys } from '#web/features/chat/state/unsent-storage.ts';
import { UploadsOnDemand } from '#web/features/files/uploads/uploads-on-demand.tsx';
import { useDashboardShare } from '#web/features/sharing/dashboard-button/dashboard-button.tsx';
import { api, type CallOutputs, client } from '#web/platform/api/client.ts';
import { isUnreachable } from '#web/platform/api/failure.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { toastError, toastSuccess } from '#web/platform/browser/toasts.ts';
import { isOfflineSupported, readOfflineData } from '#web/platform/offline/offline-store.ts';
import { useMe } from '#web/platform/session/session.ts';
import { endSession, pendingSignOut, runBeforeSignOut, signOutTimeoutMs } from '#web/platform/session/session-end.ts';
import { navigationFor } from '../navigation/navigation.ts';

/** Continues to send chat messages that were unsent before a reload. */
function useResumeUnsentChat(meId: string): void {
	useEffect(() => {
		if (listUnsentKeys().length === 0) return;
		void import('#web/features/chat/state/use-conversation.ts').then(({ resumeUnsent }) => resumeUnsent(meId));
	}, [meId]);
}

/** Ends the session on the server and in every tab. With an offline copy, signing out also works offline. */
function useLogout(): () => void {
	const signOut = useChange(
		async (_input: undefined) => {
			await runBeforeSignOut();
			await client.account.signOut({}, { signal: AbortSignal.timeout(signOutTimeoutMs) });
		},
		{
			onSuccess: () => endSession('logout'),
			onError: async ({ status, message }) => {
				const canSignOutOffline =
					isUnreachable(status) && isOfflineSupported() && (await readOfflineData().catch(() => null)) !== null;
				if (!canSignOutOffline) return void toastError(message);
				pendingSignOut.store();
				toastSuccess(m.account_logged_out_here());
				endSession('logout');
			},
		},
	);
	return () => signOut.mutate();
}

const openStepsRefetchMs = 30_000;

/** Returns how many first steps are not done; 0 if an admin has dismissed the list. */
function countOpenSteps(list: CallOutputs['firstSteps']['get'] | undefined): number {
	return list === undefined || list.isDismissed ? 0 : list.steps.filter(({ state }) => state !== 'done').length;
}

export function WorkspaceLayout() {
	const me = useMe();
	const isAdmin = me.role === 'admin' && !me.mustSetUpTwoFactor;
	const pathname = useLocation({ select: (location) => location.pathname });
	const isAtSteps = useLocation({ select: ({ hash }) => hash === 'first-steps' });
	const summary = useQuery({ ...api.orders.summary.queryOptions(), enabled: isAdmin });
	const { data: firstSteps } = useQuery({
		...api.firstSteps.get.queryOptions(),
		enabled: isAdmin,
		// A step is done on other screens, or outside of the product.
		refetchInterval: ({ state }) => (countOpenSteps(state.data) > 0 ? openStepsRefetchMs : false),
	});
	const share = useDashboardShare();
	const unreadChat = useUnreadCount();
	const logout = useLogout();
	useResumeUnsentChat(me.id);
	return (
		<Shell
			state={{
				...(me.mustSetUpTwoFactor
					? { groups: [], tabs: [], parent: undefined }
					: navigationFor(me.role, pathname, {
							pendingOrders: summary.data?.pending ?? 0,
							unreadChat,
							openSteps: countOpenSteps(firstSteps),
							isAtSteps,
							dashboardShare: share?.path,
						})),
				onLogout: logout,
				notice: <PasswordReminder />,
			}}
		>
			<Outlet />
			{/* Mounted outside the screens, so that uploads continue after navigation. */}
			{isAdmin && <UploadsOnDemand />}
		</Shell>
	);
}
