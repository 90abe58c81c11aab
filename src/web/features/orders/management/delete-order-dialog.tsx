import type { Order } from '#contract/orders/orders.ts';
import { m } from '#messages';
import { formatMoney } from '#web/platform/formats/format.ts';
import { ConfirmDialog } from '#web/ui/overlays/dialog.tsx';
import { useDeleteOrder } from '../orders-api.ts';

interface DeleteOrderDialogProps {
	order: Order;
	onClose: () => void;
	onDeleted: () => void;
}

/** Asks for confirmation before an order is permanently deleted. Mount it to open it. */
export function DeleteOrderDialog({ order, onClose, onDeleted }: DeleteOrderDialogProps) {
	const remove = useDeleteOrder();
	const confirm = () => remove.mutate({ id: order.id }, { onSuccess: onDeleted, onSettled: onClose });
	return (
		<ConfirmDialog
			isOpen
			onClose={onClose}
			onConfirm={confirm}
			question={m.orders_delete_question()}
			detail={
				<p>
					{order.name}, {order.email}, {formatMoney(order.totalPrice)}
				</p>
			}
			confirmLabel={m.orders_delete()}
			isBusy={remove.isPending}
		/>
	);
}
