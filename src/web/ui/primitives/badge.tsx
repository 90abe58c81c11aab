import { IconBan, IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { m } from '#messages';
import classes from './badge.module.css';
import { smallIconProps } from './icon.ts';

interface BadgeProps {
	tone: 'positive' | 'negative' | 'info' | 'accent' | 'neutral' | 'outline';
	/** 15 px; state is never told by colour alone. */
	icon?: ReactNode;
	children: ReactNode;
}

/** A short word about a thing's state. */
export function Badge({ tone, icon, children }: BadgeProps) {
	return (
		<span className={classes.badge} data-tone={tone}>
			{icon}
			{children}
		</span>
	);
}

/** How many wait, on the accent: at a navigation item. `label` says it in words to screen readers. */
export function CountBadge({ count, label }: { count: number; label: string }) {
	return (
		<span className={classes.count}>
			<span aria-hidden="true">{count > 99 ? '99+' : count}</span>
			<span className={classes.hidden}>{label}</span>
		</span>
	);
}

/** Whether somebody's login works, as the people's cards and the panel beside a conversation say it. */
export function ActiveBadge({ isActive }: { isActive: boolean }) {
	return isActive ? (
		<Badge tone="positive" icon={<IconCheck {...smallIconProps} />}>
			{m.users_active()}
		</Badge>
	) : (
		<Badge tone="negative" icon={<IconBan {...smallIconProps} />}>
			{m.users_deactivated()}
		</Badge>
	);
}
