import { Box, Flex } from '@mantine/core';
import { type Icon, IconBook2, IconShieldLock, IconUser, IconUsers } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ShareRecipient, ShareState } from '#contract/sharing/sharing.ts';
import { m } from '#messages';
import { formatDateTime } from '#web/platform/formats/format.ts';
import { Avatar } from '#web/ui/primitives/avatar.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';
import { FailedQuery } from '#web/ui/states/states.tsx';
import { useReaders } from '../api.ts';
import type { ShareableNode } from '../use-share-actions.tsx';
import classes from './share-dialog.module.css';

interface ShareReadersProps {
	node: ShareableNode;
	/** `from`: the parent folder from which the access is inherited; null if the node itself is shared. */
	onUnshare: (email: string, from: ShareState['from']) => void;
	onShare: (email: string) => void;
}

/** Lists who can read a node and who is excluded from it, with the reason for each. */
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
				<Box mt={12}>
					<SkeletonLines label={m.sharing_readers_loading()} count={2} height="44px" />
				</Box>
			)}
			{readers.isError && owner === undefined && <FailedQuery text={m.sharing_readers_failed()} query={readers} />}
			{owner !== undefined && (
				<ul>
					<FixedReader {...ownerReader(owner)} />
					<FixedReader Drawing={IconShieldLock} text={m.sharing_reader_admins()} />
					{items.filter(({ canRead }) => canRead).map(rowOf)}
				</ul>
			)}
			{owner !== undefined && items.length === excluded.length && owner !== 'guest' && owner !== 'book' && (
				<Box component="p" mt={12} c="dimmed">
					{m.sharing_readers_none()}
				</Box>
			)}
			{excluded.length > 0 && (
				<>
					<h3 className={classes.heading}>{m.sharing_excluded()}</h3>
					<ul>{excluded.map(rowOf)}</ul>
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

function ownerReader(owner: string): FixedReaderProps {
	if (owner === 'guest') return { Drawing: IconUsers, text: m.sharing_reader_guest() };
	if (owner === 'book') return { Drawing: IconBook2, text: m.sharing_reader_book() };
	return { Drawing: IconUser, text: m.sharing_reader_owner({ email: owner }) };
}

interface FixedReaderProps {
	Drawing: Icon;
	text: string;
}

function FixedReader({ Drawing, text }: FixedReaderProps) {
	return (
		<Flex component="li" align="center" gap={12} mih={52} className={classes.user}>
			<span className={classes.icon}>
				<Drawing {...iconProps} />
			</span>
			<span className={classes.text}>{text}</span>
		</Flex>
	);
}

interface UserRowProps {
	name: string | null;
	email: string;
	isMuted: boolean;
	notes: Array<string | false>;
	children: ReactNode;
}

export function UserRow({ name, email, isMuted, notes, children }: UserRowProps) {
	return (
		<Flex component="li" align="center" gap={12} mih={52} className={classes.user}>
			<Avatar name={name} email={email} size={32} isMuted={isMuted} />
			<span className={classes.text}>
				<span className={classes.name}>{name ?? email}</span>
				<span className={classes.note}>{notes.filter((note) => note !== false).join(' · ')}</span>
			</span>
			{children}
		</Flex>
	);
}

interface ReaderRowProps extends Omit<ShareReadersProps, 'node'> {
	reader: ShareRecipient;
}

function ReaderRow({ reader, onUnshare, onShare }: ReaderRowProps) {
	const { email, name, active, canRead, from } = reader;
	return (
		<UserRow
			name={name}
			email={email}
			isMuted={!canRead || !active}
			notes={[name !== null && email, !active && m.sharing_inactive(), reasonText(reader)]}
		>
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
		</UserRow>
	);
}

function reasonText({ canRead, from, sharedBy: who, sharedAt }: ShareRecipient): string {
	const when = formatDateTime(sharedAt);
	const { name } = from;
	if (canRead)
		return from.isItself ? m.sharing_reason_own({ who, when }) : m.sharing_reason_inherited({ name, who, when });
	return from.isItself ? m.sharing_reason_excluded({ who, when }) : m.sharing_reason_excluded_by({ name, who, when });
}
