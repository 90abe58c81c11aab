import { IconCheck, IconX } from '@tabler/icons-react';
import { m } from '#messages';
import { formatCount } from '#web/platform/formats/format.ts';
import classes from '#web/ui/data/selection-bar.module.css';
import { iconProps } from '#web/ui/primitives/icon.ts';

interface BulkCompleteBarProps {
	count: number;
	onComplete: () => void;
	onClear: () => void;
}

/** What can be done with every order chosen; floats above the foot of the page. */
export function BulkCompleteBar({ count, onComplete, onClear }: BulkCompleteBarProps) {
	return (
		<section className={classes.bar} aria-label={m.orders_selection()}>
			<p className={classes.count} role="status">
				{m.orders_selected({ count: formatCount(count) })}
			</p>
			<button type="button" className={classes.action} onClick={onComplete}>
				<IconCheck {...iconProps} />
				{m.orders_set_complete()}
			</button>
			<button type="button" className={classes.close} aria-label={m.orders_clear_selection()} onClick={onClear}>
				<IconX {...iconProps} />
			</button>
		</section>
	);
}
