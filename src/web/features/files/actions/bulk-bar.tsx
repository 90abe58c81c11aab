import { IconCopy, IconFileZip, IconFolderSymlink, IconShare2, IconTrash } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { limits } from '#contract/core/limits.ts';
import { type Node, zipDownloadUrl } from '#contract/files/files.ts';
import { m } from '#messages';
import { formatCount, formatSize } from '#web/platform/formats/format.ts';
import classes from '#web/ui/data/selection-bar.module.css';
import { SelectionBar } from '#web/ui/data/selection-bar.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import type { NodeActions } from './node-menu.tsx';

type BarProps = ComponentProps<typeof SelectionBar>;

interface NodeSelectionBarProps extends Omit<BarProps, 'labels' | 'text'> {
	chosen: ReadonlyMap<string, unknown>;
	/** Whether the rest of the list is loading after Select all. */
	isLoadingAll: boolean;
}

export function NodeSelectionBar({ chosen, isLoadingAll, note, isBusy = false, ...rest }: NodeSelectionBarProps) {
	if (chosen.size === 0 && !isLoadingAll) return null;
	return (
		<SelectionBar
			labels={{ bar: m.files_selection(), clear: m.files_clear_selection() }}
			text={isLoadingAll ? m.files_selecting_all() : m.files_selected({ count: formatCount(chosen.size) })}
			note={isLoadingAll ? undefined : note}
			isBusy={isBusy || isLoadingAll}
			{...rest}
		/>
	);
}

interface BulkBarProps extends Omit<NodeSelectionBarProps, 'chosen' | 'actions' | 'note'> {
	chosen: ReadonlyMap<string, Node>;
	actions: Pick<NodeActions, 'share' | 'change'>;
}

export function BulkBar({ chosen, actions: { share, change }, ...rest }: BulkBarProps) {
	const nodes = [...chosen.values()];
	return (
		<NodeSelectionBar
			chosen={chosen}
			note={formatSize(nodes.reduce((sum, { size }) => sum + size, 0))}
			actions={[
				...(share ? [{ label: m.sharing_share(), icon: IconShare2, onClick: () => share(nodes) }] : []),
				...(change
					? [
							{ label: m.files_move(), icon: IconFolderSymlink, onClick: () => change('move', nodes) },
							{ label: m.files_copy(), icon: IconCopy, onClick: () => change('copy', nodes) },
							{ label: m.files_delete(), icon: IconTrash, onClick: () => change('remove', nodes), isDangerous: true },
						]
					: []),
			]}
			{...rest}
		/>
	);
}

/** Downloads the selection as one ZIP file. Shows the limit instead if too many nodes are selected for a URL. */
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
