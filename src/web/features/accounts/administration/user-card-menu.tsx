import {
	IconDeviceMobileOff,
	IconDevices,
	IconDotsVertical,
	IconEye,
	IconHistory,
	IconMessage,
	IconShieldDown,
	IconShieldUp,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { createContext, type ReactNode, use, useState } from 'react';
import type { UserSummary } from '#contract/accounts/administration.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { sessionQuery } from '#web/platform/session/session.ts';
import { ConfirmDialog } from '#web/ui/overlays/dialog.tsx';
import { MenuButton } from '#web/ui/overlays/dropdown-buttons.tsx';
import { dialogOnDemand, type Overlays } from '#web/ui/overlays/overlays-on-demand.tsx';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';

const UserDevicesDialog = dialogOnDemand(() => import('../sessions/devices.tsx'), 'UserDevicesDialog');

export function UserMenu({ person: user }: { person: UserSummary }) {
	const [openDialog, setOpenDialog] = useState<'devices' | 'role' | 'two-factor'>();
	const close = () => setOpenDialog(undefined);
	// After the start the session belongs to the member. The refetch makes all open tabs reload.
	const impersonate = useChange(client.viewAs.start, {
		refetch: [sessionQuery.queryKey],
		isPendingUntilRefetched: true,
	});
	const renderFurtherItem = use(FurtherUserItemContext);
	const { email } = user;
	const isAdmin = user.role === 'admin';
	return (
		<>
			<MenuButton
				position="bottom-end"
				button={(props) => (
					<IconButton size="small" label={m.users_more_of({ email })} icon={IconDotsVertical} {...props} />
				)}
			>
				{(Menu) => (
					<>
						<Menu.Item
							component={Link}
							to="/login-history"
							search={{ email } as never}
							leftSection={<IconHistory {...smallIconProps} />}
						>
							{m.users_login_history()}
						</Menu.Item>
						{!isAdmin && (
							<Menu.Item
								component={Link}
								to="/admin/contact"
								search={{ person: email } as never}
								leftSection={<IconMessage {...smallIconProps} />}
							>
								{m.users_open_chat()}
							</Menu.Item>
						)}
						<Menu.Item leftSection={<IconDevices {...smallIconProps} />} onClick={() => setOpenDialog('devices')}>
							{m.sessions_open()}
						</Menu.Item>
						{renderFurtherItem(user, Menu)}
						{!isAdmin && user.active && (
							<Menu.Item
								leftSection={<IconEye {...smallIconProps} />}
								disabled={impersonate.isPending}
								onClick={() => impersonate.mutate({ id: user.id })}
							>
								{m.users_impersonate()}
							</Menu.Item>
						)}
						{user.hasTwoFactor && !user.isSelf && (
							<Menu.Item
								leftSection={<IconDeviceMobileOff {...smallIconProps} />}
								onClick={() => setOpenDialog('two-factor')}
							>
								{m.users_reset_two_factor()}
							</Menu.Item>
						)}
						{!user.isSelf && (
							<Menu.Item
								leftSection={isAdmin ? <IconShieldDown {...smallIconProps} /> : <IconShieldUp {...smallIconProps} />}
								onClick={() => setOpenDialog('role')}
							>
								{isAdmin ? m.users_make_user() : m.users_make_admin()}
							</Menu.Item>
						)}
					</>
				)}
			</MenuButton>
			{openDialog === 'devices' && <UserDevicesDialog user={user} onClose={close} />}
			{openDialog === 'role' && <ChangeRoleDialog user={user} onClose={close} />}
			{openDialog === 'two-factor' && <ResetTwoFactorDialog user={user} onClose={close} />}
		</>
	);
}

function ResetTwoFactorDialog({ user, onClose }: { user: UserSummary; onClose: () => void }) {
	const reset = useChange(client.twoFactor.reset, {
		refetch: [api.people.key()],
		onSuccess: () => toastSuccess(m.users_two_factor_was_reset({ email: user.email })),
	});
	return (
		<ConfirmDialog
			onClose={onClose}
			onConfirm={() => reset.mutate({ id: user.id }, { onSettled: onClose })}
			question={m.users_reset_two_factor_question({ email: user.email })}
			detail={m.users_reset_two_factor_detail()}
			confirmLabel={m.users_reset_two_factor()}
			isBusy={reset.isPending}
		/>
	);
}

function ChangeRoleDialog({ user, onClose }: { user: UserSummary; onClose: () => void }) {
	const { id, email } = user;
	const setRole = useChange(client.people.setRole, {
		refetch: [api.people.key()],
		onSuccess: (changed) =>
			toastSuccess(changed.role === 'admin' ? m.users_is_admin({ email }) : m.users_is_user({ email })),
	});
	const labels =
		user.role === 'admin'
			? { question: m.users_make_user_question, detail: m.users_make_user_detail, confirm: m.users_make_user }
			: { question: m.users_make_admin_question, detail: m.users_make_admin_detail, confirm: m.users_make_admin };
	const role = user.role === 'admin' ? 'user' : 'admin';
	return (
		<ConfirmDialog
			onClose={onClose}
			onConfirm={() => setRole.mutate({ id, role }, { onSettled: onClose })}
			question={labels.question({ email })}
			detail={labels.detail()}
			confirmLabel={setRole.isPending ? m.users_changing_role() : labels.confirm()}
			isBusy={setRole.isPending}
		/>
	);
}

/** Lets a screen add a menu item of another feature to each user's card. */
export const FurtherUserItemContext = createContext<(user: UserSummary, Menu: Overlays['Menu']) => ReactNode>(
	() => null,
);
