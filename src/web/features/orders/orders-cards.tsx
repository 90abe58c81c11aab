import { IconFlag } from '@tabler/icons-react';
import { memo } from 'react';
import { formatMoney } from '#web/platform/format.ts';
import { useLocale } from '#web/platform/locale.ts';
import { smallIconProps } from '#web/ui/icon.ts';
import { OrderBox } from './orders-box.tsx';
import classes from './orders-cards.module.css';
import {
	fieldLabels,
	OrderCode,
	OrderTime,
	RowActions,
	ScreenshotCell,
	StatusCell,
	TextCell,
} from './orders-cells.tsx';
import { oddLabels } from './orders-odd.ts';
import { Repeats } from './orders-repeats.tsx';
import { isMarked, type OrderRowProps, type OrderRowsProps, useOrderRow, useOrderRows } from './orders-row.ts';

/** The desk on a phone or tablet: one card an order. */
export function OrdersCards(props: OrderRowsProps) {
	return (
		<ul className={classes.cards}>
			{useOrderRows(props).map((row) => (
				<OrderCard key={row.order.id} {...row} />
			))}
		</ul>
	);
}

const textFields = ['name', 'email', 'phone', 'upiId'] as const;

const OrderCard = memo(function OrderCard(props: OrderRowProps) {
	useLocale();
	const { order, isChosen, onChoose, onShowProofs, onWriteNote, onDelete } = props;
	const row = useOrderRow(props);
	const isFlagged = isMarked(order);
	return (
		<li
			className={classes.card}
			data-dirty={row.isDirty || undefined}
			data-flagged={isFlagged || undefined}
			data-chosen={isChosen || undefined}
		>
			<div className={classes.head}>
				<OrderBox order={order} isChosen={isChosen} onChoose={onChoose} />
				<ScreenshotCell order={order} onShow={() => onShowProofs(order)} />
				<div className={classes.facts}>
					<span className={classes.price}>{formatMoney(order.totalPrice)}</span>
					<OrderTime order={order} />
					<OrderCode order={order} />
					{order.oddFields.length > 0 && (
						<span className={classes.flag}>
							<IconFlag {...smallIconProps} />
							<span>{oddLabels(order)}</span>
						</span>
					)}
				</div>
				<StatusCell row={row} />
			</div>
			<Repeats repeats={order.repeats} />
			<dl className={classes.fields}>
				{textFields.map((field) => (
					<div key={field} className={classes.field}>
						<dt>{fieldLabels[field]()}</dt>
						<dd>
							<TextCell order={order} row={row} field={field} />
						</dd>
					</div>
				))}
			</dl>
			{row.refusal !== undefined && (
				<p className={classes.refusal} role="alert">
					{row.refusal}
				</p>
			)}
			<div className={classes.foot}>
				<RowActions order={order} row={row} onWriteNote={() => onWriteNote(order)} onDelete={() => onDelete(order)} />
			</div>
		</li>
	);
});
