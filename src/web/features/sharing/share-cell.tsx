import { IconCheck, IconFolderShare, IconLock, IconUsers } from '@tabler/icons-react';
import { memo } from 'react';
import type { ShareState } from '#contract/sharing/sharing.ts';
import { m } from '#messages';
import { useLocale } from '#web/platform/locale.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { smallIconProps } from '#web/ui/icon.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import classes from './share-cell.module.css';
import type { ShareQuestion } from './share-question.tsx';
import { useShareState } from './sharing.api.ts';
import type { SharedThing } from './use-share-work.ts';

interface ShareCellProps {
	thing: SharedThing;
	email: string;
	/** Nothing new can be shared with a deactivated person. */
	isClosed?: boolean;
	onAsk: (question: ShareQuestion) => void;
}

/** How a row stands for a person, and the way to change it. */
export const ShareCell = memo(function ShareCell({ thing, email, isClosed = false, onAsk }: ShareCellProps) {
	useLocale();
	const { data: state, isPending, isError } = useShareState(email, thing.id);
	if (isPending) {
		return (
			<span className={classes.cell} aria-busy="true">
				<span className={classes.hidden}>{m.sharing_state_loading()}</span>
				<Skeleton width="92px" height="22px" />
			</span>
		);
	}
	if (isError || state === null) {
		return (
			<span className={classes.cell}>
				{isError && <span className={classes.note}>{m.sharing_state_failed()}</span>}
			</span>
		);
	}
	const canRead = state.state === 'own' || state.state === 'inherited';
	return (
		<span className={classes.cell}>
			<span className={classes.words}>
				<StateBadge state={state} />
				{state.hasEntriesBelow && state.state !== 'open' && (
					<span className={classes.note}>{canRead ? m.sharing_below_exceptions() : m.sharing_below_shares()}</span>
				)}
			</span>
			{state.state !== 'open' &&
				(canRead ? (
					<Button
						size="small"
						aria-label={m.sharing_unshare_of({ name: thing.name })}
						onClick={() => onAsk({ kind: 'unshare', thing, from: state.state === 'inherited' ? state.from : null })}
					>
						{m.sharing_unshare()}
					</Button>
				) : (
					<Button
						size="small"
						aria-label={m.sharing_share_of({ name: thing.name })}
						disabled={isClosed}
						title={isClosed ? m.sharing_inactive_note() : undefined}
						onClick={() => onAsk({ kind: 'share', things: [thing] })}
					>
						{m.sharing_share()}
					</Button>
				))}
		</span>
	);
});

function StateBadge({ state: { state, from } }: { state: ShareState }) {
	switch (state) {
		case 'own':
			return (
				<Badge tone="positive" icon={<IconCheck {...smallIconProps} />}>
					{m.sharing_state_own()}
				</Badge>
			);
		case 'inherited':
			return (
				<Badge tone="info" icon={<IconFolderShare {...smallIconProps} />}>
					<span className={classes.badge} title={from?.name}>
						{m.sharing_state_inherited({ name: from?.name ?? '' })}
					</span>
				</Badge>
			);
		case 'excluded':
			return (
				<Badge tone="negative" icon={<IconLock {...smallIconProps} />}>
					<span className={classes.badge} title={from?.name}>
						{from === null ? m.sharing_state_excluded() : m.sharing_state_excluded_by({ name: from.name })}
					</span>
				</Badge>
			);
		case 'open':
			return (
				<Badge tone="neutral" icon={<IconUsers {...smallIconProps} />}>
					{m.sharing_state_open()}
				</Badge>
			);
		case 'none':
			return <span className={classes.note}>{m.sharing_state_none()}</span>;
	}
}
