import { Flex, Stack, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { memo } from 'react';
import { m } from '#messages';
import { formatMoney } from '#web/platform/formats/format.ts';
import { useLocale } from '#web/platform/formats/locale.ts';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import { DuplicateProofs, fieldLabels } from '../order-warnings.tsx';
import {
	OrderCode,
	OrderTime,
	OrderWarning,
	RowActions,
	ScreenshotCell,
	StatusCell,
	TextCell,
} from './order-cells.tsx';
import { AllOrdersCheckbox, OrderCheckbox } from './order-checkbox.tsx';
import { type OrderRowProps, type OrderRowsProps, useEditableOrderRow, useOrderRows } from './order-row.ts';
import cardClasses from './orders-cards.module.css';
import classes from './orders-table.module.css';

const checkboxWidth = 40;

const columns = [
	{ label: m.orders_name, width: '13%' },
	{ label: m.orders_email, width: '15%' },
	{ label: m.orders_phone, width: 112 },
	{ label: m.orders_upi_id, width: '11%' },
	{ label: m.orders_screenshot, width: 82 },
	{ label: m.orders_status, width: 128 },
	{ label: m.orders_time, width: 94, isSorted: true },
	{ label: m.orders_price, width: 66 },
	{ label: m.orders_actions, width: 144 },
];

/** Shows orders as editable rows, for wide screens. */
export function OrdersTable(props: OrderRowsProps) {
	const { orders, selection, sort } = props;
	const ariaSort = sort === 'oldest' ? 'ascending' : 'descending';
	const SortIcon = sort === 'oldest' ? IconArrowUp : IconArrowDown;
	const rows = useOrderRows(props);
	return (
		<table className={classes.table} aria-label={m.screen_orders()}>
			<thead>
				<tr>
					<th scope="col" style={{ width: checkboxWidth }}>
						<AllOrdersCheckbox shown={orders} chosen={selection.ids} onChooseAll={() => selection.chooseAll(orders)} />
					</th>
					{columns.map(({ label, width, isSorted }) => (
						<th key={label()} scope="col" style={{ width }} aria-sort={isSorted ? ariaSort : undefined}>
							{isSorted ? (
								<Flex component="span" display="inline-flex" align="center" gap={4} c="var(--ink)" fw={600}>
									{label()} <SortIcon {...smallIconProps} />
								</Flex>
							) : (
								label()
							)}
						</th>
					))}
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
	return (
		<>
			<tr className={classes.row} {...row.marks}>
				<td>
					<OrderCheckbox order={order} isChosen={isChosen} onChoose={onChoose} />
				</td>
				<td className={classes.name}>
					<TextCell order={order} row={row} field="name" />
					<OrderCode order={order} />
					<OrderWarning order={order} />
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
				<td className={classes.price}>{formatMoney(order.totalPrice)}</td>
				<td>
					<RowActions order={order} row={row} onWriteNote={onWriteNote} onDelete={onDelete} />
				</td>
			</tr>
			{row.error !== undefined && (
				<tr>
					<td colSpan={columns.length + 1} className={classes.error} role="alert">
						{row.error}
					</td>
				</tr>
			)}
		</>
	);
});

/** Shows orders as cards, for phones and tablets. */
export function OrdersCards(props: OrderRowsProps) {
	return (
		<ul className={cardClasses.cards}>
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
	const row = useEditableOrderRow(props);
	return (
		<li className={cardClasses.card} {...row.marks}>
			<Flex align="center" gap={12}>
				<OrderCheckbox order={order} isChosen={isChosen} onChoose={onChoose} />
				<ScreenshotCell order={order} onShow={() => onShowProofs(order)} />
				<Stack gap={2} flex={1} miw={0}>
					<Text span fz="xl" fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>
						{formatMoney(order.totalPrice)}
					</Text>
					<OrderTime order={order} />
					<OrderCode order={order} />
					<OrderWarning order={order} />
				</Stack>
				<StatusCell row={row} />
			</Flex>
			<DuplicateProofs repeats={order.repeats} />
			<Flex component="dl" direction="column" gap={8} mt={12}>
				{textFields.map((field) => (
					<div key={field} className={cardClasses.field}>
						<dt>{fieldLabels[field]()}</dt>
						<dd>
							<TextCell order={order} row={row} field={field} />
						</dd>
					</div>
				))}
			</Flex>
			{row.error !== undefined && (
				<p className={cardClasses.error} role="alert">
					{row.error}
				</p>
			)}
			<Flex justify="flex-end" mt={12}>
				<RowActions order={order} row={row} onWriteNote={onWriteNote} onDelete={onDelete} />
			</Flex>
		</li>
	);
});
