import { useId } from 'react';
import type { Person } from '#contract/people/people.ts';
import { m } from '#messages';
import { formatCount, formatDate, formatSize, formatTime, isToday } from '#web/platform/format.ts';
import { ActiveBadge } from '#web/ui/active-badge.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { useSetActive } from './people.api.ts';
import classes from './people-card.module.css';
import { PersonMenu } from './people-card-menu.tsx';

/** One person: who, since when, what they hold, and what an admin can do. */
export function PersonCard({ person }: { person: Person }) {
	const nameId = useId();
	const adminBadge = person.role === 'admin' && <Badge tone="outline">{m.people_role_admin()}</Badge>;
	return (
		<article className={classes.card} data-deactivated={!person.active || undefined} aria-labelledby={nameId}>
			<div className={classes.head}>
				<Avatar name={person.name} email={person.email} isMuted={!person.active} />
				<div className={classes.who}>
					<h2 className={classes.nameRow}>
						<span id={nameId} className={classes.name} title={person.name ?? person.email}>
							{person.name ?? person.email}
						</span>
						{person.name !== null && adminBadge}
					</h2>
					{person.name === null ? (
						adminBadge
					) : (
						<p className={classes.email} title={person.email}>
							{person.email}
						</p>
					)}
				</div>
				<ActiveBadge isActive={person.active} />
			</div>
			<p className={classes.facts}>
				{signIns(person)}
				<br />
				{holdings(person)}
			</p>
			<PersonActions person={person} describedBy={nameId} />
		</article>
	);
}

function PersonActions({ person, describedBy }: { person: Person; describedBy: string }) {
	const setActive = useSetActive();
	return (
		<div className={classes.actions}>
			<ButtonLink to="/user/$email" params={{ email: person.email }} size="small" aria-describedby={describedBy}>
				{m.people_manage_files()}
			</ButtonLink>
			<span className={classes.more}>
				{!person.isSelf && (
					<Button
						size="small"
						variant={person.active ? 'quiet' : 'default'}
						aria-describedby={describedBy}
						disabled={setActive.isPending}
						onClick={() => setActive.mutate({ id: person.id, active: !person.active })}
					>
						{person.active ? m.people_deactivate() : m.people_activate()}
					</Button>
				)}
				<PersonMenu person={person} />
			</span>
		</div>
	);
}

function signIns({ loginCount, lastLoginAt, isSelf }: Person): string {
	if (loginCount === 0 || lastLoginAt === null) return m.people_never();
	const count = formatCount(loginCount);
	if (isSelf) return m.people_sign_ins_self({ count: loginCount, shown: count });
	const last = isToday(lastLoginAt) ? m.people_today({ time: formatTime(lastLoginAt) }) : formatDate(lastLoginAt);
	return m.people_sign_ins({ count: loginCount, shown: count, last });
}

function holdings({ isSelf, fileCount, sizeBytes, order }: Person): string {
	const files = fileCount > 0 ? m.people_files({ count: fileCount, size: formatSize(sizeBytes) }) : undefined;
	const book = { none: undefined, pending: m.people_order_pending(), complete: m.people_order_complete() }[order];
	const known = [isSelf ? m.people_you() : undefined, files, book].filter((part) => part !== undefined);
	return known.length > 0 ? known.join(' · ') : m.people_no_files();
}
