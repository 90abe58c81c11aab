import { Flex, Stack } from '@mantine/core';
import { memo } from 'react';
import { formatMoney } from '#web/platform/formats/format.ts';
import { useLocale } from '#web/platform/formats/locale.ts';
import { fieldLabels } from '../order-warnings.tsx';
import { DuplicateProofs } from '../payment-proofs/duplicate-proofs.tsx';
import {
	OrderCode,
	OrderTime,
	OrderWarning,
	RowActions,
	ScreenshotCell,
	StatusCell,
	TextCell,
} from './order-cells.tsx';
import { OrderCheckbox } from './order-checkbox.tsx';
import { type OrderRowProps, type OrderRowsProps, useEditableOrderRow, useOrderRows } from './order-row.ts';
import classes from './orders-cards.module.css';

/** Shows orders as cards, for phones and tablets. */
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
	const row = useEditableOrderRow(props);
	return (
		<li className={classes.card} {...row.marks}>
			<Flex align="center" gap={12}>
				<OrderCheckbox order={order} isChosen={isChosen} onChoose={onChoose} />
				<ScreenshotCell order={order} onShow={() => onShowProofs(order)} />
				<Stack gap={2} flex={1} miw={0}>
					<span className={classes.price}>{formatMoney(order.totalPrice)}</span>
					<OrderTime order={order} />
					<OrderCode order={order} />
					<OrderWarning order={order} />
				</Stack>
				<StatusCell row={row} />
			</Flex>
			<DuplicateProofs repeats={order.repeats} />
			<Flex component="dl" direction="column" gap={8} mt={12}>
				{textFields.map((field) => (
					<div key={field} className={classes.field}>
						<dt>{fieldLabels[field]()}</dt>
						<dd>
							<TextCell order={order} row={row} field={field} />
						</dd>
					</div>
				))}
			</Flex>
			{row.error !== undefined && (
				<p className={classes.error} role="alert">
					{row.error}
				</p>
			)}
			<Flex justify="flex-end" mt={12}>
				<RowActions order={order} row={row} onWriteNote={onWriteNote} onDelete={onDelete} />
			</Flex>
		</li>
	);
});
