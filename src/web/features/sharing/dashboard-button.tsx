import { IconChevronRight, IconSchool, IconShare } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { m } from '#messages';
import { api } from '#web/platform/api.ts';
import { formatCount } from '#web/platform/format.ts';
import { iconProps } from '#web/ui/icon.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import classes from './dashboard-button.module.css';
import { useDashboardShare } from './dashboard-share.ts';

/** More are not counted. */
const countedAtMost = 100;

/** The dashboard button: Shared Folders or Course, as an admin has set it, with how much is shared. */
export function DashboardButton() {
	const share = useDashboardShare();
	const shared = useQuery(api.sharing.listMine.queryOptions({ input: { limit: countedAtMost } }));
	if (share === undefined) return <Skeleton height="62px" />;
	const count = shared.data?.items.length ?? 0;
	const ShareIcon = share.path === '/dashboard/book' ? IconShare : IconSchool;
	return (
		<Link to={share.path} className={classes.button}>
			<ShareIcon {...iconProps} size={20} />
			<span className={classes.label}>{share.label}</span>
			{count > 0 && (
				<span className={classes.count}>
					<span aria-hidden="true">{`${formatCount(count)}${shared.data?.nextCursor === null ? '' : '+'}`}</span>
					<span className={classes.hidden}>
						{count === 1 ? m.shared_count_one() : m.shared_count({ count: formatCount(count) })}
					</span>
				</span>
			)}
			<IconChevronRight {...iconProps} />
		</Link>
	);
}
