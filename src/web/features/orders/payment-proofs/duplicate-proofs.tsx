import { IconCopy } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { DuplicateProof } from '#contract/orders/orders.ts';
import { m } from '#messages';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import { duplicateTexts } from '../bulk-complete/bulk-complete.ts';
import classes from './duplicate-proofs.module.css';

const sameOrderTexts = { utr: m.orders_same_utr_own, picture: m.orders_same_picture_own };

export function DuplicateProofs({ repeats, onFollow }: { repeats: DuplicateProof[]; onFollow?: () => void }) {
	if (repeats.length === 0) return null;
	return (
		<ul className={classes.duplicates}>
			{repeats.map(({ kind, code, isOwnOrder }) => (
				<li key={`${kind} ${code}`}>
					<IconCopy {...smallIconProps} size={13} />
					{kind === 'used' ? (
						<span>{duplicateTexts[kind]({ code })}</span>
					) : isOwnOrder ? (
						<span>{sameOrderTexts[kind]()}</span>
					) : (
						<Link to="/Bookdashboard" search={{ search: code }} onClick={onFollow}>
							{duplicateTexts[kind]({ code })}
						</Link>
					)}
				</li>
			))}
		</ul>
	);
}
