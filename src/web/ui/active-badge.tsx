import { IconBan, IconCheck } from '@tabler/icons-react';
import { m } from '#messages';
import { Badge } from './badge.tsx';
import { smallIconProps } from './icon.ts';

/** Whether somebody's login works, as the people's cards and the panel beside a conversation say it. */
export function ActiveBadge({ isActive }: { isActive: boolean }) {
	return isActive ? (
		<Badge tone="positive" icon={<IconCheck {...smallIconProps} />}>
			{m.people_active()}
		</Badge>
	) : (
		<Badge tone="negative" icon={<IconBan {...smallIconProps} />}>
			{m.people_deactivated()}
		</Badge>
	);
}
