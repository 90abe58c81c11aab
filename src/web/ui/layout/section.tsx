import { Box, Flex, Stack } from '@mantine/core';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { PageHeader } from './page-header.tsx';
import classes from './section.module.css';

interface SectionProps {
	title: string;
	intro?: ReactNode;
	aside?: ReactNode;
	children: ReactNode;
}

/** A card with a heading. Screen readers list it as a landmark. */
export function Section({ title, intro, aside, children }: SectionProps) {
	const titleId = useId();
	return (
		<section className={classes.section} aria-labelledby={titleId}>
			<Flex component="header" wrap="wrap" align="center" justify="space-between" gap="4px 12px" mih={28} mb={4}>
				<Box component="h2" fz="lg" fw={600} id={titleId}>
					{title}
				</Box>
				{aside}
			</Flex>
			{intro !== undefined && (
				<Box component="p" maw="60ch" mb={16} c="dimmed">
					{intro}
				</Box>
			)}
			{children}
		</section>
	);
}

/** Heading and action of a part of a section. `mb`: margin below in px. */
export function SubsectionHeader({ title, mb = 0, children }: { title: string; mb?: number; children?: ReactNode }) {
	return (
		<Flex
			component="header"
			wrap="wrap"
			align="center"
			justify="space-between"
			gap="4px 12px"
			mih="var(--control-sm)"
			mb={mb}
		>
			<Box component="h3" fz="md" fw={600}>
				{title}
			</Box>
			{children}
		</Flex>
	);
}

export function SectionsScreen({ title, children }: { title: string; children: ReactNode }) {
	return (
		<>
			<PageHeader title={title} />
			<Stack gap={16} maw={760} p="16px var(--gutter) var(--space-6)">
				{children}
			</Stack>
		</>
	);
}

export function ListScreen({ children, ...header }: ComponentProps<typeof PageHeader> & { children: ReactNode }) {
	return (
		<>
			<PageHeader {...header} />
			<Box p="16px var(--gutter) var(--space-6)">{children}</Box>
		</>
	);
}
