import { Box, Group, Stack, Text } from '@mantine/core';
import { IconArrowsMaximize, IconChevronLeft, IconChevronRight, IconMinus, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Order, Proof } from '#contract/orders/orders.ts';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { formatDateTime, formatMoney } from '#web/platform/formats/format.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button, ButtonAnchor } from '#web/ui/primitives/button.tsx';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { FailedQuery } from '#web/ui/states/states.tsx';
import type { EditableField, OrderValues } from '../management/order-drafts.ts';
import { DuplicateProofs, fieldLabels, OrderFactList } from '../order-warnings.tsx';
import classes from './payment-proofs-dialog.module.css';

/** Image widths as multiples of the visible area's width. At 0, the whole image is visible. */
const zoomLevels = [0, 1, 1.5, 2, 3] as const;

interface PaymentProofsDialogProps {
	order: Order;
	/** The row's current values, including unsaved changes. */
	values: OrderValues;
	/** Edits a field of the row without saving. If undefined, no values can be copied into the row. */
	onEdit?: ((field: EditableField, value: string) => void) | undefined;
	onComplete: () => void;
	onClose: () => void;
}

/** Shows the payment proofs of an order one at a time, newest first, beside the order's details. Opens on mount. */
export function PaymentProofsDialog({ order, values, onEdit, onComplete, onClose }: PaymentProofsDialogProps) {
	const proofs = useQuery(api.orders.proofs.queryOptions({ input: { id: order.id } }));
	const [index, setIndex] = useState(0);
	const proof = proofs.data?.[index];
	return (
		<Dialog
			onClose={onClose}
			title={m.orders_screenshot_of({ name: order.name })}
			width={960}
			footer={
				proof !== undefined && (
					<>
						<ButtonAnchor href={proof.url} target="_blank" rel="noreferrer">
							{m.orders_proof_open()}
						</ButtonAnchor>
						<Button
							variant="primary"
							disabled={values.status === 'Complete'}
							onClick={() => {
								onClose();
								onComplete();
							}}
						>
							{m.orders_set_complete()}
						</Button>
					</>
				)
			}
		>
			{proofs.isPending && <Skeleton height="60dvh" />}
			{proofs.isError && <FailedQuery text={m.orders_proofs_failed()} query={proofs} />}
			{proof !== undefined && proofs.data !== undefined && (
				<PaymentProofView
					key={proof.id}
					order={order}
					values={values}
					onEdit={onEdit}
					proof={proof}
					number={index + 1}
					count={proofs.data.length}
					onStep={(step) => setIndex(index + step)}
					onLeave={onClose}
				/>
			)}
		</Dialog>
	);
}

interface PaymentProofViewProps extends Pick<PaymentProofsDialogProps, 'order' | 'values' | 'onEdit'> {
	proof: Proof;
	number: number;
	count: number;
	onStep: (step: 1 | -1) => void;
	onLeave: () => void;
}

function PaymentProofView({ order, values, onEdit, proof, number, count, onStep, onLeave }: PaymentProofViewProps) {
	const [zoom, setZoom] = useState(0);
	const width = zoomLevels[zoom] ?? 0;
	const caption = m.orders_proof_of({ number, count, date: formatDateTime(proof.createdAt) });
	const isWidest = zoom === zoomLevels.length - 1;
	const buttons = [
		{ label: m.orders_proof_newer(), Icon: IconChevronLeft, isDisabled: number === 1, onClick: () => onStep(-1) },
		{ label: m.orders_proof_older(), Icon: IconChevronRight, isDisabled: number === count, onClick: () => onStep(1) },
		{ label: m.orders_zoom_out(), Icon: IconMinus, isDisabled: zoom === 0, onClick: () => setZoom(zoom - 1) },
		{ label: m.orders_zoom_in(), Icon: IconPlus, isDisabled: isWidest, onClick: () => setZoom(zoom + 1) },
		{ label: m.orders_zoom_fit(), Icon: IconArrowsMaximize, isDisabled: zoom === 0, onClick: () => setZoom(0) },
	];
	return (
		<figure className={classes.proof}>
			<Group gap={4} style={{ gridColumn: '1 / -1' }}>
				<figcaption className={classes.caption}>{caption}</figcaption>
				{buttons.map(({ label, Icon, isDisabled, onClick }) => (
					<IconButton key={label} label={label} icon={Icon} disabled={isDisabled} onClick={onClick} />
				))}
			</Group>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard. */}
			<section className={classes.viewport} aria-label={caption} tabIndex={0}>
				<img
					src={proof.url}
					alt={caption}
					style={
						width === 0
							? { display: 'block', width: '100%', height: '100%', objectFit: 'contain' }
							: { display: 'block', width: `${width * 100}%` }
					}
				/>
			</section>
			<Stack gap={12}>
				<OrderFacts order={order} values={values} proof={proof} />
				<DuplicateProofs repeats={proof.repeats} onFollow={onLeave} />
				<ProofFieldDifferences proof={proof} values={values} onEdit={onEdit} />
			</Stack>
		</figure>
	);
}

function OrderFacts({ order, values, proof }: Pick<PaymentProofViewProps, 'order' | 'values' | 'proof'>) {
	const { utr, isUtrOdd, repeats } = proof;
	const hasWarning = (field: 'name' | 'phone' | 'upiId') =>
		order.oddFields.includes(field) && values[field] === order[field];
	const facts = [
		{ label: m.orders_csv_code(), value: <span style={{ fontFamily: 'var(--font-mono)' }}>{order.code}</span> },
		{ label: m.orders_price(), value: formatMoney(order.totalPrice) },
		{ label: m.orders_name(), value: values.name, isDoubtful: hasWarning('name') },
		{ label: m.orders_phone(), value: values.phone, isDoubtful: hasWarning('phone') },
		{ label: m.orders_upi_id(), value: values.upiId, isDoubtful: hasWarning('upiId') },
		...(utr === null
			? []
			: [{ label: m.orders_utr(), value: utr, isDoubtful: isUtrOdd, note: m.orders_utr_warning() }]),
		...(repeats.length > 0 ? [] : [{ label: m.orders_duplicates(), value: m.orders_duplicates_none() }]),
	];
	return <OrderFactList className={classes.reference} facts={facts} />;
}

/** Values that the buyer sent with the proof and that differ from the order. A button copies a value into the row. */
function ProofFieldDifferences({ proof, values, onEdit }: Pick<PaymentProofViewProps, 'proof' | 'values' | 'onEdit'>) {
	const differences = (['name', 'phone', 'upiId'] as const).flatMap((field) => {
		const value = proof.proposals[field];
		return value === null ? [] : [{ field, value }];
	});
	if (differences.length === 0) return null;
	return (
		<Box p="12px 14px" bg="var(--paper-2)" bdrs="var(--radius-1)">
			<Text mb={4} fw={600}>
				{m.orders_proposals()}
			</Text>
			<dl className={classes.facts}>
				{differences.map(({ field, value }) => (
					<div key={field}>
						<dt>{fieldLabels[field]()}</dt>
						<dd>
							{value}
							{onEdit === undefined ? null : values[field] === value ? (
								<Text span c="dimmed" fz={12} fw={400}>
									{m.orders_proof_taken()}
								</Text>
							) : (
								<Button size="small" aria-label={m.orders_proof_use({ value })} onClick={() => onEdit(field, value)}>
									{m.orders_proof_use_short()}
								</Button>
							)}
						</dd>
					</div>
				))}
			</dl>
		</Box>
	);
}
