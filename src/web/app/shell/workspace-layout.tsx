import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { m } from '#messages';
import { Shell } from '#web/app/shell/shell.tsx';
import { PasswordReminder } from '#web/features/accounts/passwords/password-reminder.tsx';
import { useLogout } from '#web/features/accounts/sign-in/sign-in-api.ts';
import { useUnreadCount } from '#web/features/chat/chat-api.ts';
import { listUnsentKeys } from '#web/features/chat/state/unsent-storage.ts';
import { useDashboardShare } from '#web/features/sharing/dashboard-button/dashboard-button.tsx';
import { api } from '#web/platform/api/client.ts';
import { useMe } from '#web/platform/session/session.ts';
import { navigationFor } from '../navigation/navigation.ts';

const UploadPanel = lazy(async () => {
	const { UploadPanel } = await import('#web/features/files/uploads/panel/upload-panel.tsx');
	return { default: UploadPanel };
});

/** Resumes sending unsent chat messages after a reload, whatever screen is open. */
function useResumeUnsentChat(meId: string): void {
	useEffect(() => {
		if (listUnsentKeys().length === 0) return;
		void import('#web/features/chat/state/use-conversation.ts').then(({ resumeUnsent }) => resumeUnsent(meId));
	}, [meId]);
}

/** The shell with the user's navigation, around every screen but the reader. */
export function WorkspaceLayout() {
	const me = useMe();
	const isAdmin = me.role === 'admin' && !me.mustSetUpTwoFactor;
	const pathname = useLocation({ select: (location) => location.pathname });
	const summary = useQuery({ ...api.orders.summary.queryOptions(), enabled: isAdmin });
	const share = useDashboardShare();
	const unreadChat = useUnreadCount();
	const logout = useLogout();
	useResumeUnsentChat(me.id);
	return (
		<Shell
			state={{
				user: {
					email: me.email,
					name: me.name,
					roleLabel: me.role === 'admin' ? m.common_role_admin() : m.common_role_user(),
				},
				groups: me.mustSetUpTwoFactor
					? []
					: navigationFor(me.role, pathname, {
							pendingOrders: summary.data?.pending ?? 0,
							unreadChat,
							dashboardShare: share?.path,
						}),
				onLogout: logout,
				notice: <PasswordReminder />,
			}}
		>
			<Outlet />
			{/* Mounted here, so that uploads continue when the screen changes. */}
			{isAdmin && (
				<Suspense>
					<UploadPanel />
				</Suspense>
			)}
		</Shell>
	);
}
