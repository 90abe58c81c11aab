import { IconPencil } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { SpaceUsage } from '#contract/files/spaces.ts';
import { m } from '#messages';
import { formatCount } from '#web/platform/formats/format.ts';
import { useKeysetPages } from '#web/ui/data/pager.tsx';
import { Section } from '#web/ui/layout/section.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';
import { FailedQuery } from '#web/ui/states/states.tsx';
import { QuotaDialog } from './quota-dialog.tsx';
import { useSpaces } from './spaces-api.ts';
import { capacityText, percentUsed, sizeText } from './storage-amounts.ts';
import classes from './storage-table.module.css';
import { StorageCell, StorageTable } from './storage-table.tsx';

/**
 * Storage use and quota of every space, the largest first. `defaultQuota` applies to spaces without their own quota.
 */
export function SpaceList({ defaultQuota }: { defaultQuota: number | null | undefined }) {
	const pages = useKeysetPages();
	const spaces = useSpaces(pages.cursor);
	const [changed, setChanged] = useState<SpaceUsage>();
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
				<QuotaDialog space={changed} name={spaceNameOf(changed.email)} onClose={() => setChanged(undefined)} />
			)}
		</Section>
	);
}

interface SpacesPageProps {
	spaces: ReturnType<typeof useSpaces>;
	pages: ReturnType<typeof useKeysetPages>;
	defaultQuota: number | null | undefined;
	onChange: (space: SpaceUsage) => void;
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
			firstHeader={m.files_storage_space()}
			lastHeader={m.files_storage_quota()}
			pagerLabel={m.files_storage_pages()}
			pages={pages}
			nextCursor={nextCursor}
			rowCount={items.length}
			isFetching={spaces.isPlaceholderData}
		>
			{items.map((space) => (
				<SpaceRow key={space.ownerId} space={space} defaultQuota={defaultQuota} onChange={onChange} />
			))}
		</StorageTable>
	);
}

interface SpaceRowProps {
	space: SpaceUsage;
	defaultQuota: number | null | undefined;
	onChange: (space: SpaceUsage) => void;
}

function SpaceRow({ space, defaultQuota, onChange }: SpaceRowProps) {
	const { email, fileCount, usedBytes, trashBytes, quotaBytes } = space;
	const name = spaceNameOf(email);
	const percent = percentUsed(usedBytes, quotaBytes ?? defaultQuota ?? null);
	return (
		<tr>
			<th scope="row" className={classes.name}>
				<Link to="/user/$email" params={{ email }}>
					<bdi>{name}</bdi>
				</Link>
			</th>
			<StorageCell header={m.files_storage_count()} kind="number">
				{formatCount(fileCount)}
			</StorageCell>
			<StorageCell header={m.files_storage_size()} kind="number">
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
			<StorageCell header={m.files_storage_quota()} kind="quota">
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

function spaceNameOf(email: string): string {
	if (email === 'guest') return m.files_space_guest();
	if (email === 'book') return m.files_space_book();
	return email;
}
