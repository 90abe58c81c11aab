import { IconCheck, IconFolderShare, IconLock, IconUsers } from '@tabler/icons-react';
import { memo } from 'react';
import type { ShareState } from '#contract/sharing/sharing.ts';
import { m } from '#messages';
import { useLocale } from '#web/platform/formats/locale.ts';
import { Badge } from '#web/ui/primitives/badge.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { useShareState } from './api.ts';
import type { ShareConfirmation } from './dialog/share-confirmation.tsx';
import classes from './share-state-cell.module.css';
import type { ShareableNode } from './use-share-actions.tsx';

interface ShareStateCellProps {
	node: ShareableNode;
	email: string;
	/** Nothing new can be shared with a deactivated person. */
	isRecipientInactive?: boolean;
	onAsk: (question: ShareConfirmation) => void;
}

/** A recipient's access to a row, and the button to change it. */
export const ShareStateCell = memo(function ShareCell({
	node,
	email,
	isRecipientInactive = false,
	onAsk,
}: ShareStateCellProps) {
	useLocale();
	const { data: state, isPending, isError } = useShareState(email, node.id);
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
			<span className={classes.text}>
				<StateBadge state={state} />
				{state.hasEntriesBelow && state.state !== 'open' && (
					<span className={classes.note}>{canRead ? m.sharing_exclusions_below() : m.sharing_below_shares()}</span>
				)}
			</span>
			{state.state !== 'open' &&
				(canRead ? (
					<Button
						size="small"
						aria-label={m.sharing_unshare_of({ name: node.name })}
						onClick={() => onAsk({ kind: 'unshare', node, from: state.state === 'inherited' ? state.from : null })}
					>
						{m.sharing_unshare()}
					</Button>
				) : (
					<Button
						size="small"
						aria-label={m.sharing_share_of({ name: node.name })}
						disabled={isRecipientInactive}
						title={isRecipientInactive ? m.sharing_inactive_note() : undefined}
						onClick={() => onAsk({ kind: 'share', nodes: [node] })}
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
