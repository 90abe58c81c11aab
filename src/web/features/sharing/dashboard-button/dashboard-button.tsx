import { Box } from '@mantine/core';
import { IconChevronRight, IconSchool, IconShare } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { formatCount } from '#web/platform/formats/format.ts';
import { iconProps } from '#web/ui/primitives/icon.ts';
import textClasses from '#web/ui/primitives/text.module.css';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import classes from './dashboard-button.module.css';

/** Shares above this number are not counted. */
const maxCounted = 100;

/** Opens Shared Folders or Course, depending on the admins' setting. Shows the number of shares. */
export function DashboardButton() {
	const share = useDashboardShare();
	const shared = useQuery(api.sharing.listMine.queryOptions({ input: { limit: maxCounted } }));
	if (share === undefined) return <Skeleton height="62px" />;
	const count = shared.data?.items.length ?? 0;
	const ShareIcon = share.path === '/dashboard/book' ? IconShare : IconSchool;
	return (
		<Link to={share.path} className={classes.button}>
			<ShareIcon {...iconProps} size={20} />
			<Box component="span" flex={1} miw={0} fz="lg" fw={600}>
				{share.label}
			</Box>
			{count > 0 && (
				<Box component="span" pos="relative" className={textClasses.figure}>
					<span aria-hidden="true">{`${formatCount(count)}${shared.data?.nextCursor === null ? '' : '+'}`}</span>
					<span className={textClasses.hidden}>
						{count === 1 ? m.shared_count_one() : m.shared_count({ count: formatCount(count) })}
					</span>
				</Box>
			)}
			<IconChevronRight {...iconProps} />
		</Link>
	);
}

/**
 * Returns the target of the dashboard button. Undefined while the setting is loading; Shared Folders if loading fails.
 */
export function useDashboardShare() {
	const { data, isError } = useQuery(api.dashboardSettings.get.queryOptions());
	if (data === undefined && !isError) return undefined;
	return data?.showSharedFolders === false
		? ({ path: '/dashboard/preview/book', label: m.shared_button_course() } as const)
		: ({ path: '/dashboard/book', label: m.shared_button_folders() } as const);
}
