import { Center, Flex, Group, Stack } from '@mantine/core';
import { useId } from 'react';
import type { UserSummary } from '#contract/accounts/administration.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { formatCount, formatRecent, formatStorage } from '#web/platform/formats/format.ts';
import { SelectionCheckbox } from '#web/ui/forms/selection-checkbox.tsx';
import { toastWithUndo } from '#web/ui/overlays/toasts-with-button.tsx';
import { Avatar } from '#web/ui/primitives/avatar.tsx';
import { ActiveBadge, Badge } from '#web/ui/primitives/badge.tsx';
import { Button, ButtonLink } from '#web/ui/primitives/button.tsx';
import classes from './user-card.module.css';
import { UserMenu } from './user-card-menu.tsx';

interface UserCardProps {
	person: UserSummary;
	isSelected: boolean;
	/** Selects or deselects the user; undefined while users are not selected. */
	onSelect: (() => void) | undefined;
}

export function UserCard({ person: user, isSelected, onSelect }: UserCardProps) {
	const nameId = useId();
	const adminBadge = user.role === 'admin' && <Badge tone="outline">{m.users_role_admin()}</Badge>;
	return (
		<article
			className={classes.card}
			data-deactivated={!user.active || undefined}
			data-selected={isSelected || undefined}
			aria-labelledby={nameId}
		>
			<Group align="flex-start" gap={12} wrap="nowrap" p="14px 16px 0">
				{onSelect !== undefined && (
					<Center mih={40}>
						<SelectionCheckbox
							label={m.users_select_of({ email: user.email })}
							isChecked={isSelected}
							onChange={onSelect}
						/>
					</Center>
				)}
				<Avatar name={user.name} email={user.email} isMuted={!user.active} />
				<Stack align="flex-start" justify="center" gap={0} flex={1} miw={0} mih={40}>
					<Flex component="h2" align="center" gap={8} className={classes.nameRow}>
						<span id={nameId} className={classes.name} title={user.name ?? user.email}>
							{user.name ?? user.email}
						</span>
						{user.name !== null && adminBadge}
					</Flex>
					{user.name === null ? (
						adminBadge
					) : (
						<p className={classes.email} title={user.email}>
							{user.email}
						</p>
					)}
				</Stack>
				<ActiveBadge isActive={user.active} />
			</Group>
			<p className={classes.facts}>
				{signInsText(user)}
				<br />
				{accountSummary(user)}
			</p>
			<UserActions person={user} describedBy={nameId} />
		</article>
	);
}

function UserActions({ person: user, describedBy }: { person: UserSummary; describedBy: string }) {
	const setActive = useChange(client.people.setActive, {
		refetch: [api.people.key()],
		onSuccess: ({ id, email, active }) => {
			const sentence = active ? m.users_activated({ email }) : m.users_was_deactivated({ email });
			toastWithUndo(sentence, () => setActive.mutate({ id, active: !active }));
		},
	});
	return (
		<div className={classes.actions}>
			<ButtonLink to="/user/$email" params={{ email: user.email }} size="small" aria-describedby={describedBy}>
				{m.users_manage_files()}
			</ButtonLink>
			<Group gap={4} wrap="nowrap">
				{!user.isSelf && (
					<Button
						size="small"
						variant={user.active ? 'quiet' : 'default'}
						aria-describedby={describedBy}
						disabled={setActive.isPending}
						onClick={() => setActive.mutate({ id: user.id, active: !user.active })}
					>
						{user.active ? m.users_deactivate() : m.users_activate()}
					</Button>
				)}
				<UserMenu person={user} />
			</Group>
		</div>
	);
}

function signInsText({ loginCount, lastLoginAt, isSelf }: UserSummary): string {
	if (loginCount === 0 || lastLoginAt === null) return m.users_never();
	const count = formatCount(loginCount);
	if (isSelf) return m.users_sign_ins_self({ count: loginCount, shown: count });
	return m.users_sign_ins({ count: loginCount, shown: count, last: formatRecent(lastLoginAt) });
}

function accountSummary({ isSelf, fileCount, sizeBytes, book }: UserSummary): string {
	const files = fileCount > 0 ? m.users_files({ count: fileCount, size: formatStorage(sizeBytes) }) : undefined;
	const access = { none: undefined, pending: m.users_order_pending(), open: m.users_order_complete() }[book];
	const parts = [isSelf ? m.users_you() : undefined, files, access].filter((part) => part !== undefined);
	return parts.length > 0 ? parts.join(' · ') : m.users_no_files();
}
