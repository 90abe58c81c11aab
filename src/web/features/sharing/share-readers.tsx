import { IconBook2, IconShieldLock, IconUser, IconUsers } from '@tabler/icons-react';
import type { Reader, ShareState } from '#contract/sharing/sharing.ts';
import { m } from '#messages';
import { describeFailure } from '#web/platform/failure.ts';
import { formatDateTime } from '#web/platform/format.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { FailedState } from '#web/ui/faces.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import classes from './share-dialog.module.css';
import { useReaders } from './sharing.api.ts';
import type { SharedThing } from './use-share-work.ts';

interface ShareReadersProps {
	thing: SharedThing;
	/** `from`: the folder that stays shared, where the right is inherited. */
	onUnshare: (email: string, from: ShareState['from']) => void;
	onShare: (email: string) => void;
}

/** Who can read a folder or file, each with the entry that decides: the owner, the admins, and everybody it is shared with. */
export function ShareReaders({ thing, onUnshare, onShare }: ShareReadersProps) {
	const readers = useReaders(thing.id);
	const owner = readers.data?.pages[0]?.owner;
	const items = readers.data?.pages.flatMap((page) => page.items) ?? [];
	const leftOut = items.filter(({ canRead }) => !canRead);
	const rowOf = (reader: Reader) => (
		<ReaderRow key={reader.id} reader={reader} onUnshare={onUnshare} onShare={onShare} />
	);
	return (
		<section aria-label={m.sharing_readers()}>
			<h3 className={classes.head}>{m.sharing_readers()}</h3>
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
				<ul className={classes.people}>
					<OwnerRow owner={owner} />
					<li className={classes.person}>
						<span className={classes.sign}>
							<IconShieldLock {...iconProps} />
						</span>
						<span className={classes.words}>{m.sharing_reader_admins()}</span>
					</li>
					{items.filter(({ canRead }) => canRead).map(rowOf)}
				</ul>
			)}
			{owner !== undefined && items.length === leftOut.length && !isReserved(owner) && (
				<p className={classes.none}>{m.sharing_readers_none()}</p>
			)}
			{leftOut.length > 0 && (
				<>
					<h3 className={classes.head}>{m.sharing_left_out()}</h3>
					<ul className={classes.people}>{leftOut.map(rowOf)}</ul>
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
	const words =
		owner === 'guest'
			? m.sharing_reader_guest()
			: owner === 'book'
				? m.sharing_reader_book()
				: m.sharing_reader_owner({ email: owner });
	return (
		<li className={classes.person}>
			<span className={classes.sign}>
				<OwnerIcon {...iconProps} />
			</span>
			<span className={`${classes.words} ${classes.why}`}>{words}</span>
		</li>
	);
}

interface ReaderRowProps extends Omit<ShareReadersProps, 'thing'> {
	reader: Reader;
}

function ReaderRow({ reader, onUnshare, onShare }: ReaderRowProps) {
	const { email, name, active, canRead, from } = reader;
	return (
		<li className={classes.person}>
			<Avatar name={name} email={email} size={32} isMuted={!canRead || !active} />
			<span className={classes.words}>
				<span className={classes.name}>{name ?? email}</span>
				<span className={classes.note}>
					{[name === null ? undefined : email, active ? undefined : m.sharing_inactive(), whyOf(reader)]
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

function whyOf({ canRead, from, sharedBy: who, sharedAt }: Reader): string {
	const when = formatDateTime(sharedAt);
	const { name } = from;
	if (canRead) return from.isItself ? m.sharing_why_own({ who, when }) : m.sharing_why_inherited({ name, who, when });
	return from.isItself ? m.sharing_why_excluded({ who, when }) : m.sharing_why_excluded_by({ name, who, when });
}
