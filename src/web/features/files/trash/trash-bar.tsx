import { IconRestore, IconTrashX, IconX } from '@tabler/icons-react';
import type { TrashedNode } from '#contract/files/files.ts';
import { m } from '#messages';
import { formatCount } from '#web/platform/formats/format.ts';
import classes from '#web/ui/data/selection-bar.module.css';
import { iconProps } from '#web/ui/primitives/icon.ts';

interface TrashBarProps {
	chosen: ReadonlyMap<string, TrashedNode>;
	/** The other pages are loading so that they can be selected too. */
	isLoadingAll: boolean;
	isBusy: boolean;
	onRestore: () => void;
	onPurge: () => void;
	onClear: () => void;
}

/** The actions for the items selected in the trash; floats above the bottom of the page. */
export function TrashBar({ chosen, isLoadingAll, isBusy, onRestore, onPurge, onClear }: TrashBarProps) {
	if (chosen.size === 0 && !isLoadingAll) return null;
	return (
		<section className={classes.bar} aria-label={m.files_selection()}>
			<p className={classes.count} role="status">
				{isLoadingAll ? m.files_selecting_all() : m.files_selected({ count: formatCount(chosen.size) })}
			</p>
			<button type="button" className={classes.action} disabled={isBusy || isLoadingAll} onClick={onRestore}>
				<IconRestore {...iconProps} />
				<span className={classes.label}>{m.files_restore()}</span>
			</button>
			<button type="button" className={classes.action} data-danger disabled={isBusy || isLoadingAll} onClick={onPurge}>
				<IconTrashX {...iconProps} />
				<span className={classes.label}>{m.files_purge()}</span>
			</button>
			<button type="button" className={classes.close} aria-label={m.files_clear_selection()} onClick={onClear}>
				<IconX {...iconProps} />
			</button>
		</section>
	);
}
