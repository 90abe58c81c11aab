import { Menu } from '@mantine/core';
import {
	IconDeviceMobileOff,
	IconDotsVertical,
	IconEye,
	IconHistory,
	IconMessage,
	IconShieldDown,
	IconShieldUp,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { createContext, Fragment, type ReactNode, use, useState } from 'react';
import type { UserSummary } from '#contract/accounts/administration.ts';
import { m } from '#messages';
import { ConfirmDialog } from '#web/ui/overlays/dialog.tsx';
import { iconProps, smallIconProps } from '#web/ui/primitives/icon.ts';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import { useImpersonate, useResetTwoFactor, useSetRole } from './users-api.ts';

/** What is done more rarely with a person; what changes much asks first. */
export function UserMenu({ person: user }: { person: UserSummary }) {
	const [openDialog, setOpenDialog] = useState<'role' | 'two-factor'>();
	const close = () => setOpenDialog(undefined);
	const impersonate = useImpersonate();
	const actions = use(UserActionsContext);
	const { email } = user;
	const isAdmin = user.role === 'admin';
	return (
		<>
			<Menu position="bottom-end">
				<Menu.Target>
					<IconButton size="small" label={m.users_more_of({ email })} icon={<IconDotsVertical {...iconProps} />} />
				</Menu.Target>
				<Menu.Dropdown>
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
					{actions.map(({ key, render: draw }) => (
						<Fragment key={key}>{draw(user)}</Fragment>
					))}
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
				</Menu.Dropdown>
			</Menu>
			<ChangeRoleDialog person={user} isOpen={openDialog === 'role'} onClose={close} />
			<ResetTwoFactorDialog person={user} isOpen={openDialog === 'two-factor'} onClose={close} />
		</>
	);
}

interface UserDialogProps {
	person: UserSummary;
	isOpen: boolean;
	onClose: () => void;
}

function ResetTwoFactorDialog({ person: user, isOpen, onClose }: UserDialogProps) {
	const reset = useResetTwoFactor(user.email);
	return (
		<ConfirmDialog
			isOpen={isOpen}
			onClose={onClose}
			onConfirm={() => reset.mutate({ id: user.id }, { onSettled: onClose })}
			question={m.users_reset_two_factor_question({ email: user.email })}
			detail={m.users_reset_two_factor_detail()}
			confirmLabel={m.users_reset_two_factor()}
			isBusy={reset.isPending}
		/>
	);
}

function ChangeRoleDialog({ person: user, isOpen, onClose }: UserDialogProps) {
	const setRole = useSetRole();
	const { id, email } = user;
	// Both directions in words of their own: one gives everything away, the other takes it back.
	const labels =
		user.role === 'admin'
			? { question: m.users_make_user_question, detail: m.users_make_user_detail, confirm: m.users_make_user }
			: { question: m.users_make_admin_question, detail: m.users_make_admin_detail, confirm: m.users_make_admin };
	const role = user.role === 'admin' ? 'user' : 'admin';
	return (
		<ConfirmDialog
			isOpen={isOpen}
			onClose={onClose}
			onConfirm={() => setRole.mutate({ id, role }, { onSettled: onClose })}
			question={labels.question({ email })}
			detail={labels.detail()}
			confirmLabel={setRole.isPending ? m.users_changing_role() : labels.confirm()}
			isBusy={setRole.isPending}
		/>
	);
}

/** What another feature offers to do with a person: an item in the menu of their card, drawn while the menu is open. */
export interface UserAction {
	key: string;
	render: (person: UserSummary) => ReactNode;
}

/** Given by the screen, where features meet. */
export const UserActionsContext = createContext<readonly UserAction[]>([]);
