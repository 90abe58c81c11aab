import { IconCopy } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Repeat } from '#contract/orders/orders.ts';
import { m } from '#messages';
import { smallIconProps } from '#web/ui/icon.ts';
import { repeatTexts } from './orders-bulk.ts';
import classes from './orders-repeats.module.css';

const ownTexts = { utr: m.orders_same_utr_own, picture: m.orders_same_picture_own };

/** What a proof has in common with another one; another order is a press away. */
export function Repeats({ repeats, onFollow }: { repeats: Repeat[]; onFollow?: () => void }) {
	if (repeats.length === 0) return null;
	return (
		<ul className={classes.repeats}>
			{repeats.map(({ kind, code, isOwnOrder }) => (
				<li key={`${kind} ${code}`}>
					<IconCopy {...smallIconProps} size={13} />
					{kind === 'used' ? (
						<span>{repeatTexts[kind]({ code })}</span>
					) : isOwnOrder ? (
						<span>{ownTexts[kind]()}</span>
					) : (
						<Link to="/Bookdashboard" search={{ search: code }} onClick={onFollow}>
							{repeatTexts[kind]({ code })}
						</Link>
					)}
				</li>
			))}
		</ul>
	);
}
