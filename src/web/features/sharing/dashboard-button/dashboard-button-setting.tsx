import { Box, Group } from '@mantine/core';
import { IconFolders, IconSchool } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { toastError } from '#web/platform/browser/toasts.ts';
import { useIsPhone } from '#web/ui/hooks/viewport.ts';
import { Section } from '#web/ui/layout/section.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';
import { FailedQuery } from '#web/ui/states/states.tsx';
import classes from './dashboard-button.module.css';

export function DashboardButtonSetting() {
	const queryClient = useQueryClient();
	const button = useQuery(api.dashboardSettings.get.queryOptions());
	const save = useChange(client.dashboardSettings.save, {
		// Open dashboards of members are updated by the event stream.
		onSuccess: (saved) => queryClient.setQueryData(api.dashboardSettings.get.queryKey(), saved),
		onError: ({ message }) => toastError(`${m.sharing_button_save_failed()} ${message}`),
	});
	const isPhone = useIsPhone();
	if (button.isPending) return <SkeletonLines label={m.sharing_button_loading()} count={1} height="168px" />;
	if (button.isError) return <FailedQuery text={m.sharing_button_failed()} query={button} />;
	const { showSharedFolders } = button.data;
	const StateIcon = showSharedFolders ? IconFolders : IconSchool;
	return (
		<Section title={m.sharing_button_shows()} intro={m.sharing_button_rights()}>
			<Group gap={16} p={16} wrap={isPhone ? 'wrap' : 'nowrap'} className={classes.state}>
				<StateIcon {...iconProps} size={28} />
				<div role="status">
					<Box component="p" fz="xl" fw={600}>
						{showSharedFolders ? m.sharing_button_folders() : m.sharing_button_course()}
					</Box>
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
	);
}
