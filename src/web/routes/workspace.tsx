import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { m } from '#messages';
import { useLogout } from '#web/features/account/account.api.ts';
import { PasswordReminder } from '#web/features/account/account-password-reminder.tsx';
import { useUnreadChat } from '#web/features/chat/chat.api.ts';
import { listUnsentKeys } from '#web/features/chat/chat-keeping.ts';
import { useDashboardShare } from '#web/features/sharing/dashboard-share.ts';
import { api } from '#web/platform/api.ts';
import { useMe } from '#web/platform/session.ts';
import { Shell } from '#web/ui/shell.tsx';
import { navigationFor } from './navigation.ts';

const UploadPanel = lazy(async () => {
	const { UploadPanel } = await import('#web/features/uploads/upload-panel.tsx');
	return { default: UploadPanel };
});

/** What was sent and is not there yet goes on after a reload, whatever screen is open. */
function useUnsentChat(meId: string): void {
	useEffect(() => {
		if (listUnsentKeys().length === 0) return;
		void import('#web/features/chat/use-chat.ts').then(({ resumeUnsent }) => resumeUnsent(meId));
	}, [meId]);
}

/** The shell with this person's navigation, around every screen but the reader. */
export function Workspace() {
	const me = useMe();
	const isAdmin = me.role === 'admin' && !me.mustSetUpTwoFactor;
	const pathname = useLocation({ select: (location) => location.pathname });
	const summary = useQuery({ ...api.orders.summary.queryOptions(), enabled: isAdmin });
	const share = useDashboardShare();
	const unreadChat = useUnreadChat();
	const logout = useLogout();
	useUnsentChat(me.id);
	return (
		<Shell
			state={{
				person: {
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
			{/* Here, so that uploads go on over every change of screen. */}
			{isAdmin && (
				<Suspense>
					<UploadPanel />
				</Suspense>
			)}
		</Shell>
	);
}
