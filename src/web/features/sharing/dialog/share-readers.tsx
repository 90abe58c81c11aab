import { IconBook2, IconShieldLock, IconUser, IconUsers } from '@tabler/icons-react';
import type { ShareRecipient, ShareState } from '#contract/sharing/sharing.ts';
import { m } from '#messages';
import { describeFailure } from '#web/platform/api/failure.ts';
import { formatDateTime } from '#web/platform/formats/format.ts';
import { Avatar } from '#web/ui/primitives/avatar.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { FailedState } from '#web/ui/states/states.tsx';
import { useReaders } from '../api.ts';
import type { ShareableNode } from '../use-share-actions.tsx';
import classes from './share-dialog.module.css';

interface ShareReadersProps {
	node: ShareableNode;
	/** `from`: the folder that stays shared, where the right is inherited. */
	onUnshare: (email: string, from: ShareState['from']) => void;
	onShare: (email: string) => void;
}

/** Who can read a folder or file, each with the entry that decides: the owner, the admins, and everybody it is shared with. */
export function ShareReaders({ node, onUnshare, onShare }: ShareReadersProps) {
	const readers = useReaders(node.id);
	const owner = readers.data?.pages[0]?.owner;
	const items = readers.data?.pages.flatMap((page) => page.items) ?? [];
	const excluded = items.filter(({ canRead }) => !canRead);
	const rowOf = (reader: ShareRecipient) => (
		<ReaderRow key={reader.id} reader={reader} onUnshare={onUnshare} onShare={onShare} />
	);
	return (
		<section aria-label={m.sharing_readers()}>
			<h3 className={classes.heading}>{m.sharing_readers()}</h3>
			{readers.isPending && (
				<div role="status" aria-label={m.sharing_readers_loading()} className={classes.skeleton}>
					<Skeleton height="44px" />
					<Skeleton height="44px" />
				</div>
			)}
			{readers.isError && owner === undefined && (
				<FailedState
					text={m.sharing_readers_failed()}
					detail={describeFailure(readers.error).message}
					onRetry={() => void readers.refetch()}
					isRetrying={readers.isFetching}
				/>
			)}
			{owner !== undefined && (
				<ul className={classes.users}>
					<OwnerRow owner={owner} />
					<li className={classes.user}>
						<span className={classes.icon}>
							<IconShieldLock {...iconProps} />
						</span>
						<span className={classes.text}>{m.sharing_reader_admins()}</span>
					</li>
					{items.filter(({ canRead }) => canRead).map(rowOf)}
				</ul>
			)}
			{owner !== undefined && items.length === excluded.length && !isReserved(owner) && (
				<p className={classes.none}>{m.sharing_readers_none()}</p>
			)}
			{excluded.length > 0 && (
				<>
					<h3 className={classes.heading}>{m.sharing_excluded()}</h3>
					<ul className={classes.users}>{excluded.map(rowOf)}</ul>
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

function isReserved(owner: string): boolean {
	return owner === 'guest' || owner === 'book';
}

function OwnerRow({ owner }: { owner: string }) {
	const OwnerIcon = owner === 'guest' ? IconUsers : owner === 'book' ? IconBook2 : IconUser;
	const label =
		owner === 'guest'
			? m.sharing_reader_guest()
			: owner === 'book'
				? m.sharing_reader_book()
				: m.sharing_reader_owner({ email: owner });
	return (
		<li className={classes.user}>
			<span className={classes.icon}>
				<OwnerIcon {...iconProps} />
			</span>
			<span className={`${classes.text} ${classes.reason}`}>{label}</span>
		</li>
	);
}

interface ReaderRowProps extends Omit<ShareReadersProps, 'node'> {
	reader: ShareRecipient;
}

function ReaderRow({ reader, onUnshare, onShare }: ReaderRowProps) {
	const { email, name, active, canRead, from } = reader;
	return (
		<li className={classes.user}>
			<Avatar name={name} email={email} size={32} isMuted={!canRead || !active} />
			<span className={classes.text}>
				<span className={classes.name}>{name ?? email}</span>
				<span className={classes.note}>
					{[name === null ? undefined : email, active ? undefined : m.sharing_inactive(), reasonText(reader)]
						.filter((word) => word !== undefined)
						.join(' · ')}
				</span>
			</span>
			{canRead ? (
				<Button
					size="small"
					aria-label={m.sharing_unshare_for({ email })}
					onClick={() => onUnshare(email, from.isItself ? null : from)}
				>
					{m.sharing_unshare()}
				</Button>
			) : (
				<Button size="small" aria-label={m.sharing_share_with({ email })} onClick={() => onShare(email)}>
					{m.sharing_share()}
				</Button>
			)}
		</li>
	);
}

function reasonText({ canRead, from, sharedBy: who, sharedAt }: ShareRecipient): string {
	const when = formatDateTime(sharedAt);
	const { name } = from;
	if (canRead)
		return from.isItself ? m.sharing_reason_own({ who, when }) : m.sharing_reason_inherited({ name, who, when });
	return from.isItself ? m.sharing_reason_excluded({ who, when }) : m.sharing_reason_excluded_by({ name, who, when });
}
