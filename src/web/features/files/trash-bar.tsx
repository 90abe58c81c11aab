import { IconRestore, IconTrashX, IconX } from '@tabler/icons-react';
import type { TrashedNode } from '#contract/files/files.ts';
import { m } from '#messages';
import { formatCount } from '#web/platform/format.ts';
import { iconProps } from '#web/ui/icon.ts';
import classes from './bulk-bar.module.css';

interface TrashBarProps {
	chosen: readonly TrashedNode[];
	isBusy: boolean;
	onRestore: () => void;
	onPurge: () => void;
	onClear: () => void;
}

/** What can be done with everything chosen in the trash; floats above the foot of the page. */
export function TrashBar({ chosen, isBusy, onRestore, onPurge, onClear }: TrashBarProps) {
	if (chosen.length === 0) return null;
	return (
		<section className={classes.bar} aria-label={m.files_selection()}>
			<p className={classes.count} role="status">
				{m.files_selected({ count: formatCount(chosen.length) })}
			</p>
			<button type="button" className={classes.action} disabled={isBusy} onClick={onRestore}>
				<IconRestore {...iconProps} />
				<span className={classes.word}>{m.files_restore()}</span>
			</button>
			<button type="button" className={classes.action} data-danger disabled={isBusy} onClick={onPurge}>
				<IconTrashX {...iconProps} />
				<span className={classes.word}>{m.files_purge()}</span>
			</button>
			<button type="button" className={classes.close} aria-label={m.files_clear_selection()} onClick={onClear}>
				<IconX {...iconProps} />
			</button>
		</section>
	);
}
