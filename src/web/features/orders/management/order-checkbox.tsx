import type { Order } from '#contract/orders/orders.ts';
import { m } from '#messages';
import { SelectionCheckbox } from '#web/ui/forms/selection-checkbox.tsx';
import type { OrderRowProps } from './order-row.ts';

/** Selects or deselects an order. With Shift, also all orders between it and the last order that was clicked. */
export function OrderCheckbox({ order, isChosen, onChoose }: Pick<OrderRowProps, 'order' | 'isChosen' | 'onChoose'>) {
	return (
		<SelectionCheckbox
			label={m.orders_select_of({ name: order.name })}
			isChecked={isChosen}
			onChange={({ nativeEvent }) => onChoose(order, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
		/>
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
		<SelectionCheckbox
			label={m.orders_select_all()}
			isChecked={count === shown.length}
			isPartial={count > 0 && count < shown.length}
			onChange={onChooseAll}
		/>
	);
}
