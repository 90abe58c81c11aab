import { Box } from '@mantine/core';
import { IconShieldLock, IconUser } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { GroupRef } from '#contract/accounts/groups.ts';
import type { ShareGroup, ShareReason, ShareRecipient, ShareState } from '#contract/sharing/sharing.ts';
import { m } from '#messages';
import { formatDateTime } from '#web/platform/formats/format.ts';
import { GroupRow, groupName, groupNote, IconRow, UserRow } from '#web/ui/data/user-rows.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';
import { FailedQuery } from '#web/ui/states/states.tsx';
import { useReaders } from '../api.ts';
import {
	keyOfTarget,
	labelOfTarget,
	type ShareableNode,
	type ShareTarget,
	targetOfGroup,
} from '../use-share-actions.tsx';
import classes from './share-dialog.module.css';

interface ShareReadersProps {
	node: ShareableNode;
	/**
	 * `from`: the parent folder from which the access is inherited; null if the node itself is shared. `group`: the group
	 * through which a user reads the node.
	 */
	onUnshare: (target: ShareTarget, from: ShareState['from'], group: GroupRef | null) => void;
	onShare: (target: ShareTarget) => void;
}

/** Lists who can read a node and who is excluded from it, with the reason for each. */
export function ShareReaders({ node, onUnshare, onShare }: ShareReadersProps) {
	const readers = useReaders(node.id);
	const owner = readers.data?.pages[0]?.owner;
	const items = readers.data?.pages.flatMap((page) => page.items) ?? [];
	const groups = readers.data?.pages[0]?.groups ?? [];
	const all = [
		...groups.map((reader) => ({ reader, target: targetOfGroup(reader.group), group: null })),
		...items.map((reader) => ({ reader, target: { email: reader.email }, group: reader.group })),
	];
	const rowsOf = (list: typeof all) =>
		list.map(({ reader, target, group }) => (
			<ReaderRow key={keyOfTarget(target)} reader={reader} reason={reasonText(reader, group)}>
				<ReaderAction
					canRead={reader.canRead}
					label={labelOfTarget(target)}
					onUnshare={() => onUnshare(target, reader.from.isItself ? null : reader.from, group)}
					onShare={() => onShare(target)}
				/>
			</ReaderRow>
		));
	const included = all.filter(({ reader }) => reader.canRead);
	const excluded = all.filter(({ reader }) => !reader.canRead);
	return (
		<section aria-label={m.sharing_readers()}>
			<h3 className={classes.heading}>{m.sharing_readers()}</h3>
			{readers.isPending && (
				<Box mt={12}>
					<SkeletonLines label={m.sharing_readers_loading()} count={2} height="44px" />
				</Box>
			)}
			{readers.isError && owner === undefined && <FailedQuery text={m.sharing_readers_failed()} query={readers} />}
			{owner !== undefined && (
				<ul>
					<IconRow icon={IconUser} title={m.sharing_reader_owner({ email: owner })} />
					<IconRow icon={IconShieldLock} title={m.sharing_reader_admins()} />
					{rowsOf(included)}
				</ul>
			)}
			{owner !== undefined && included.length === 0 && (
				<Box component="p" mt={12} c="dimmed">
					{m.sharing_readers_none()}
				</Box>
			)}
			{excluded.length > 0 && (
				<>
					<h3 className={classes.heading}>{m.sharing_excluded()}</h3>
					<ul>{rowsOf(excluded)}</ul>
				</>
			)}
			{readers.hasNextPage && (
				<Button
					variant="quiet"
					isFullWidth
					disabled={readers.isFetchingNextPage}
					onClick={() => void readers.fetchNextPage()}
				>
					{m.sharing_more()}
				</Button>
			)}
		</section>
	);
}

interface ReaderRowProps {
	reader: ShareGroup | ShareRecipient;
	reason: string;
	children: ReactNode;
}

function ReaderRow({ reader, reason, children }: ReaderRowProps) {
	if (!('email' in reader)) {
		const { group } = reader;
		return (
			<GroupRow group={group} notes={[groupNote(group.id), reason]}>
				{children}
			</GroupRow>
		);
	}
	const { email, name, active, canRead } = reader;
	const notes = [name !== null && email, !active && m.sharing_inactive(), reason];
	return (
		<UserRow name={name} email={email} isMuted={!canRead || !active} notes={notes}>
			{children}
		</UserRow>
	);
}

interface ReaderActionProps {
	canRead: boolean;
	label: string;
	onUnshare: () => void;
	onShare: () => void;
}

function ReaderAction({ canRead, label, onUnshare, onShare }: ReaderActionProps) {
	return canRead ? (
		<Button size="small" aria-label={m.sharing_unshare_for({ email: label })} onClick={onUnshare}>
			{m.sharing_unshare()}
		</Button>
	) : (
		<Button size="small" aria-label={m.sharing_share_with({ email: label })} onClick={onShare}>
			{m.sharing_share()}
		</Button>
	);
}

function reasonText({ canRead, from, sharedBy: who, sharedAt }: ShareReason, group: GroupRef | null): string {
	const when = formatDateTime(sharedAt);
	const { name } = from;
	const reason = canRead
		? from.isItself
			? m.sharing_reason_own({ who, when })
			: m.sharing_reason_inherited({ name, who, when })
		: from.isItself
			? m.sharing_reason_excluded({ who, when })
			: m.sharing_reason_excluded_by({ name, who, when });
	return group === null ? reason : `${m.sharing_through_group({ group: groupName(group) })} · ${reason}`;
}
