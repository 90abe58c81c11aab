import { IconCopy, IconFolderSymlink, IconShare2, IconTrash, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { formatCount, formatSize } from '#web/platform/formats/format.ts';
import classes from '#web/ui/data/selection-bar.module.css';
import { iconProps } from '#web/ui/primitives/icon.ts';
import type { NodeActions } from './node-menu.tsx';

interface BulkBarProps {
	chosen: ReadonlyMap<string, Node>;
	actions: Pick<NodeActions, 'canWrite' | 'share'> & Partial<Pick<NodeActions, 'move' | 'copy' | 'remove'>>;
	isBusy: boolean;
	/** The rest of the folder is loading so that it can be selected too. */
	isLoadingAll: boolean;
	/** Downloads everything selected. */
	download?: ReactNode;
	onClear: () => void;
}

/** The actions for the selected nodes; floats above the bottom of the page. */
export function BulkBar({ chosen, actions, isBusy, isLoadingAll, download, onClear }: BulkBarProps) {
	if (chosen.size === 0 && !isLoadingAll) return null;
	const nodes = () => [...chosen.values()];
	const icon = (Drawing: typeof IconCopy) => <Drawing {...iconProps} />;
	const act = (label: string, drawing: typeof IconCopy, onClick: () => void, isDangerous = false) => (
		<button
			type="button"
			className={classes.action}
			data-danger={isDangerous || undefined}
			disabled={isBusy || isLoadingAll}
			onClick={onClick}
		>
			{icon(drawing)}
			<span className={classes.label}>{label}</span>
		</button>
	);
	return (
		<section className={classes.bar} aria-label={m.files_selection()}>
			<p className={classes.count} role="status">
				<span>{isLoadingAll ? m.files_selecting_all() : m.files_selected({ count: formatCount(chosen.size) })}</span>
				{!isLoadingAll && <span className={classes.size}>{formatSize(sizeOf(chosen))}</span>}
			</p>
			{download}
			{actions.share !== undefined && act(m.sharing_share(), IconShare2, () => actions.share?.(nodes()))}
			{actions.canWrite && (
				<>
					{act(m.files_move(), IconFolderSymlink, () => actions.move?.(nodes()))}
					{act(m.files_copy(), IconCopy, () => actions.copy?.(nodes()))}
					{act(m.files_delete(), IconTrash, () => actions.remove?.(nodes()), true)}
				</>
			)}
			<button type="button" className={classes.close} aria-label={m.files_clear_selection()} onClick={onClear}>
				{icon(IconX)}
			</button>
		</section>
	);
}

function sizeOf(chosen: ReadonlyMap<string, Node>): number {
	let bytes = 0;
	for (const { size } of chosen.values()) bytes += size;
	return bytes;
}
