import { Box, Center, Flex, type MenuRadioItemProps, Text, VisuallyHidden } from '@mantine/core';
import {
	type Icon,
	IconCheck,
	IconDeviceDesktop,
	IconLanguage,
	IconLogout,
	IconMoon,
	IconSelector,
	IconShieldLock,
	IconSun,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { languageNames, locales } from '#contract/core/text.ts';
import { m } from '#messages';
import { chooseLocale, currentLocale } from '#web/platform/formats/locale.ts';
import { useMe } from '#web/platform/session/session.ts';
import { useColorScheme } from '#web/ui/theme/theme-choice.ts';
import { MenuButton } from '../overlays/dropdown-buttons.tsx';
import type { Overlays } from '../overlays/overlays-on-demand.tsx';
import { Avatar } from '../primitives/avatar.tsx';
import { iconProps } from '../primitives/icon.ts';
import textClasses from '../primitives/text.module.css';
import classes from './account-menu.module.css';
import { useShell } from './shell-context.ts';

export function AccountMenu({ isFolded }: { isFolded: boolean }) {
	const user = useMe();
	return (
		<AccountDropdown
			button={(props) => (
				<Flex component="button" align="center" gap={10} type="button" className={classes.block} {...props}>
					<VisuallyHidden>
						{isFolded ? m.common_account_menu_of({ name: user.email }) : m.common_account_menu()}
					</VisuallyHidden>
					<Avatar name={user.name} email={user.email} size={32} />
					{!isFolded && (
						<>
							<Box component="span" flex={1} miw={0} lh={1.3}>
								<Text span display="block" className={textClasses.cut} c="var(--ink)" fz={13} fw={600}>
									{user.name ?? user.email}
								</Text>
								<Text span display="block" className={textClasses.cut} c="dimmed" fz={12}>
									{user.role === 'admin' ? m.common_role_admin() : m.common_role_user()}
								</Text>
							</Box>
							<IconSelector {...iconProps} />
						</>
					)}
				</Flex>
			)}
		/>
	);
}

export function AccountAvatarMenu() {
	const user = useMe();
	return (
		<AccountDropdown
			button={(props) => (
				<Center
					component="button"
					type="button"
					w={44}
					h={44}
					bdrs="50%"
					aria-label={m.common_account_menu_of({ name: user.email })}
					{...props}
				>
					<Avatar name={user.name} email={user.email} size={40} />
				</Center>
			)}
		/>
	);
}

function AccountDropdown({ button }: Pick<ComponentProps<typeof MenuButton>, 'button'>) {
	return (
		<MenuButton button={button} position="top-start" width={224} withinPortal={false}>
			{(Menu) => <AccountMenuItems Menu={Menu} />}
		</MenuButton>
	);
}

export function AccountMenuItems({ Menu }: Pick<Overlays, 'Menu'>) {
	const user = useMe();
	const { onLogout } = useShell();
	const { colorScheme, setColorScheme } = useColorScheme();
	const locale = currentLocale();
	const themes = [
		{ value: 'auto', label: m.common_theme_system(), icon: IconDeviceDesktop },
		{ value: 'light', label: m.common_theme_light(), icon: IconSun },
		{ value: 'dark', label: m.common_theme_dark(), icon: IconMoon },
	] as const;
	return (
		<>
			<Menu.Label>{user.email}</Menu.Label>
			<Menu.Divider />
			<Menu.Label>{m.common_theme()}</Menu.Label>
			<Menu.RadioGroup value={colorScheme}>
				{themes.map(({ value, label, icon }) => (
					<Choice
						key={value}
						Menu={Menu}
						value={value}
						label={label}
						icon={icon}
						onChange={() => setColorScheme(value)}
					/>
				))}
			</Menu.RadioGroup>
			<Menu.Label>{m.common_language()}</Menu.Label>
			<Menu.RadioGroup value={locale}>
				{locales.map((value) => (
					<Choice
						key={value}
						Menu={Menu}
						value={value}
						label={languageNames[value]}
						icon={IconLanguage}
						lang={value}
						closeMenuOnClick
						onChange={() => locale !== value && chooseLocale(value)}
					/>
				))}
			</Menu.RadioGroup>
			<Menu.Divider />
			<Menu.Item component={Link} to="/account" leftSection={<IconShieldLock {...iconProps} />}>
				{m.screen_account()}
			</Menu.Item>
			<Menu.Item leftSection={<IconLogout {...iconProps} />} onClick={onLogout}>
				{m.common_logout()}
			</Menu.Item>
		</>
	);
}

interface ChoiceProps extends MenuRadioItemProps, Pick<Overlays, 'Menu'> {
	label: string;
	icon: Icon;
}

function Choice({ Menu, label, icon: ChoiceIcon, ...item }: ChoiceProps) {
	return (
		<Menu.RadioItem checkIcon={<IconCheck {...iconProps} size={16} />} {...item}>
			<Flex component="span" align="center" gap={10}>
				<ChoiceIcon {...iconProps} />
				{label}
			</Flex>
		</Menu.RadioItem>
	);
}
