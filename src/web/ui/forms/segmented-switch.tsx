import type { ReactNode } from 'react';
import { Tooltip } from '../overlays/tooltip.tsx';
import classes from './segmented-switch.module.css';

interface Segment<T extends string> {
	value: T;
	label: string;
	/** Replaces the label, which becomes the accessible name and the tooltip. */
	icon?: ReactNode;
}

interface SegmentedSwitchProps<T extends string> {
	label: string;
	segments: readonly Segment<T>[];
	value: T;
	onChange: (value: T) => void;
	/** Use `accent` only in the reader. */
	tone?: 'neutral' | 'accent';
}

export function SegmentedSwitch<T extends string>(props: SegmentedSwitchProps<T>) {
	const { label, segments, value, onChange, tone = 'neutral' } = props;
	return (
		// biome-ignore lint/a11y/useSemanticElements: these are toggle buttons, not form fields.
		<div role="group" aria-label={label} className={classes.segments} data-tone={tone}>
			{segments.map((segment) => (
				<Tooltip key={segment.value} label={segment.label} disabled={segment.icon === undefined}>
					<button
						type="button"
						className={classes.segment}
						data-icon={segment.icon === undefined ? undefined : true}
						aria-pressed={segment.value === value}
						aria-label={segment.icon === undefined ? undefined : segment.label}
						onClick={() => onChange(segment.value)}
					>
						{segment.icon ?? segment.label}
					</button>
				</Tooltip>
			))}
		</div>
	);
}
