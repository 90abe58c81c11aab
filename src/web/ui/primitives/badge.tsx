import { IconBan, IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { m } from '#messages';
import classes from './badge.module.css';
import { smallIconProps } from './icon.ts';

interface BadgeProps {
	tone: 'positive' | 'negative' | 'info' | 'accent' | 'neutral' | 'outline';
	/** Icon of 15 px; a state is never shown by colour alone. */
	icon?: ReactNode;
	children: ReactNode;
}

/** A short label for an item's state. */
export function Badge({ tone, icon, children }: BadgeProps) {
	return (
		<span className={classes.badge} data-tone={tone}>
			{icon}
			{children}
		</span>
	);
}

/** Number of waiting items in the accent colour, at a navigation item. `label` is the text for screen readers. */
export function CountBadge({ count, label }: { count: number; label: string }) {
	return (
		<span className={classes.count}>
			<span aria-hidden="true">{count > 99 ? '99+' : count}</span>
			<span className={classes.hidden}>{label}</span>
		</span>
	);
}

/** Whether a user is active, as on the user cards and in the details beside a conversation. */
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
