import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './skeleton.module.css';

interface SkeletonProps {
	/** Width and height are CSS lengths. */
	width?: string;
	height?: string;
	isRound?: boolean;
}

/** A placeholder for loading content. Hidden from screen readers: the screen announces the loading once. */
export function Skeleton({ width = '100%', height = '16px', isRound = false }: SkeletonProps) {
	return (
		<span className={classes.box} data-round={isRound || undefined} style={{ width, height }} aria-hidden="true" />
	);
}

/** Placeholders for rows, one box each. `label`: what is being loaded; `height`: a CSS length. */
export function SkeletonLines({ label, count, height }: { label: string; count: number; height: string }) {
	return (
		<Stack role="status" aria-label={label} gap={8}>
			{Array.from({ length: count }, (_, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: boxes that never change places.
				<Skeleton key={index} height={height} />
			))}
		</Stack>
	);
}

const rowCount = 8;

/** Placeholders for the rows of a table. `label`: what is being loaded; `children`: the boxes of one row. */
export function SkeletonRows({ label, children }: { label: string; children: ReactNode }) {
	return (
		<div role="status" aria-label={label} className={classes.rows}>
			{Array.from({ length: rowCount }, (_, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: boxes that never change places.
				<div key={index} className={classes.row}>
					{children}
				</div>
			))}
		</div>
	);
}
