import { IconArrowsMaximize, IconChevronLeft, IconChevronRight, IconMinus, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Order, Proof } from '#contract/orders/orders.ts';
import { m } from '#messages';
import { formatDateTime, formatMoney } from '#web/platform/format.ts';
import { Button, ButtonAnchor } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FailedQuery } from '#web/ui/faces.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useProofs } from './orders.api.ts';
import { fieldLabels } from './orders-cells.tsx';
import type { EditableField, OrderValues } from './orders-drafts.ts';
import classes from './orders-proofs-dialog.module.css';
import { Repeats } from './orders-repeats.tsx';

/** Widths of the picture in parts of the desk's; 0 fits it whole. */
const zooms = [0, 1, 1.5, 2, 3] as const;

interface ProofsDialogProps {
	order: Order;
	/** The row as it is being edited. */
	values: OrderValues;
	/** Changes the row; it is saved with Update. Without it nothing is taken over from here. */
	onEdit?: ((field: EditableField, value: string) => void) | undefined;
	/** The payment is right; the dialog closes. */
	onComplete: () => void;
	onClose: () => void;
}

/** The payment proofs of an order at full size, newest first, beside what the order says. Mount it to open it. */
export function ProofsDialog({ order, values, onEdit, onComplete, onClose }: ProofsDialogProps) {
	const proofs = useProofs(order.id);
	const [index, setIndex] = useState(0);
	const proof = proofs.data?.[index];
	return (
		<Dialog
			isOpen
			onClose={onClose}
			title={m.orders_screenshot_of({ name: order.name })}
			width={960}
			foot={
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
				<ProofView
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

interface ProofViewProps extends Pick<ProofsDialogProps, 'order' | 'values' | 'onEdit'> {
	proof: Proof;
	/** From 1. */
	number: number;
	count: number;
	onStep: (step: 1 | -1) => void;
	/** To another order. */
	onLeave: () => void;
}

function ProofView({ order, values, onEdit, proof, number, count, onStep, onLeave }: ProofViewProps) {
	const [zoom, setZoom] = useState(0);
	const width = zooms[zoom] ?? 0;
	const caption = m.orders_proof_of({ number, count, date: formatDateTime(proof.createdAt) });
	return (
		<figure className={classes.proof}>
			<div className={classes.bar}>
				<figcaption className={classes.caption}>{caption}</figcaption>
				<IconButton
					label={m.orders_proof_newer()}
					icon={<IconChevronLeft {...iconProps} />}
					disabled={number === 1}
					onClick={() => onStep(-1)}
				/>
				<IconButton
					label={m.orders_proof_older()}
					icon={<IconChevronRight {...iconProps} />}
					disabled={number === count}
					onClick={() => onStep(1)}
				/>
				<IconButton
					label={m.orders_zoom_out()}
					icon={<IconMinus {...iconProps} />}
					disabled={zoom === 0}
					onClick={() => setZoom(zoom - 1)}
				/>
				<IconButton
					label={m.orders_zoom_in()}
					icon={<IconPlus {...iconProps} />}
					disabled={zoom === zooms.length - 1}
					onClick={() => setZoom(zoom + 1)}
				/>
				<IconButton
					label={m.orders_zoom_fit()}
					icon={<IconArrowsMaximize {...iconProps} />}
					disabled={zoom === 0}
					onClick={() => setZoom(0)}
				/>
			</div>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard. */}
			<section className={classes.desk} aria-label={caption} tabIndex={0}>
				<img
					src={proof.url}
					alt={caption}
					className={width === 0 ? classes.whole : classes.zoomed}
					style={width === 0 ? undefined : { width: `${width * 100}%` }}
				/>
			</section>
			<div className={classes.side}>
				<Facts order={order} values={values} proof={proof} />
				<Repeats repeats={proof.repeats} onFollow={onLeave} />
				<Proposals proof={proof} values={values} onEdit={onEdit} />
			</div>
		</figure>
	);
}

/** What the order says, to be held against the picture. */
function Facts({
	order,
	values,
	proof: { utr, isUtrOdd, repeats },
}: Pick<ProofViewProps, 'order' | 'values' | 'proof'>) {
	const isOdd = (field: 'name' | 'phone' | 'upiId') =>
		order.oddFields.includes(field) && values[field] === order[field];
	const facts = [
		{ label: m.orders_csv_code(), value: <span className={classes.code}>{order.code}</span> },
		{ label: m.orders_price(), value: formatMoney(order.totalPrice) },
		{ label: m.orders_name(), value: values.name, isOdd: isOdd('name') },
		{ label: m.orders_phone(), value: values.phone, isOdd: isOdd('phone') },
		{ label: m.orders_upi_id(), value: values.upiId, isOdd: isOdd('upiId') },
		...(utr === null ? [] : [{ label: m.orders_utr(), value: utr, isOdd: isUtrOdd, note: m.orders_utr_odd() }]),
		...(repeats.length > 0 ? [] : [{ label: m.orders_seen_before(), value: m.orders_seen_nowhere() }]),
	];
	return (
		<dl className={classes.reference}>
			{facts.map(({ label, value, isOdd: isDoubtful = false, note = m.orders_check_details() }) => (
				<div key={label} className={classes.proposal}>
					<dt>{label}</dt>
					<dd data-odd={isDoubtful || undefined}>
						{value}
						{isDoubtful && <span className={classes.odd}>{note}</span>}
					</dd>
				</div>
			))}
		</dl>
	);
}

/** What this proof's form said where it differs from the order; at a press the row takes it over, unsaved. */
function Proposals({ proof: { proposals }, values, onEdit }: Pick<ProofViewProps, 'proof' | 'values' | 'onEdit'>) {
	const told = (['name', 'phone', 'upiId'] as const).flatMap((field) => {
		const value = proposals[field];
		return value === null ? [] : [{ field, value }];
	});
	if (told.length === 0) return null;
	return (
		<div className={classes.proposals}>
			<p className={classes.proposalsTitle}>{m.orders_proposals()}</p>
			<dl>
				{told.map(({ field, value }) => (
					<div key={field} className={classes.proposal}>
						<dt>{fieldLabels[field]()}</dt>
						<dd>
							{value}
							{onEdit === undefined ? null : values[field] === value ? (
								<span className={classes.taken}>{m.orders_proof_taken()}</span>
							) : (
								<Button size="small" aria-label={m.orders_proof_use({ value })} onClick={() => onEdit(field, value)}>
									{m.orders_proof_use_short()}
								</Button>
							)}
						</dd>
					</div>
				))}
			</dl>
		</div>
	);
}
