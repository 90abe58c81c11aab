import { Box } from '@mantine/core';
import { IconMenu2 } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { m } from '#messages';
import { AccountMenuItems } from '../../ui/layout/account-menu.tsx';
import { type NavigationItem, navigationLinkProps, useShell } from '../../ui/layout/shell-context.ts';
import { MenuButton } from '../../ui/overlays/dropdown-buttons.tsx';
import { CountBadge } from '../../ui/primitives/badge.tsx';
import { iconProps } from '../../ui/primitives/icon.ts';
import classes from './shell-phone-bar.module.css';

const itemsBesideMore = 4;

/** The navigation bar at the bottom of a phone. The button More shows the items for which the bar has no space. */
export function ShellPhoneBar() {
	const items = useShell().groups.flat();
	const rest = items.slice(itemsBesideMore);
	return (
		<nav className={classes.bar} aria-label={m.common_navigation()}>
			{items.slice(0, itemsBesideMore).map((item) => (
				<PhoneItem key={item.label} item={item} />
			))}
			<MenuButton
				position="top-end"
				width={256}
				withinPortal={false}
				dropdown={{ mah: '80dvh', style: { overflowY: 'auto' } }}
				button={(props) => (
					<button
						type="button"
						className={classes.item}
						data-current={rest.some((item) => item.current !== undefined) || undefined}
						{...props}
					>
						<IconMenu2 {...iconProps} size={24} />
						<span>{m.common_more()}</span>
					</button>
				)}
			>
				{(Menu) => (
					<>
						{rest.map(({ icon: ItemIcon, ...item }) => (
							<Menu.Item
								key={item.label}
								component={Link}
								{...navigationLinkProps(item)}
								leftSection={<ItemIcon {...iconProps} />}
							>
								{item.label}
							</Menu.Item>
						))}
						{rest.length > 0 && <Menu.Divider />}
						<AccountMenuItems Menu={Menu} />
					</>
				)}
			</MenuButton>
		</nav>
	);
}

function PhoneItem({ item }: { item: NavigationItem }) {
	const ItemIcon = item.icon;
	return (
		<Link {...navigationLinkProps(item)} className={classes.item}>
			<Box component="span" pos="relative" display="grid">
				<ItemIcon {...iconProps} size={24} />
				{item.count && <CountBadge {...item.count} className={classes.count} />}
			</Box>
			<span>{item.label}</span>
		</Link>
	);
}
