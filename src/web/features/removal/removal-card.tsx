import { IconBan, IconTrash } from '@tabler/icons-react';
import { useId } from 'react';
import type { Person } from '#contract/people/people.ts';
import { m } from '#messages';
import { formatCount, formatSize } from '#web/platform/format.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { smallIconProps } from '#web/ui/icon.ts';
import classes from './removal-list.module.css';

/** One person with what would go, and the way to delete them; oneself, only another admin can. */
export function RemovalCard({ person, onDelete }: { person: Person; onDelete: () => void }) {
	const nameId = useId();
	return (
		<article className={classes.card} aria-labelledby={nameId}>
			<div className={classes.head}>
				<Avatar name={person.name} email={person.email} isMuted={!person.active} />
				<div className={classes.who}>
					<h2 id={nameId} className={classes.name} title={person.name ?? person.email}>
						{person.name ?? person.email}
					</h2>
					{person.name !== null && (
						<p className={classes.email} title={person.email}>
							{person.email}
						</p>
					)}
					<p className={classes.facts}>{factsOf(person)}</p>
				</div>
			</div>
			<div className={classes.actions}>
				<span className={classes.badges}>
					{person.role === 'admin' && <Badge tone="outline">{m.removal_admin()}</Badge>}
					{!person.active && (
						<Badge tone="negative" icon={<IconBan {...smallIconProps} />}>
							{m.removal_deactivated()}
						</Badge>
					)}
				</span>
				{person.isSelf ? (
					<p className={classes.self}>{m.removal_self()}</p>
				) : (
					<Button
						size="small"
						variant="danger"
						icon={<IconTrash {...smallIconProps} />}
						aria-describedby={nameId}
						onClick={onDelete}
					>
						{m.removal_delete()}
					</Button>
				)}
			</div>
		</article>
	);
}

function factsOf({ isSelf, fileCount, sizeBytes, order }: Person): string {
	const files =
		fileCount === 0
			? m.removal_facts_no_files()
			: m.removal_facts_files({ count: fileCount, shown: formatCount(fileCount), size: formatSize(sizeBytes) });
	const book = { none: undefined, pending: m.removal_order_pending(), complete: m.removal_order_complete() }[order];
	return [isSelf ? m.removal_you() : undefined, files, book].filter((part) => part !== undefined).join(' · ');
}
