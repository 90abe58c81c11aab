import { Group, Stack, Text } from '@mantine/core';
import { IconBan, IconTrash } from '@tabler/icons-react';
import { useId } from 'react';
import type { UserSummary } from '#contract/accounts/administration.ts';
import { m } from '#messages';
import { formatCount, formatStorage } from '#web/platform/formats/format.ts';
import cardClasses from '#web/ui/data/cards.module.css';
import { Avatar } from '#web/ui/primitives/avatar.tsx';
import { Badge } from '#web/ui/primitives/badge.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import classes from '../administration/user-card.module.css';

/** Shows how many files and which order a user has, and a Delete button. Admins cannot delete themselves. */
export function DeleteUserCard({ person: user, onDelete }: { person: UserSummary; onDelete: () => void }) {
	const nameId = useId();
	return (
		<article className={cardClasses.card} aria-labelledby={nameId}>
			<Group align="stretch" gap={12} wrap="nowrap" flex={1} mih={92} p="14px 16px 10px">
				<Avatar name={user.name} email={user.email} isMuted={!user.active} />
				<Stack gap={2} flex={1} miw={0}>
					<h2 id={nameId} className={classes.name} title={user.name ?? user.email}>
						{user.name ?? user.email}
					</h2>
					{user.name !== null && (
						<p className={classes.email} title={user.email}>
							{user.email}
						</p>
					)}
					<Text pt={4} c="var(--ink-2)" fz={13}>
						{accountSummary(user)}
					</Text>
				</Stack>
			</Group>
			<div className={classes.actions}>
				<Group gap={6}>
					{user.role === 'admin' && <Badge tone="outline">{m.account_deletion_admin()}</Badge>}
					{!user.active && (
						<Badge tone="negative" icon={IconBan}>
							{m.account_deletion_deactivated()}
						</Badge>
					)}
				</Group>
				{user.isSelf ? (
					<Text p="4px 8px 4px 0" c="dimmed" fz={13} ta="end">
						{m.account_deletion_self()}
					</Text>
				) : (
					<Button size="small" variant="danger" icon={IconTrash} aria-describedby={nameId} onClick={onDelete}>
						{m.account_deletion_delete()}
					</Button>
				)}
			</div>
		</article>
	);
}

function accountSummary({ isSelf, fileCount, sizeBytes, order }: UserSummary): string {
	const figures = { count: fileCount, shown: formatCount(fileCount), size: formatStorage(sizeBytes) };
	const files = fileCount === 0 ? m.account_deletion_facts_no_files() : m.account_deletion_facts_files(figures);
	const book = {
		none: undefined,
		pending: m.account_deletion_order_pending(),
		complete: m.account_deletion_order_complete(),
	}[order];
	return [isSelf ? m.account_deletion_you() : undefined, files, book].filter((part) => part !== undefined).join(' · ');
}
