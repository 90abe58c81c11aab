import { Box, Flex } from '@mantine/core';
import { type Icon, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { iconProps } from '../primitives/icon.ts';
import classes from './selection-bar.module.css';

interface SelectionBarProps {
	/** Accessible names of the bar and of its close button. */
	labels: { bar: string; clear: string };
	text: string;
	note?: string | undefined;
	isBusy?: boolean;
	actions: Array<{ label: string; icon: Icon; onClick: () => void; isDangerous?: boolean }>;
	onClear: () => void;
	children?: ReactNode;
}

/** A bar with the actions for the selected rows. It floats above the bottom of the page. */
export function SelectionBar({ labels, text, note, isBusy, actions, onClear, children }: SelectionBarProps) {
	return (
		<Flex component="section" align="center" mih={48} className={classes.bar} aria-label={labels.bar}>
			<p className={classes.count} role="status">
				<span>{text}</span>
				{note !== undefined && (
					<Box component="span" c="var(--on-band-muted)" fw={400}>
						{note}
					</Box>
				)}
			</p>
			{children}
			{actions.map(({ label, icon: ActionIcon, onClick, isDangerous }) => (
				<button
					key={label}
					type="button"
					className={classes.action}
					data-danger={isDangerous || undefined}
					disabled={isBusy}
					onClick={onClick}
				>
					<ActionIcon {...iconProps} />
					{/* If there are several actions, a phone shows only their icons. */}
					<span className={actions.length > 1 ? classes.label : undefined}>{label}</span>
				</button>
			))}
			<button type="button" className={classes.close} aria-label={labels.clear} onClick={onClear}>
				<IconX {...iconProps} />
			</button>
		</Flex>
	);
}
