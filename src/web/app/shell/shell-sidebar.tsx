import { Box } from '@mantine/core';
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { m } from '#messages';
import { Brand, BrandLogo } from '../../ui/illustrations/brand.tsx';
import { AccountMenu } from '../../ui/layout/account-menu.tsx';
import { type NavigationItem, navigationLinkProps, useShell } from '../../ui/layout/shell-context.ts';
import { Tooltip } from '../../ui/overlays/tooltip.tsx';
import { CountBadge } from '../../ui/primitives/badge.tsx';
import { iconProps } from '../../ui/primitives/icon.ts';
import { IconButton } from '../../ui/primitives/icon-button.tsx';
import textClasses from '../../ui/primitives/text.module.css';
import classes from './shell-sidebar.module.css';

export function ShellSidebar({ isFolded, onToggle }: { isFolded: boolean; onToggle: (() => void) | undefined }) {
	const { groups } = useShell();
	return (
		<aside className={classes.sidebar} data-folded={isFolded || undefined}>
			<div className={classes.header}>
				{isFolded ? <BrandLogo /> : <Brand />}
				{onToggle !== undefined && (
					<IconButton
						size="small"
						label={isFolded ? m.common_sidebar_unfold() : m.common_sidebar_fold()}
						icon={isFolded ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse}
						onClick={onToggle}
					/>
				)}
			</div>
			<nav className={classes.navigation} aria-label={m.common_navigation()}>
				{groups.map((items) => (
					<ul key={items[0]?.path} className={classes.group}>
						{items.map((item) => (
							<li key={item.path}>
								<SidebarItem item={item} isFolded={isFolded} />
							</li>
						))}
					</ul>
				))}
			</nav>
			<Box p={8} flex="none" style={{ borderTop: '1px solid var(--line)' }}>
				<AccountMenu isFolded={isFolded} />
			</Box>
		</aside>
	);
}

function SidebarItem({ item, isFolded }: { item: NavigationItem; isFolded: boolean }) {
	const ItemIcon = item.icon;
	return (
		<Tooltip label={item.label} position="right" disabled={!isFolded}>
			<Link {...navigationLinkProps(item)} className={classes.item}>
				<ItemIcon {...iconProps} />
				<span className={isFolded ? textClasses.hidden : textClasses.cut}>{item.label}</span>
				{item.count && <CountBadge {...item.count} className={classes.count} />}
			</Link>
		</Tooltip>
	);
}
