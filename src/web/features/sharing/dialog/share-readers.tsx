import { Box } from '@mantine/core';
import { type Icon, IconBook2, IconShieldLock, IconUser, IconUsers } from '@tabler/icons-react';
import type { GroupRef } from '#contract/accounts/groups.ts';
import type { ShareGroup, ShareReason, ShareRecipient, ShareState } from '#contract/sharing/sharing.ts';
import { m } from '#messages';
import { formatDateTime } from '#web/platform/formats/format.ts';
import { GroupRow, groupName, groupNote, IconRow, UserRow } from '#web/ui/data/user-rows.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';
import { FailedQuery } from '#web/ui/states/states.tsx';
import { useReaders } from '../api.ts';
import { labelOfTarget, type ShareableNode, type ShareTarget, targetOfGroup } from '../use-share-actions.tsx';
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
	const rowOf = (reader: ShareRecipient) => (
		<ReaderRow key={reader.id} reader={reader} onUnshare={onUnshare} onShare={onShare} />
	);
	const groupRowOf = (reader: ShareGroup) => (
		<GroupReaderRow key={reader.group.id} reader={reader} onUnshare={onUnshare} onShare={onShare} />
	);
	const all = [
		...groups.map((group) => ({ canRead: group.canRead, row: groupRowOf(group) })),
		...items.map((item) => ({ canRead: item.canRead, row: rowOf(item) })),
	];
	const excluded = all.filter(({ canRead }) => !canRead);
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
					<IconRow {...ownerReader(owner)} />
					<IconRow icon={IconShieldLock} title={m.sharing_reader_admins()} />
					{all.filter(({ canRead }) => canRead).map(({ row }) => row)}
				</ul>
			)}
			{owner !== undefined && all.length === excluded.length && owner !== 'guest' && owner !== 'book' && (
				<Box component="p" mt={12} c="dimmed">
					{m.sharing_readers_none()}
				</Box>
			)}
			{excluded.length > 0 && (
				<>
					<h3 className={classes.heading}>{m.sharing_excluded()}</h3>
					<ul>{excluded.map(({ row }) => row)}</ul>
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

function ownerReader(owner: string): { icon: Icon; title: string } {
	if (owner === 'guest') return { icon: IconUsers, title: m.sharing_reader_guest() };
	if (owner === 'book') return { icon: IconBook2, title: m.sharing_reader_book() };
	return { icon: IconUser, title: m.sharing_reader_owner({ email: owner }) };
}

type RowActions = Omit<ShareReadersProps, 'node'>;

function GroupReaderRow({ reader, onUnshare, onShare }: { reader: ShareGroup } & RowActions) {
	const target = targetOfGroup(reader.group);
	return (
		<GroupRow group={reader.group} notes={[groupNote(reader.group.id), reasonText(reader)]}>
			<ReaderAction
				reader={reader}
				label={labelOfTarget(target)}
				onUnshare={(from) => onUnshare(target, from, null)}
				onShare={() => onShare(target)}
			/>
		</GroupRow>
	);
}

function ReaderRow({ reader, onUnshare, onShare }: { reader: ShareRecipient } & RowActions) {
	const { email, name, active, canRead, group } = reader;
	return (
		<UserRow
			name={name}
			email={email}
			isMuted={!canRead || !active}
			notes={[name !== null && email, !active && m.sharing_inactive(), reasonText(reader, group)]}
		>
			<ReaderAction
				reader={reader}
				label={email}
				onUnshare={(from) => onUnshare({ email }, from, group)}
				onShare={() => onShare({ email })}
			/>
		</UserRow>
	);
}

interface ReaderActionProps {
	reader: ShareReason;
	label: string;
	onUnshare: (from: ShareState['from']) => void;
	onShare: () => void;
}

function ReaderAction({ reader: { canRead, from }, label: email, onUnshare, onShare }: ReaderActionProps) {
	return canRead ? (
		<Button
			size="small"
			aria-label={m.sharing_unshare_for({ email })}
			onClick={() => onUnshare(from.isItself ? null : from)}
		>
			{m.sharing_unshare()}
		</Button>
	) : (
		<Button size="small" aria-label={m.sharing_share_with({ email })} onClick={onShare}>
			{m.sharing_share()}
		</Button>
	);
}

function reasonText({ canRead, from, sharedBy: who, sharedAt }: ShareReason, group: GroupRef | null = null): string {
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
