import type { ReactNode } from 'react';
import classes from './badge.module.css';

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
export function Count({ count, label }: { count: number; label: string }) {
	return (
		<span className={classes.count}>
			<span aria-hidden="true">{count > 99 ? '99+' : count}</span>
			<span className={classes.hidden}>{label}</span>
		</span>
	);
}
