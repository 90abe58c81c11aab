import { Box, Flex } from '@mantine/core';
import type { ReactNode } from 'react';
import { languageNames } from '#contract/core/text.ts';
import { readSite } from '#web/platform/browser/site.ts';
import { chooseLocale, currentLocale } from '#web/platform/formats/locale.ts';
import { Brand } from '../illustrations/brand.tsx';
import { Button } from '../primitives/button.tsx';
import classes from './public-frame.module.css';

interface PublicFrameProps {
	title: string;
	intro?: string | undefined;
	children?: ReactNode;
	below?: ReactNode;
}

export function PublicFrame({ title, intro, children, below }: PublicFrameProps) {
	const otherLocale = currentLocale() === 'hi' ? 'en' : 'hi';
	return (
		<Flex direction="column" mih="calc(100dvh - var(--view-banner, 0px))">
			<Flex component="header" flex="none" align="center" justify="space-between" gap={16} h={64} px="var(--gutter)">
				{/* The landing page is not part of this app, so this is no link of the router. */}
				<Flex component="a" href="/" align="center" mih={44} miw={0} td="none">
					<Brand />
				</Flex>
				{readSite().languages.length > 1 && (
					<Button variant="quiet" lang={otherLocale} onClick={() => chooseLocale(otherLocale)}>
						{languageNames[otherLocale]}
					</Button>
				)}
			</Flex>
			<main id="content" tabIndex={-1} className={classes.main}>
				<div className={classes.card}>
					<h1 className={classes.title}>{title}</h1>
					{intro !== undefined && <p className={classes.intro}>{intro}</p>}
					{children}
				</div>
				{below !== undefined && (
					<Box mt={20} c="dimmed" ta="center">
						{below}
					</Box>
				)}
			</main>
		</Flex>
	);
}
