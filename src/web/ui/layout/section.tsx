import { Flex, Stack } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './section.module.css';

interface SectionProps {
	title: string;
	intro?: ReactNode;
	/** Beside the title: a button, a badge. */
	aside?: ReactNode;
	children: ReactNode;
}

/** One part of a settings page, as a card with its own heading; also a landmark to jump to. */
export function Section({ title, intro, aside, children }: SectionProps) {
	const titleId = useId();
	return (
		<section className={classes.section} aria-labelledby={titleId}>
			<Flex component="header" wrap="wrap" align="center" justify="space-between" gap="4px 12px" mih={28} mb={4}>
				<h2 id={titleId} className={classes.title}>
					{title}
				</h2>
				{aside}
			</Flex>
			{intro !== undefined && <p className={classes.intro}>{intro}</p>}
			{children}
		</section>
	);
}

/** The column of a page's sections. */
export function Sections({ children }: { children: ReactNode }) {
	return (
		<Stack gap={16} maw={760} p="16px var(--gutter) var(--space-6)">
			{children}
		</Stack>
	);
}
