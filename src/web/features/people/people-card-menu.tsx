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
import { Fragment, use, useState } from 'react';
import type { Person } from '#contract/people/people.ts';
import { m } from '#messages';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { iconProps, smallIconProps } from '#web/ui/icon.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { useResetTwoFactor, useSetRole, useViewAs } from './people.api.ts';
import { PersonActionsContext } from './person-actions.ts';

/** What is done more rarely with a person; what changes much asks first. */
export function PersonMenu({ person }: { person: Person }) {
	const [asking, setAsking] = useState<'role' | 'two-factor'>();
	const close = () => setAsking(undefined);
	const viewAs = useViewAs();
	const actions = use(PersonActionsContext);
	const { email } = person;
	const isAdmin = person.role === 'admin';
	return (
		<>
			<Menu position="bottom-end">
				<Menu.Target>
					<IconButton size="small" label={m.people_more_of({ email })} icon={<IconDotsVertical {...iconProps} />} />
				</Menu.Target>
				<Menu.Dropdown>
					<Menu.Item
						component={Link}
						to="/login-history"
						search={{ email } as never}
						leftSection={<IconHistory {...smallIconProps} />}
					>
						{m.people_login_history()}
					</Menu.Item>
					{!isAdmin && (
						<Menu.Item
							component={Link}
							to="/admin/contact"
							search={{ person: email } as never}
							leftSection={<IconMessage {...smallIconProps} />}
						>
							{m.people_open_chat()}
						</Menu.Item>
					)}
					{actions.map(({ key, draw }) => (
						<Fragment key={key}>{draw(person)}</Fragment>
					))}
					{!isAdmin && person.active && (
						<Menu.Item
							leftSection={<IconEye {...smallIconProps} />}
							disabled={viewAs.isPending}
							onClick={() => viewAs.mutate({ id: person.id })}
						>
							{m.people_view_as()}
						</Menu.Item>
					)}
					{person.hasTwoFactor && !person.isSelf && (
						<Menu.Item
							leftSection={<IconDeviceMobileOff {...smallIconProps} />}
							onClick={() => setAsking('two-factor')}
						>
							{m.people_reset_two_factor()}
						</Menu.Item>
					)}
					{!person.isSelf && (
						<Menu.Item
							leftSection={isAdmin ? <IconShieldDown {...smallIconProps} /> : <IconShieldUp {...smallIconProps} />}
							onClick={() => setAsking('role')}
						>
							{isAdmin ? m.people_make_user() : m.people_make_admin()}
						</Menu.Item>
					)}
				</Menu.Dropdown>
			</Menu>
			<RoleDialog person={person} isOpen={asking === 'role'} onClose={close} />
			<TwoFactorDialog person={person} isOpen={asking === 'two-factor'} onClose={close} />
		</>
	);
}

function TwoFactorDialog({ person, isOpen, onClose }: { person: Person; isOpen: boolean; onClose: () => void }) {
	const reset = useResetTwoFactor(person.email);
	return (
		<ConfirmDialog
			isOpen={isOpen}
			onClose={onClose}
			onConfirm={() => reset.mutate({ id: person.id }, { onSettled: onClose })}
			question={m.people_reset_two_factor_question({ email: person.email })}
			detail={m.people_reset_two_factor_detail()}
			confirmLabel={m.people_reset_two_factor()}
			isBusy={reset.isPending}
		/>
	);
}

function RoleDialog({ person, isOpen, onClose }: { person: Person; isOpen: boolean; onClose: () => void }) {
	const setRole = useSetRole();
	const { id, email } = person;
	// Both directions in words of their own: one gives everything away, the other takes it back.
	const words =
		person.role === 'admin'
			? { question: m.people_make_user_question, detail: m.people_make_user_detail, confirm: m.people_make_user }
			: { question: m.people_make_admin_question, detail: m.people_make_admin_detail, confirm: m.people_make_admin };
	const role = person.role === 'admin' ? 'user' : 'admin';
	return (
		<ConfirmDialog
			isOpen={isOpen}
			onClose={onClose}
			onConfirm={() => setRole.mutate({ id, role }, { onSettled: onClose })}
			question={words.question({ email })}
			detail={words.detail()}
			confirmLabel={setRole.isPending ? m.people_changing_role() : words.confirm()}
			isBusy={setRole.isPending}
		/>
	);
}
