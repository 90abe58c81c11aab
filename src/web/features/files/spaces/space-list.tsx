import { Box, Group } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { SpaceUsage } from '#contract/files/spaces.ts';
import { m } from '#messages';
import { api, type CallOutputs } from '#web/platform/api/client.ts';
import { formatCount, formatStorage } from '#web/platform/formats/format.ts';
import { usePagedQuery } from '#web/ui/data/paged-list.tsx';
import { Section } from '#web/ui/layout/section.tsx';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import { spaceName } from '../manager/file-breadcrumb.tsx';
import { QuotaDialog } from './quota-dialog.tsx';
import { percentUsed } from './storage-amounts.ts';
import classes from './storage-table.module.css';
import { StorageTable } from './storage-table.tsx';

/** Storage use of every space, the largest first. `defaultQuota` applies to spaces without their own quota. */
export function SpaceList({ defaultQuota }: { defaultQuota: number | null | undefined }) {
	const spaces = usePagedQuery(25, (input) => api.spaces.list.queryOptions({ input }));
	const [editedSpace, setEditedSpace] = useState<SpaceUsage>();
	return (
		<Section title={m.files_storage_by_space()} intro={introOf(spaces.page.data)}>
			<StorageTable
				list={spaces}
				texts={{
					failed: m.files_storage_failed(),
					pages: m.files_storage_pages(),
					first: m.files_storage_space(),
					last: m.files_storage_quota(),
				}}
				placeholders={5}
				rowOf={(space) => ({
					key: space.ownerId,
					name: (
						<Link to="/user/$email" params={{ email: space.email }}>
							<bdi>{spaceName(space.email)}</bdi>
						</Link>
					),
					fileCount: space.fileCount,
					size: <Size space={space} defaultQuota={defaultQuota} />,
					last: (
						<Group gap={8} justify="space-between" wrap="nowrap">
							<Box component="span" c={space.quotaBytes === null ? 'dimmed' : undefined}>
								{quotaText(space.quotaBytes, defaultQuota)}
							</Box>
							<IconButton
								size="small"
								label={m.files_quota_set_of({ name: spaceName(space.email) })}
								icon={IconPencil}
								onClick={() => setEditedSpace(space)}
							/>
						</Group>
					),
				})}
			/>
			{editedSpace !== undefined && <QuotaDialog space={editedSpace} onClose={() => setEditedSpace(undefined)} />}
		</Section>
	);
}

function introOf(data: CallOutputs['spaces']['list'] | undefined): string {
	if (data === undefined) return m.files_storage_by_space_note();
	const { totals, version } = data;
	return [
		m.files_storage_used({ used: formatStorage(totals.usedBytes), count: formatCount(totals.fileCount) }),
		...(totals.freeBytes === null ? [] : [m.files_storage_free({ free: formatStorage(totals.freeBytes) })]),
		m.files_storage_version({ version: version.program, database: version.database }),
	].join(' · ');
}

function Size({ space, defaultQuota }: { space: SpaceUsage; defaultQuota: number | null | undefined }) {
	const { email, usedBytes, trashBytes, quotaBytes } = space;
	const percent = percentUsed(usedBytes, quotaBytes ?? defaultQuota ?? null);
	return (
		<>
			{formatStorage(usedBytes)}
			{percent !== undefined && (
				<span className={classes.share} data-full={percent >= 100 || undefined}>
					{m.files_storage_share({ percent })}
				</span>
			)}
			{trashBytes > 0 && (
				<Link className={classes.trash} to="/user/$email" params={{ email }} search={{ trash: '' }}>
					{m.files_storage_trash({ size: formatStorage(trashBytes) })}
				</Link>
			)}
		</>
	);
}

function quotaText(quota: number | null, defaultQuota: number | null | undefined): string {
	if (quota !== null) return formatStorage(quota);
	return defaultQuota == null ? m.files_quota_none() : m.files_quota_default({ quota: formatStorage(defaultQuota) });
}
