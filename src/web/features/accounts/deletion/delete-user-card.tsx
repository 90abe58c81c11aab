import { IconBan, IconTrash } from '@tabler/icons-react';
import { useId } from 'react';
import type { UserSummary } from '#contract/accounts/administration.ts';
import { m } from '#messages';
import { formatCount, formatSize } from '#web/platform/formats/format.ts';
import { Avatar } from '#web/ui/primitives/avatar.tsx';
import { Badge } from '#web/ui/primitives/badge.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import classes from './delete-user-list.module.css';

/** One person with what would go, and the way to delete them; oneself, only another admin can. */
export function DeleteUserCard({ person: user, onDelete }: { person: UserSummary; onDelete: () => void }) {
	const nameId = useId();
	return (
		<article className={classes.card} aria-labelledby={nameId}>
			<div className={classes.header}>
				<Avatar name={user.name} email={user.email} isMuted={!user.active} />
				<div className={classes.identity}>
					<h2 id={nameId} className={classes.name} title={user.name ?? user.email}>
						{user.name ?? user.email}
					</h2>
					{user.name !== null && (
						<p className={classes.email} title={user.email}>
							{user.email}
						</p>
					)}
					<p className={classes.facts}>{accountSummary(user)}</p>
				</div>
			</div>
			<div className={classes.actions}>
				<span className={classes.badges}>
					{user.role === 'admin' && <Badge tone="outline">{m.account_deletion_admin()}</Badge>}
					{!user.active && (
						<Badge tone="negative" icon={<IconBan {...smallIconProps} />}>
							{m.account_deletion_deactivated()}
						</Badge>
					)}
				</span>
				{user.isSelf ? (
					<p className={classes.self}>{m.account_deletion_self()}</p>
				) : (
					<Button
						size="small"
						variant="danger"
						icon={<IconTrash {...smallIconProps} />}
						aria-describedby={nameId}
						onClick={onDelete}
					>
						{m.account_deletion_delete()}
					</Button>
				)}
			</div>
		</article>
	);
}

function accountSummary({ isSelf, fileCount, sizeBytes, order }: UserSummary): string {
	const files =
		fileCount === 0
			? m.account_deletion_facts_no_files()
			: m.account_deletion_facts_files({
					count: fileCount,
					shown: formatCount(fileCount),
					size: formatSize(sizeBytes),
				});
	const book = {
		none: undefined,
		pending: m.account_deletion_order_pending(),
		complete: m.account_deletion_order_complete(),
	}[order];
	return [isSelf ? m.account_deletion_you() : undefined, files, book].filter((part) => part !== undefined).join(' · ');
}
