import { Group } from '@mantine/core';
import { type ReactNode, useContext } from 'react';
import { useIsPhone } from '../hooks/viewport.ts';
import { Brand } from '../illustrations/brand.tsx';
import textClasses from '../primitives/text.module.css';
import { AccountAvatarMenu } from './account-menu.tsx';
import classes from './page-header.module.css';
import { ShellContext } from './shell-context.ts';

interface PageHeaderProps {
	title: ReactNode;
	note?: ReactNode;
	/** Shown below the title, but not if there is a breadcrumb. */
	subtitle?: ReactNode;
	back?: ReactNode;
	/** Replaces the title; screen readers still get the title. */
	breadcrumb?: ReactNode;
	actions?: ReactNode;
	/** Whether a phone shows the brand and the account menu instead of the title. */
	isHome?: boolean;
}

export function PageHeader({ title, note, subtitle, back, breadcrumb, actions, isHome = false }: PageHeaderProps) {
	const isPhone = useIsPhone();
	const isBrandBar = isHome && isPhone;
	const isTitleHidden = isBrandBar || breadcrumb !== undefined;
	const notice = useContext(ShellContext)?.notice;
	return (
		<>
			<header className={classes.bar}>
				{back}
				{isBrandBar && <Brand />}
				{!isBrandBar && breadcrumb}
				<div className={isTitleHidden ? textClasses.hidden : classes.text}>
					<h1 tabIndex={-1} className={classes.title}>
						{title}
					</h1>
					{!isTitleHidden && subtitle !== undefined && <p className={classes.subtitle}>{subtitle}</p>}
				</div>
				{!isTitleHidden && note !== undefined && <span className={textClasses.figure}>{note}</span>}
				<Group gap={8} wrap="nowrap" flex="none" ml="auto">
					{actions}
					{isBrandBar && <AccountAvatarMenu />}
				</Group>
			</header>
			{notice}
		</>
	);
}
