import { IconBan, IconCheck } from '@tabler/icons-react';
import type { CSSProperties, ReactNode } from 'react';
import { m } from '#messages';
import classes from './badge.module.css';
import { smallIconProps } from './icon.ts';
import textClasses from './text.module.css';

interface BadgeProps {
	tone: 'positive' | 'negative' | 'info' | 'accent' | 'neutral' | 'outline';
	/** Icon of 15 px; a state is never shown by colour alone. */
	icon?: ReactNode;
	children: ReactNode;
}

/** Returns the ground and the text colour of a state; undefined for a tone whose colours the class sets. */
export function toneColors(tone: BadgeProps['tone']): CSSProperties | undefined {
	if (tone === 'neutral' || tone === 'outline') return undefined;
	return { background: `var(--${tone}-soft)`, color: `var(--${tone})` };
}

/** A short label for an item's state. */
export function Badge({ tone, icon, children }: BadgeProps) {
	return (
		<span className={classes.badge} data-tone={tone} style={toneColors(tone)}>
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
			<span className={textClasses.hidden}>{label}</span>
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
