import { type ReactNode, useContext } from 'react';
import { useIsPhone } from '../hooks/viewport.ts';
import { Brand } from '../illustrations/brand.tsx';
import { AccountAvatarMenu } from './account-menu.tsx';
import classes from './page-header.module.css';
import { ShellContext } from './shell-context.ts';

interface PageHeaderProps {
	title: ReactNode;
	/** A count or word beside the title, muted. */
	note?: ReactNode;
	/** Where it lies, below the title: for a phone, in place of a breadcrumb. */
	subtitle?: ReactNode;
	/** Goes before the title: a Go Back button. */
	back?: ReactNode;
	/** Stands in the title's place; the title stays for screen readers. */
	breadcrumb?: ReactNode;
	/** Buttons at the right, the primary one last. */
	actions?: ReactNode;
	/** A member's first screen: on a phone, brand and account take the title's place. */
	isHome?: boolean;
}

/** The bar at the top of a screen: where I am, and what can be done here. */
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
				{isTitleHidden ? (
					<h1 tabIndex={-1} className={classes.hidden}>
						{title}
					</h1>
				) : (
					<div className={classes.text}>
						<h1 tabIndex={-1} className={classes.title}>
							{title}
						</h1>
						{subtitle !== undefined && <p className={classes.subtitle}>{subtitle}</p>}
					</div>
				)}
				{!isTitleHidden && note !== undefined && <span className={classes.note}>{note}</span>}
				<div className={classes.actions}>
					{actions}
					{isBrandBar && <AccountAvatarMenu />}
				</div>
			</header>
			{notice}
		</>
	);
}
