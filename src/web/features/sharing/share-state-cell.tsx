import { Flex } from '@mantine/core';
import { IconCheck, IconFolderShare, IconLock, IconShare2, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import type { ShareState } from '#contract/sharing/sharing.ts';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { useLocale } from '#web/platform/formats/locale.ts';
import { groupName } from '#web/ui/data/user-rows.tsx';
import { Badge } from '#web/ui/primitives/badge.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import textClasses from '#web/ui/primitives/text.module.css';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import type { ShareConfirmation } from './dialog/share-confirmation.tsx';
import { fetchIsShared, fetchShareState } from './share-state-batches.ts';
import classes from './share-state-cell.module.css';
import type { ShareableNode } from './use-share-actions.tsx';

interface ShareStateCellProps {
	node: ShareableNode;
	email: string;
	canShare?: boolean;
	onAsk: (question: ShareConfirmation) => void;
}

/** Shows a recipient's access to a node, and a button to share or unshare the node. */
export const ShareStateCell = memo(function ShareStateCell(props: ShareStateCellProps) {
	useLocale();
	const { node, email, canShare = true, onAsk } = props;
	const {
		data: state,
		isPending,
		isError,
	} = useQuery({
		queryKey: [...api.sharing.key(), 'state', email.toLowerCase(), node.id],
		queryFn: () => fetchShareState(email, node.id),
	});
	if (isPending) {
		return (
			<span className={classes.cell} aria-busy="true">
				<span className={textClasses.hidden}>{m.sharing_state_loading()}</span>
				<Skeleton width="92px" height="22px" />
			</span>
		);
	}
	if (isError || state === null)
		return <span className={`${classes.cell} ${classes.note}`}>{isError && m.sharing_state_failed()}</span>;
	const canRead = state.state === 'own' || state.state === 'inherited';
	return (
		<span className={classes.cell}>
			<span className={classes.text}>
				<StateBadge state={state} />
				{state.group !== null && state.from !== null && (
					<span className={classes.note}>{m.sharing_through_group({ group: groupName(state.group) })}</span>
				)}
				{state.hasEntriesBelow && state.state !== 'open' && (
					<span className={classes.note}>{canRead ? m.sharing_exclusions_below() : m.sharing_below_shares()}</span>
				)}
			</span>
			{state.state !== 'open' &&
				(canRead ? (
					<Button
						size="small"
						aria-label={m.sharing_unshare_of({ name: node.name })}
						onClick={() =>
							onAsk({
								kind: 'unshare',
								node,
								from: state.state === 'inherited' ? state.from : null,
								group: state.group,
							})
						}
					>
						{m.sharing_unshare()}
					</Button>
				) : (
					canShare && (
						<Button
							size="small"
							aria-label={m.sharing_share_of({ name: node.name })}
							onClick={() => onAsk({ kind: 'share', nodes: [node] })}
						>
							{m.sharing_share()}
						</Button>
					)
				))}
		</span>
	);
});

function StateBadge({ state: { state, from, group } }: { state: ShareState }) {
	if (state === 'none') return <span className={classes.note}>{m.sharing_state_none()}</span>;
	const name = from?.name ?? (group === null ? '' : groupName(group));
	const excluded = name === '' ? m.sharing_state_excluded() : m.sharing_state_excluded_by({ name });
	const badges = {
		own: {
			tone: 'positive',
			Drawing: IconCheck,
			text: group === null ? m.sharing_state_own() : m.sharing_state_inherited({ name }),
		},
		inherited: { tone: 'info', Drawing: IconFolderShare, text: m.sharing_state_inherited({ name }) },
		excluded: { tone: 'negative', Drawing: IconLock, text: excluded },
		open: { tone: 'neutral', Drawing: IconUsers, text: m.sharing_state_open() },
	} as const;
	const { tone, Drawing, text } = badges[state];
	const isShort = (state === 'own' && group === null) || state === 'open';
	return (
		<Badge tone={tone} icon={Drawing}>
			{isShort ? (
				text
			) : (
				<span className={classes.badge} title={name}>
					{text}
				</span>
			)}
		</Badge>
	);
}

/** Marks a node that is itself shared. Renders nothing for other nodes. */
export function SharedBadge({ id }: { id: string }) {
	useLocale();
	const { data } = useQuery({ queryKey: [...api.sharing.key(), 'mark', id], queryFn: () => fetchIsShared(id) });
	if (data !== true) return null;
	return (
		<Flex component="span" align="center" flex="none" c="dimmed" title={m.sharing_state_own()}>
			<IconShare2 {...smallIconProps} />
			<span className={textClasses.hidden}>{m.sharing_state_own()}</span>
		</Flex>
	);
}
