import type { Order } from '#contract/orders/orders.ts';
import { m } from '#messages';
import classes from './order-checkbox.module.css';
import type { OrderRowProps } from './order-row.ts';

/** Selects or deselects an order. With Shift, also all orders between it and the last order that was clicked. */
export function OrderCheckbox({ order, isChosen, onChoose }: Pick<OrderRowProps, 'order' | 'isChosen' | 'onChoose'>) {
	return (
		<label className={classes.target}>
			<input
				type="checkbox"
				className={classes.checkbox}
				checked={isChosen}
				aria-label={m.orders_select_of({ name: order.name })}
				onChange={({ nativeEvent }) => onChoose(order, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
			/>
		</label>
	);
}

interface AllOrdersCheckboxProps {
	shown: readonly Order[];
	chosen: ReadonlySet<string>;
	onChooseAll: () => void;
}

export function AllOrdersCheckbox({ shown, chosen, onChooseAll }: AllOrdersCheckboxProps) {
	const count = shown.filter(({ id }) => chosen.has(id)).length;
	return (
		<label className={classes.target}>
			<input
				type="checkbox"
				className={classes.checkbox}
				checked={count === shown.length}
				ref={(box) => {
					if (box !== null) box.indeterminate = count > 0 && count < shown.length;
				}}
				aria-label={m.orders_select_all()}
				onChange={onChooseAll}
			/>
		</label>
	);
}
