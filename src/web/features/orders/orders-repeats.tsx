import { IconCopy } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Repeat } from '#contract/orders/orders.ts';
import { m } from '#messages';
import { smallIconProps } from '#web/ui/icon.ts';
import classes from './orders-repeats.module.css';

const texts = {
	utr: { others: m.orders_same_utr, own: m.orders_same_utr_own },
	picture: { others: m.orders_same_picture, own: m.orders_same_picture_own },
};

/** What a proof has in common with an earlier one; another order is a press away. */
export function Repeats({ repeats, onFollow }: { repeats: Repeat[]; onFollow?: () => void }) {
	if (repeats.length === 0) return null;
	return (
		<ul className={classes.repeats}>
			{repeats.map(({ kind, code, isOwnOrder }) => (
				<li key={`${kind} ${code}`}>
					<IconCopy {...smallIconProps} size={13} />
					{isOwnOrder ? (
						<span>{texts[kind].own()}</span>
					) : (
						<Link to="/Bookdashboard" search={{ search: code }} onClick={onFollow}>
							{texts[kind].others({ code })}
						</Link>
					)}
				</li>
			))}
		</ul>
	);
}
