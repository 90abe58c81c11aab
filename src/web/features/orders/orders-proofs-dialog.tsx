import { IconArrowsMaximize, IconChevronLeft, IconChevronRight, IconMinus, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Order, Proof } from '#contract/orders/orders.ts';
import { m } from '#messages';
import { formatDateTime } from '#web/platform/format.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { FailedQuery } from '#web/ui/faces.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useProofs } from './orders.api.ts';
import classes from './orders-proofs-dialog.module.css';
import { Repeats } from './orders-repeats.tsx';

/** Widths of the picture in parts of the desk's; 0 fits it whole. */
const zooms = [0, 1, 1.5, 2, 3] as const;

/** The payment proofs of an order at full size, newest first. Mount it to open it. */
export function ProofsDialog({ order, onClose }: { order: Order; onClose: () => void }) {
	const proofs = useProofs(order.id);
	const [index, setIndex] = useState(0);
	const proof = proofs.data?.[index];
	return (
		<Dialog isOpen onClose={onClose} title={m.orders_screenshot_of({ name: order.name })} width={760}>
			{proofs.isPending && <Skeleton height="60dvh" />}
			{proofs.isError && <FailedQuery text={m.orders_proofs_failed()} query={proofs} />}
			{proof !== undefined && proofs.data !== undefined && (
				<ProofView
					key={proof.id}
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

interface ProofViewProps {
	proof: Proof;
	/** From 1. */
	number: number;
	count: number;
	onStep: (step: 1 | -1) => void;
	/** To another order. */
	onLeave: () => void;
}

function ProofView({ proof, number, count, onStep, onLeave }: ProofViewProps) {
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
			<Repeats repeats={proof.repeats} onFollow={onLeave} />
			<Reference proof={proof} />
			<Proposals proof={proof} />
		</figure>
	);
}

/** The payment's reference, where the buyer gave one. */
function Reference({ proof: { utr, isUtrOdd } }: { proof: Proof }) {
	if (utr === null) return null;
	return (
		<dl className={classes.reference}>
			<div className={classes.proposal}>
				<dt>{m.orders_utr()}</dt>
				<dd data-odd={isUtrOdd || undefined}>
					{utr}
					{isUtrOdd && <span className={classes.odd}>{m.orders_utr_odd()}</span>}
				</dd>
			</div>
		</dl>
	);
}

/** What this proof's form said where it differs from the order. */
function Proposals({ proof: { proposals } }: { proof: Proof }) {
	const told = [
		{ label: m.orders_name(), value: proposals.name },
		{ label: m.orders_phone(), value: proposals.phone },
		{ label: m.orders_upi_id(), value: proposals.upiId },
	].filter(({ value }) => value !== null);
	if (told.length === 0) return null;
	return (
		<div className={classes.proposals}>
			<p className={classes.proposalsTitle}>{m.orders_proposals()}</p>
			<dl>
				{told.map(({ label, value }) => (
					<div key={label} className={classes.proposal}>
						<dt>{label}</dt>
						<dd>{value}</dd>
					</div>
				))}
			</dl>
		</div>
	);
}
