import { type Icon, IconBan, IconCheck } from '@tabler/icons-react';
import type { CSSProperties, ReactNode } from 'react';
import { m } from '#messages';
import classes from './badge.module.css';
import { smallIconProps } from './icon.ts';
import textClasses from './text.module.css';

interface BadgeProps {
	tone: 'positive' | 'negative' | 'info' | 'accent' | 'neutral' | 'outline';
	/** Required for a state: a state must not be shown by colour alone. */
	icon?: Icon | false;
	children: ReactNode;
}

/** Returns undefined for tones whose colours the CSS class sets. */
export function toneColors(tone: BadgeProps['tone']): CSSProperties | undefined {
	if (tone === 'neutral' || tone === 'outline') return undefined;
	return { background: `var(--${tone}-soft)`, color: `var(--${tone})` };
}

export function Badge({ tone, icon: BadgeIcon, children }: BadgeProps) {
	return (
		<span className={classes.badge} data-tone={tone} style={toneColors(tone)}>
			{BadgeIcon && <BadgeIcon {...smallIconProps} />}
			{children}
		</span>
	);
}

interface CountBadgeProps {
	count: number;
	label: string;
	className?: string | undefined;
}

/** A number in the accent colour; renders nothing for 0. */
export function CountBadge({ count, label, className = '' }: CountBadgeProps) {
	if (count === 0) return null;
	return (
		<span className={`${classes.count} ${className}`}>
			<span aria-hidden="true">{count > 99 ? '99+' : count}</span>
			<span className={textClasses.hidden}>{label}</span>
		</span>
	);
}

export function ActiveBadge({ isActive }: { isActive: boolean }) {
	return isActive ? (
		<Badge tone="positive" icon={IconCheck}>
			{m.users_active()}
		</Badge>
	) : (
		<Badge tone="negative" icon={IconBan}>
			{m.users_deactivated()}
		</Badge>
	);
}
