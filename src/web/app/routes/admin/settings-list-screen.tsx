import { Box, Stack, Text } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { m } from '#messages';
import { SectionsScreen } from '#web/ui/layout/section.tsx';
import { iconProps, smallIconProps } from '#web/ui/primitives/icon.ts';
import textClasses from '#web/ui/primitives/text.module.css';
import { settingsArea } from '../../navigation/navigation-areas.ts';
import classes from './settings-list-screen.module.css';

/** /admin/settings: all settings screens, each with a description. */
export function SettingsListScreen() {
	return (
		<SectionsScreen title={m.screen_settings()}>
			{settingsArea.sections.map(({ heading, screens }) => (
				<Stack key={heading()} component="section" gap={8} aria-label={heading()}>
					<Box component="h2" fz="md" fw={600}>
						{heading()}
					</Box>
					<ul className={classes.list}>
						{screens.map(({ path, label, icon: ScreenIcon, description }) => (
							<li key={path}>
								<Link to={path} className={classes.link}>
									<ScreenIcon {...iconProps} />
									<Stack component="span" gap={0} flex={1} miw={0}>
										<Text span c="var(--ink)" fw={550}>
											{label()}
										</Text>
										<span className={textClasses.note}>{description()}</span>
									</Stack>
									<IconChevronRight {...smallIconProps} />
								</Link>
							</li>
						))}
					</ul>
				</Stack>
			))}
		</SectionsScreen>
	);
}
