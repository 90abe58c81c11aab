import { Group } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link, useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router';
import { type ReactNode, useContext, useEffect, useRef } from 'react';
import { m } from '#messages';
import { useIsPhone } from '../hooks/viewport.ts';
import { Brand } from '../illustrations/brand.tsx';
import { Button, ButtonLink } from '../primitives/button.tsx';
import textClasses from '../primitives/text.module.css';
import { AccountAvatarMenu } from './account-menu.tsx';
import classes from './page-header.module.css';
import { type NavigationTab, ShellContext } from './shell-context.ts';

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
	const { parent, tabs = [], notice } = useContext(ShellContext) ?? {};
	return (
		<>
			<header className={classes.bar}>
				{back ?? (parent && <ParentLink {...parent} />)}
				{isBrandBar && <Brand />}
				{!isBrandBar && breadcrumb}
				<div className={isTitleHidden ? textClasses.hidden : classes.text}>
					<h1 tabIndex={-1} className={classes.title}>
						{title}
					</h1>
					{!isTitleHidden && subtitle !== undefined && (
						<p className={`${textClasses.cut} ${textClasses.note}`}>{subtitle}</p>
					)}
				</div>
				{!isTitleHidden && note !== undefined && <span className={textClasses.figure}>{note}</span>}
				<Group gap={8} wrap="nowrap" flex="none" ml="auto">
					{actions}
					{isBrandBar && <AccountAvatarMenu />}
				</Group>
			</header>
			{tabs.length > 0 && <SectionTabs tabs={tabs} />}
			{notice}
		</>
	);
}

function ParentLink({ path, label }: { path: string; label: string }) {
	return (
		<ButtonLink to={path} size="small" variant="quiet" className={classes.back} icon={IconArrowLeft}>
			<span className={textClasses.hiddenOnPhone}>{label}</span>
		</ButtonLink>
	);
}

/** Goes back to the previous screen, or to the users screen if there is no previous screen. */
export function GoBackButton({ label }: { label: string }) {
	const { history } = useRouter();
	const canGoBack = useCanGoBack();
	const navigate = useNavigate();
	const goBack = () => (canGoBack ? history.back() : void navigate({ to: '/admin' }));
	return (
		<Button size="small" variant="quiet" className={classes.back} icon={IconArrowLeft} onClick={goBack}>
			<span className={textClasses.hiddenOnPhone}>{label}</span>
		</Button>
	);
}

/** Links to the screens that belong together with this one. A narrow screen scrolls to the current tab. */
function SectionTabs({ tabs }: { tabs: readonly NavigationTab[] }) {
	const list = useRef<HTMLElement>(null);
	const currentPath = tabs.find(({ isCurrent }) => isCurrent)?.path;
	// biome-ignore lint/correctness/useExhaustiveDependencies: another screen has another current tab.
	useEffect(() => {
		const showCurrent = () => {
			const current = list.current?.querySelector<HTMLElement>('[aria-current]');
			if (current) list.current?.scrollTo({ left: current.offsetLeft - list.current.clientWidth / 2 });
		};
		showCurrent();
		// The fonts change the width of the tabs.
		void document.fonts.ready.then(showCurrent);
	}, [currentPath]);
	return (
		<nav ref={list} className={classes.tabs} aria-label={m.common_section_navigation()}>
			{tabs.map(({ path, label, isCurrent }) => (
				<Link
					key={path}
					to={path}
					className={classes.tab}
					// Otherwise the link to /admin would be current at /admin/groups too.
					activeOptions={{ exact: true, includeSearch: false }}
					aria-current={isCurrent ? 'page' : undefined}
				>
					{label}
				</Link>
			))}
		</nav>
	);
}
