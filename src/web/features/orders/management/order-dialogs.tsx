import { Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { limits } from '#contract/core/limits.ts';
import type { Order } from '#contract/orders/orders.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { shownInForm, useChange } from '#web/platform/api/use-change.ts';
import { toastError, toastSuccess } from '#web/platform/browser/toasts.ts';
import { formatMoney } from '#web/platform/formats/format.ts';
import { fieldError } from '#web/ui/forms/field.tsx';
import { ConfirmDialog, Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import type { PaymentUse } from './order-row.ts';

/** Edits the note that an order's buyer sees, and can request a new payment proof. Opens on mount. */
export function NoteDialog({ order, onClose }: { order: Order; onClose: () => void }) {
	const write = useChange(client.orders.writeNote, {
		refetch: [api.orders.key()],
		isPendingUntilRefetched: true,
		onSuccess: (_saved, { isProofWanted }) =>
			toastSuccess(isProofWanted ? m.orders_note_asked() : m.orders_note_saved()),
		onError: shownInForm,
	});
	const [note, setNote] = useState(order.note ?? '');
	const { failure } = write;
	const send = (isProofWanted: boolean) =>
		write.mutate({ id: order.id, note, was: order.note, isProofWanted }, { onSuccess: onClose });
	return (
		<Dialog
			onClose={onClose}
			title={m.orders_note_of({ name: order.name })}
			isDirty={note !== (order.note ?? '')}
			footer={
				<>
					<Button disabled={write.isPending || order.status === 'Complete'} onClick={() => send(true)}>
						{m.orders_note_ask()}
					</Button>
					<Button variant="primary" disabled={write.isPending} onClick={() => send(false)}>
						{m.orders_note_save()}
					</Button>
				</>
			}
		>
			<Stack gap={12}>
				{failure !== undefined && failure.fields.note === undefined && (
					<Notice tone="negative">{failure.message}</Notice>
				)}
				<Textarea
					label={m.orders_note()}
					description={m.orders_note_hint()}
					rows={5}
					maxLength={limits.orderNoteMaxLength}
					value={note}
					error={fieldError(failure?.fields.note)}
					onChange={({ currentTarget }) => setNote(currentTarget.value)}
					data-autofocus
				/>
				<Text c="dimmed" fz={13}>
					{m.orders_note_ask_hint()}
				</Text>
			</Stack>
		</Dialog>
	);
}

interface PaymentUsedDialogProps {
	use: PaymentUse;
	onConfirm: () => void;
	onClose: () => void;
}

/** Asks before an order is completed whose payment has already completed another order. Opens on mount. */
export function PaymentUsedDialog({ use: { order, failure }, onConfirm, onClose }: PaymentUsedDialogProps) {
	return (
		<ConfirmDialog
			onClose={onClose}
			onConfirm={onConfirm}
			question={m.orders_used_question()}
			detail={
				<>
					<Text fw={600}>
						{order.name} {order.code}
					</Text>
					<p>{failure.message}</p>
				</>
			}
			confirmLabel={m.orders_used_confirm()}
		/>
	);
}

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
