import { type Icon, IconCopy, IconFileZip, IconFolderSymlink, IconShare2, IconTrash, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { limits } from '#contract/core/limits.ts';
import { type Node, zipDownloadUrl } from '#contract/files/files.ts';
import { m } from '#messages';
import { formatCount, formatSize } from '#web/platform/formats/format.ts';
import classes from '#web/ui/data/selection-bar.module.css';
import { iconProps } from '#web/ui/primitives/icon.ts';
import type { NodeActions } from './node-menu.tsx';

interface SelectionBarProps {
	/** The selected nodes, by id. */
	chosen: ReadonlyMap<string, unknown>;
	note?: string;
	isBusy: boolean;
	/** The rest of the list is loading so that it can be selected too. */
	isLoadingAll: boolean;
	actions: Array<{ label: string; Drawing: Icon; onClick: () => void; isDangerous?: boolean }>;
	onClear: () => void;
	children?: ReactNode;
}

/** The actions for the selected nodes; floats above the bottom of the page. */
export function SelectionBar({ chosen, note, isBusy, isLoadingAll, actions, onClear, children }: SelectionBarProps) {
	if (chosen.size === 0 && !isLoadingAll) return null;
	return (
		<section className={classes.bar} aria-label={m.files_selection()}>
			<p className={classes.count} role="status">
				<span>{isLoadingAll ? m.files_selecting_all() : m.files_selected({ count: formatCount(chosen.size) })}</span>
				{!isLoadingAll && note !== undefined && <span className={classes.size}>{note}</span>}
			</p>
			{children}
			{actions.map(({ label, Drawing, onClick, isDangerous }) => (
				<button
					key={label}
					type="button"
					className={classes.action}
					data-danger={isDangerous || undefined}
					disabled={isBusy || isLoadingAll}
					onClick={onClick}
				>
					<Drawing {...iconProps} />
					<span className={classes.label}>{label}</span>
				</button>
			))}
			<button type="button" className={classes.close} aria-label={m.files_clear_selection()} onClick={onClear}>
				<IconX {...iconProps} />
			</button>
		</section>
	);
}

interface BulkBarProps extends Pick<SelectionBarProps, 'isBusy' | 'isLoadingAll' | 'onClear' | 'children'> {
	chosen: ReadonlyMap<string, Node>;
	actions: Pick<NodeActions, 'share'> & Partial<NodeActions>;
}

/** The selection of a file list, with the actions that are offered. */
export function BulkBar({ chosen, actions: { share, canWrite, move, copy, remove }, ...rest }: BulkBarProps) {
	const on = (action: ((nodes: Node[]) => void) | undefined) => () => action?.([...chosen.values()]);
	let sizeBytes = 0;
	for (const { size } of chosen.values()) sizeBytes += size;
	return (
		<SelectionBar
			chosen={chosen}
			note={formatSize(sizeBytes)}
			actions={[
				...(share ? [{ label: m.sharing_share(), Drawing: IconShare2, onClick: on(share) }] : []),
				...(canWrite
					? [
							{ label: m.files_move(), Drawing: IconFolderSymlink, onClick: on(move) },
							{ label: m.files_copy(), Drawing: IconCopy, onClick: on(copy) },
							{ label: m.files_delete(), Drawing: IconTrash, onClick: on(remove), isDangerous: true },
						]
					: []),
			]}
			{...rest}
		/>
	);
}

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
