import type { Order } from '#contract/orders/orders.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { toastError, toastSuccess } from '#web/platform/browser/toasts.ts';
import { formatMoney } from '#web/platform/formats/format.ts';
import { ConfirmDialog } from '#web/ui/overlays/dialog.tsx';

interface DeleteOrderDialogProps {
	order: Order;
	onClose: () => void;
	onDeleted: () => void;
}

export function DeleteOrderDialog({ order, onClose, onDeleted }: DeleteOrderDialogProps) {
	const remove = useChange(client.orders.remove, {
		refetch: [api.orders.key()],
		isPendingUntilRefetched: true,
		onSuccess: () => toastSuccess(m.orders_deleted()),
		onError: () => toastError(m.orders_delete_failed()),
	});
	const confirm = () => remove.mutate({ id: order.id }, { onSuccess: onDeleted, onSettled: onClose });
	return (
		<ConfirmDialog
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
