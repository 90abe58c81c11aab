import { Group } from '@mantine/core';
import { IconFolders, IconSchool } from '@tabler/icons-react';
import { m } from '#messages';
import { useIsPhone } from '#web/ui/hooks/viewport.ts';
import { Section, Sections } from '#web/ui/layout/section.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';
import { FailedQuery } from '#web/ui/states/states.tsx';
import { useDashboardSettings, useSaveDashboardSettings } from '../api.ts';
import classes from './dashboard-button-setting.module.css';

/** What the button on members' dashboards opens, and a button that changes it. */
export function DashboardButtonSetting() {
	const button = useDashboardSettings();
	const save = useSaveDashboardSettings();
	const isPhone = useIsPhone();
	if (button.isPending) {
		return (
			<Sections>
				<SkeletonLines label={m.sharing_button_loading()} count={1} height="168px" />
			</Sections>
		);
	}
	if (button.isError) return <FailedQuery text={m.sharing_button_failed()} query={button} />;
	const { showSharedFolders } = button.data;
	const StateIcon = showSharedFolders ? IconFolders : IconSchool;
	return (
		<Sections>
			<Section title={m.sharing_button_shows()} intro={m.sharing_button_rights()}>
				<Group gap={16} p={16} wrap={isPhone ? 'wrap' : 'nowrap'} className={classes.state}>
					<StateIcon {...iconProps} size={28} />
					<div role="status">
						<p className={classes.name}>{showSharedFolders ? m.sharing_button_folders() : m.sharing_button_course()}</p>
						<p className={classes.note}>
							{showSharedFolders ? m.sharing_button_folders_note() : m.sharing_button_course_note()}
						</p>
					</div>
					<Button
						variant="primary"
						disabled={save.isPending}
						onClick={() => save.mutate({ showSharedFolders: !showSharedFolders })}
					>
						{save.isPending ? m.sharing_button_saving() : m.sharing_button_toggle()}
					</Button>
				</Group>
			</Section>
		</Sections>
	);
}
