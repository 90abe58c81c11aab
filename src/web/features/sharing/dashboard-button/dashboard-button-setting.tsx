import { IconFolders, IconSchool } from '@tabler/icons-react';
import { m } from '#messages';
import { describeFailure } from '#web/platform/api/failure.ts';
import { Section, Sections } from '#web/ui/layout/section.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { FailedState } from '#web/ui/states/states.tsx';
import { useDashboardSettings, useSaveDashboardSettings } from '../api.ts';
import classes from './dashboard-button-setting.module.css';

/** What the button on members' dashboards opens, and the button that turns it. */
export function DashboardButtonSetting() {
	const button = useDashboardSettings();
	const save = useSaveDashboardSettings();
	if (button.isPending) {
		return (
			<Sections>
				<div role="status" aria-label={m.sharing_button_loading()} className={classes.skeleton}>
					<Skeleton height="168px" />
				</div>
			</Sections>
		);
	}
	if (button.isError) {
		return (
			<FailedState
				text={m.sharing_button_failed()}
				detail={describeFailure(button.error).message}
				onRetry={() => void button.refetch()}
				isRetrying={button.isFetching}
			/>
		);
	}
	const { showSharedFolders } = button.data;
	const StateIcon = showSharedFolders ? IconFolders : IconSchool;
	return (
		<Sections>
			<Section title={m.sharing_button_shows()} intro={m.sharing_button_rights()}>
				<div className={classes.state}>
					<StateIcon {...iconProps} size={28} />
					<div className={classes.text} role="status">
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
				</div>
			</Section>
		</Sections>
	);
}
