import { IconArrowDown, IconFlag } from '@tabler/icons-react';
import { memo } from 'react';
import { m } from '#messages';
import { formatMoney } from '#web/platform/formats/format.ts';
import { useLocale } from '#web/platform/formats/locale.ts';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import { warningLabels } from '../order-warnings.ts';
import { DuplicateProofs } from '../payment-proofs/duplicate-proofs.tsx';
import { OrderCode, OrderTime, RowActions, ScreenshotCell, StatusCell, TextCell } from './order-cells.tsx';
import { AllOrdersCheckbox, OrderCheckbox } from './order-checkbox.tsx';
import {
	hasWarnings,
	type OrderRowProps,
	type OrderRowsProps,
	useEditableOrderRow,
	useOrderRows,
} from './order-row.ts';
import classes from './orders-table.module.css';

/** The orders page on a wide screen: one row for each order, edited in place. */
export function OrdersTable(props: OrderRowsProps) {
	const { orders, selection } = props;
	const rows = useOrderRows(props);
	return (
		<table className={classes.table} aria-label={m.screen_orders()}>
			<thead>
				<tr>
					<th scope="col" className={classes.name}>
						<span className={classes.pick}>
							<AllOrdersCheckbox
								shown={orders}
								chosen={selection.ids}
								onChooseAll={() => selection.chooseAll(orders)}
							/>
						</span>
						{m.orders_name()}
					</th>
					<th scope="col" className={classes.email}>
						{m.orders_email()}
					</th>
					<th scope="col" className={classes.phone}>
						{m.orders_phone()}
					</th>
					<th scope="col" className={classes.upi}>
						{m.orders_upi_id()}
					</th>
					<th scope="col" className={classes.screenshot}>
						{m.orders_screenshot()}
					</th>
					<th scope="col" className={classes.status}>
						{m.orders_status()}
					</th>
					<th scope="col" className={classes.time} aria-sort="descending">
						<span className={classes.sorted}>
							{m.orders_time()} <IconArrowDown {...smallIconProps} />
						</span>
					</th>
					<th scope="col" className={classes.price}>
						{m.orders_price()}
					</th>
					<th scope="col" className={classes.actions}>
						{m.orders_actions()}
					</th>
				</tr>
			</thead>
			<tbody>
				{rows.map((row) => (
					<TableRow key={row.order.id} {...row} />
				))}
			</tbody>
		</table>
	);
}

const TableRow = memo(function TableRow(props: OrderRowProps) {
	useLocale();
	const { order, isChosen, onChoose, onShowProofs, onWriteNote, onDelete } = props;
	const row = useEditableOrderRow(props);
	const isFlagged = hasWarnings(order);
	return (
		<>
			<tr
				className={classes.row}
				data-dirty={row.isDirty || undefined}
				data-flagged={isFlagged || undefined}
				data-chosen={isChosen || undefined}
			>
				<td className={classes.identity}>
					<span className={classes.pick}>
						<OrderCheckbox order={order} isChosen={isChosen} onChoose={onChoose} />
					</span>
					<TextCell order={order} row={row} field="name" />
					<OrderCode order={order} />
					{order.oddFields.length > 0 && (
						<span className={classes.flag}>
							<IconFlag {...smallIconProps} size={13} />
							<span>{warningLabels(order)}</span>
						</span>
					)}
					<DuplicateProofs repeats={order.repeats} />
				</td>
				<td>
					<TextCell order={order} row={row} field="email" />
				</td>
				<td className={classes.figures}>
					<TextCell order={order} row={row} field="phone" />
				</td>
				<td>
					<TextCell order={order} row={row} field="upiId" />
				</td>
				<td>
					<ScreenshotCell order={order} onShow={() => onShowProofs(order)} />
				</td>
				<td>
					<StatusCell row={row} />
				</td>
				<td>
					<OrderTime order={order} />
				</td>
				<td className={classes.priceCell}>{formatMoney(order.totalPrice)}</td>
				<td className={classes.actionsCell}>
					<RowActions order={order} row={row} onWriteNote={() => onWriteNote(order)} onDelete={() => onDelete(order)} />
				</td>
			</tr>
			{row.error !== undefined && (
				<tr className={classes.error}>
					<td colSpan={9} role="alert">
						{row.error}
					</td>
				</tr>
			)}
		</>
	);
});
