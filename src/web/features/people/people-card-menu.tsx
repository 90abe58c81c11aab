import { Menu } from '@mantine/core';
import { IconDotsVertical, IconHistory, IconShieldDown, IconShieldUp } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { use, useState } from 'react';
import type { Person } from '#contract/people/people.ts';
import { m } from '#messages';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { iconProps, smallIconProps } from '#web/ui/icon.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { useSetRole } from './people.api.ts';
import { PersonActionsContext } from './person-actions.ts';

/** What is done more rarely with a person: their history, what other features offer, and a change of role, which asks first. */
export function PersonMenu({ person }: { person: Person }) {
	const [isAsking, setAsking] = useState(false);
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
					{actions.map(({ key, label, icon, onSelect }) => (
						<Menu.Item key={key} leftSection={icon} onClick={() => onSelect(person)}>
							{label}
						</Menu.Item>
					))}
					{!person.isSelf && (
						<Menu.Item
							leftSection={isAdmin ? <IconShieldDown {...smallIconProps} /> : <IconShieldUp {...smallIconProps} />}
							onClick={() => setAsking(true)}
						>
							{isAdmin ? m.people_make_user() : m.people_make_admin()}
						</Menu.Item>
					)}
				</Menu.Dropdown>
			</Menu>
			<RoleDialog person={person} isOpen={isAsking} onClose={() => setAsking(false)} />
		</>
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
