import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './skeleton.module.css';

interface SkeletonProps {
	width?: string;
	height?: string;
	isRound?: boolean;
}

/** A placeholder for loading content, hidden from screen readers. Width and height are CSS lengths. */
export function Skeleton({ width = '100%', height = '16px', isRound = false }: SkeletonProps) {
	return (
		<span className={classes.box} data-round={isRound || undefined} style={{ width, height }} aria-hidden="true" />
	);
}

/** `label`: what is loading; `height`: a CSS length. */
export function SkeletonLines({ label, count, height }: { label: string; count: number; height: string }) {
	return (
		<Stack role="status" aria-label={label} gap={8}>
			{Array.from({ length: count }, (_, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: the boxes keep their order.
				<Skeleton key={index} height={height} />
			))}
		</Stack>
	);
}

const rowCount = 8;

interface SkeletonRowsProps {
	label: string;
	/** By default, rows look like table rows. */
	rowClassName?: string | undefined;
	widths?: readonly string[];
	/** Further boxes at the start of each row. */
	children?: ReactNode;
}

export function SkeletonRows({ label, rowClassName, widths = [], children }: SkeletonRowsProps) {
	return (
		<div role="status" aria-label={label} className={rowClassName === undefined ? classes.rows : undefined}>
			{Array.from({ length: rowCount }, (_, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: the boxes keep their order.
				<div key={index} className={rowClassName ?? classes.row}>
					{children}
					{widths.map((width) => (
						<Skeleton key={width} width={width} />
					))}
				</div>
			))}
		</div>
	);
}
