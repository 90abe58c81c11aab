import { Menu } from '@mantine/core';
import { IconFileZip } from '@tabler/icons-react';
import { limits } from '#contract/core/limits.ts';
import { archiveUrl } from '#contract/files/archive.ts';
import { m } from '#messages';
import { formatCount } from '#web/platform/format.ts';
import { iconProps, smallIconProps } from '#web/ui/icon.ts';
import classes from '#web/ui/selection-bar.module.css';

/** Everything selected as one ZIP; where more is selected than an address can name, how much may be. */
export function ArchiveOfSelection({ ids }: { ids: readonly string[] }) {
	if (ids.length === 0) return null;
	if (ids.length > limits.archivedAtOnceMax) {
		const most = m.archive_most({ count: formatCount(limits.archivedAtOnceMax) });
		return (
			<button type="button" className={classes.action} disabled title={most}>
				<IconFileZip {...iconProps} />
				<span className={classes.word}>{most}</span>
			</button>
		);
	}
	return (
		<a className={classes.action} href={archiveUrl(ids)} download aria-label={m.archive_download()}>
			<IconFileZip {...iconProps} />
			<span className={classes.word}>{m.files_download()}</span>
		</a>
	);
}

/** One folder as a ZIP, in its menu. */
export function ArchiveItem({ id }: { id: string }) {
	return (
		<Menu.Item leftSection={<IconFileZip {...smallIconProps} />} component="a" href={archiveUrl([id])} download>
			{m.archive_download()}
		</Menu.Item>
	);
}
