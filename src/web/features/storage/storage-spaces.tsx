import { IconPencil } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { SpaceUse } from '#contract/files/spaces.ts';
import { m } from '#messages';
import { formatCount } from '#web/platform/format.ts';
import { FailedQuery } from '#web/ui/faces.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Section } from '#web/ui/section.tsx';
import { SkeletonLines } from '#web/ui/skeleton.tsx';
import { useKeysetPages } from '#web/ui/use-keyset-pages.ts';
import { useSpaces } from './storage.api.ts';
import { capacityText, percentOf, sizeText } from './storage-numbers.ts';
import { QuotaDialog } from './storage-quota-dialog.tsx';
import classes from './storage-spaces.module.css';
import { StorageCell, StorageTable } from './storage-table.tsx';

/** What every space holds and may hold, the largest first. `defaultQuota` holds where a space has none of its own. */
export function StorageSpaces({ defaultQuota }: { defaultQuota: number | null | undefined }) {
	const pages = useKeysetPages();
	const spaces = useSpaces(pages.cursor);
	const [changed, setChanged] = useState<SpaceUse>();
	const { totals, version } = spaces.data ?? {};
	return (
		<Section
			title={m.files_storage_by_space()}
			intro={
				totals === undefined || version === undefined
					? m.files_storage_by_space_note()
					: [
							m.files_storage_used({ used: sizeText(totals.usedBytes), count: formatCount(totals.fileCount) }),
							...(totals.freeBytes === null ? [] : [m.files_storage_free({ free: capacityText(totals.freeBytes) })]),
							m.files_storage_version({ version: version.program, database: version.database }),
						].join(' · ')
			}
		>
			<SpacesPage spaces={spaces} pages={pages} defaultQuota={defaultQuota} onChange={setChanged} />
			{changed !== undefined && (
				<QuotaDialog space={changed} name={nameOf(changed.email)} onClose={() => setChanged(undefined)} />
			)}
		</Section>
	);
}

interface SpacesPageProps {
	spaces: ReturnType<typeof useSpaces>;
	pages: ReturnType<typeof useKeysetPages>;
	defaultQuota: number | null | undefined;
	onChange: (space: SpaceUse) => void;
}

function SpacesPage({ spaces, pages, defaultQuota, onChange }: SpacesPageProps) {
	if (spaces.isPending) {
		return <SkeletonLines label={m.files_storage_loading()} count={5} height="36px" />;
	}
	if (spaces.isError) {
		return <FailedQuery text={m.files_storage_failed()} query={spaces} />;
	}
	const { items, nextCursor } = spaces.data;
	return (
		<StorageTable
			firstHead={m.files_storage_space()}
			lastHead={m.files_storage_quota()}
			pagerLabel={m.files_storage_pages()}
			pages={pages}
			nextCursor={nextCursor}
			rowCount={items.length}
			isComing={spaces.isPlaceholderData}
		>
			{items.map((space) => (
				<SpaceRow key={space.ownerId} space={space} defaultQuota={defaultQuota} onChange={onChange} />
			))}
		</StorageTable>
	);
}

interface SpaceRowProps {
	space: SpaceUse;
	defaultQuota: number | null | undefined;
	onChange: (space: SpaceUse) => void;
}

function SpaceRow({ space, defaultQuota, onChange }: SpaceRowProps) {
	const { email, fileCount, usedBytes, trashBytes, quotaBytes } = space;
	const name = nameOf(email);
	const percent = percentOf(usedBytes, quotaBytes ?? defaultQuota ?? null);
	return (
		<tr>
			<th scope="row" className={classes.name}>
				<Link to="/user/$email" params={{ email }}>
					<bdi>{name}</bdi>
				</Link>
			</th>
			<StorageCell head={m.files_storage_count()} kind="number">
				{formatCount(fileCount)}
			</StorageCell>
			<StorageCell head={m.files_storage_size()} kind="number">
				{sizeText(usedBytes)}
				{percent !== undefined && (
					<span className={classes.share} data-full={percent >= 100 || undefined}>
						{m.files_storage_share({ percent })}
					</span>
				)}
				{trashBytes > 0 && (
					<Link className={classes.trash} to="/user/$email" params={{ email }} search={{ trash: '' }}>
						{m.files_storage_trash({ size: sizeText(trashBytes) })}
					</Link>
				)}
			</StorageCell>
			<StorageCell head={m.files_storage_quota()} kind="quota">
				<span className={classes.quotaCell}>
					<span className={quotaBytes === null ? classes.muted : undefined}>{quotaText(quotaBytes, defaultQuota)}</span>
					<IconButton
						size="small"
						label={m.files_quota_set_of({ name })}
						icon={<IconPencil {...iconProps} />}
						onClick={() => onChange(space)}
					/>
				</span>
			</StorageCell>
		</tr>
	);
}

function quotaText(own: number | null, general: number | null | undefined): string {
	if (own !== null) return capacityText(own);
	return general == null ? m.files_quota_none() : m.files_quota_default({ quota: capacityText(general) });
}

function nameOf(email: string): string {
	if (email === 'guest') return m.files_space_guest();
	if (email === 'book') return m.files_space_book();
	return email;
}
