import { Menu } from '@mantine/core';
import { IconFileZip } from '@tabler/icons-react';
import { limits } from '#contract/core/limits.ts';
import { zipDownloadUrl } from '#contract/files/files.ts';
import { m } from '#messages';
import { formatCount } from '#web/platform/formats/format.ts';
import classes from '#web/ui/data/selection-bar.module.css';
import { iconProps, smallIconProps } from '#web/ui/primitives/icon.ts';

/** Downloads the selection as one ZIP file. If more is selected than a URL can name, shows the limit instead. */
export function ZipSelectionLink({ ids }: { ids: readonly string[] }) {
	if (ids.length === 0) return null;
	if (ids.length > limits.zipSelectionMax) {
		const limitText = m.zip_limit({ count: formatCount(limits.zipSelectionMax) });
		return (
			<button type="button" className={classes.action} disabled title={limitText}>
				<IconFileZip {...iconProps} />
				<span className={classes.label}>{limitText}</span>
			</button>
		);
	}
	return (
		<a className={classes.action} href={zipDownloadUrl(ids)} download aria-label={m.zip_download()}>
			<IconFileZip {...iconProps} />
			<span className={classes.label}>{m.files_download()}</span>
		</a>
	);
}

/** Menu item that downloads one folder as a ZIP file. */
export function ZipMenuItem({ id }: { id: string }) {
	return (
		<Menu.Item leftSection={<IconFileZip {...smallIconProps} />} component="a" href={zipDownloadUrl([id])} download>
			{m.zip_download()}
		</Menu.Item>
	);
}
