import { Flex, Stack, Text } from '@mantine/core';
import { IconCheck, IconFlag, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { Completion, Order } from '#contract/orders/orders.ts';
import { m } from '#messages';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { formatCount } from '#web/platform/formats/format.ts';
import barClasses from '#web/ui/data/selection-bar.module.css';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { iconProps, smallIconProps } from '#web/ui/primitives/icon.ts';
import { Notice } from '#web/ui/states/notice.tsx';
import { useCompleteOrders } from '../orders-api.ts';
import { type BulkCompletePlan, orderFlags, outcomeText } from './bulk-complete.ts';
import classes from './bulk-complete-dialog.module.css';

interface BulkCompleteDialogProps {
	/** The plan at the time when the dialog was opened. */
	plan: BulkCompletePlan;
	onClose: () => void;
	/** Called with orders that are completed or were deleted, so that they are deselected. */
	onSettled: (ids: string[]) => void;
}

interface OrderOutcome {
	outcome: Completion;
	/** Code of the order that the payment has already completed. */
	usedBy?: string | undefined;
}

interface OrderLine {
	order: Order;
	words: string[];
}

/** Asks for confirmation before orders are set to Complete, and reports which were not. Mount it to open it. */
export function BulkCompleteDialog({ plan, onClose, onSettled }: BulkCompleteDialogProps) {
	const complete = useCompleteOrders();
	const [outcomes, setOutcomes] = useState<ReadonlyMap<string, OrderOutcome>>(new Map());
	const [state, setState] = useState<'asking' | 'running' | 'failed' | 'told'>('asking');
	const waiting = plan.orders.filter(({ id }) => !outcomes.has(id));
	const incomplete = plan.orders.flatMap((order): OrderLine[] => {
		const { outcome, usedBy } = outcomes.get(order.id) ?? { outcome: 'done' };
		return outcome === 'done' ? [] : [{ order, words: [outcomeText(outcome, usedBy)] }];
	});
	const done = outcomes.size - incomplete.length;

	const run = async () => {
		setState('running');
		const all = new Map(outcomes);
		try {
			const seen = waiting.map(({ id, version }) => ({ id, version, ...plan.references?.get(id) }));
			await complete(seen, (items) => {
				for (const { id, ...came } of items) all.set(id, came);
				setOutcomes(new Map(all));
				onSettled(items.filter(({ outcome }) => outcome !== 'stale').map(({ id }) => id));
			});
		} catch {
			setState('failed');
			return;
		}
		const doneNow = [...all.values()].filter(({ outcome }) => outcome === 'done').length;
		if (doneNow > 0) toastSuccess(m.orders_bulk_done({ count: doneNow }));
		if (doneNow === plan.orders.length) onClose();
		else setState('told');
	};

	const isOver = state === 'told' || plan.orders.length === 0;
	return (
		<Dialog
			isOpen
			onClose={onClose}
			title={m.orders_bulk_question({ count: plan.orders.length })}
			isDismissible={state !== 'running'}
			footer={
				isOver ? (
					<Button variant="primary" onClick={onClose} data-autofocus>
						{m.common_close()}
					</Button>
				) : (
					<>
						<Button onClick={onClose} disabled={state === 'running'} data-autofocus>
							{m.common_cancel()}
						</Button>
						<Button variant="primary" onClick={() => void run()} disabled={state === 'running'}>
							{state === 'running'
								? m.orders_saving()
								: state === 'failed'
									? m.common_retry()
									: m.orders_set_complete()}
						</Button>
					</>
				)
			}
		>
			<Stack gap={12}>
				{state === 'asking' && <BulkCompleteQuestion plan={plan} />}
				{state !== 'asking' && (
					<p role="status">{m.orders_bulk_running({ done: String(done), total: String(plan.orders.length) })}</p>
				)}
				{state === 'failed' && <Notice tone="negative">{m.orders_bulk_failed()}</Notice>}
				{incomplete.length > 0 && (
					<>
						<p>{m.orders_bulk_not_completed({ count: incomplete.length })}</p>
						<OrderLines lines={incomplete} />
					</>
				)}
			</Stack>
		</Dialog>
	);
}

function BulkCompleteQuestion({ plan: { orders, complete, unsaved } }: { plan: BulkCompletePlan }) {
	const flagged = orders.map((order) => ({ order, words: orderFlags(order) })).filter(({ words }) => words.length > 0);
	const isOne = orders.length === 1;
	return (
		<>
			{isOne && flagged.length === 0 && <OrderLines lines={orders.map((order) => ({ order, words: [] }))} />}
			{complete > 0 && <p>{m.orders_bulk_complete_already({ count: complete })}</p>}
			{unsaved > 0 && <p>{m.orders_bulk_unsaved({ count: unsaved })}</p>}
			{orders.length > 0 && <p>{isOne ? m.orders_bulk_hint_one() : m.orders_bulk_hint()}</p>}
			{orders.length > 0 && flagged.length === 0 && (
				<Text inherit c="dimmed">
					{isOne ? m.orders_bulk_no_flags_one() : m.orders_bulk_no_flags()}
				</Text>
			)}
			{flagged.length > 0 && (
				<>
					<Flex component="p" align="center" gap={6} c="var(--negative)" fw={600}>
						<IconFlag {...smallIconProps} />
						{isOne ? m.orders_bulk_flagged_one() : m.orders_bulk_flagged({ count: flagged.length })}
					</Flex>
					<OrderLines lines={flagged} />
				</>
			)}
		</>
	);
}

function OrderLines({ lines }: { lines: OrderLine[] }) {
	return (
		<ul className={classes.lines}>
			{lines.map(({ order, words }) => (
				<li key={order.id}>
					<Text inherit fw={600}>
						{order.name}{' '}
						<Text span inherit c="dimmed" fw={400} style={{ whiteSpace: 'nowrap' }}>
							{order.code}
						</Text>
					</Text>
					{words.length > 0 && (
						<Text c="var(--ink-2)" inherit>
							{words.join(' · ')}
						</Text>
					)}
				</li>
			))}
		</ul>
	);
}

interface BulkCompleteBarProps {
	count: number;
	onComplete: () => void;
	onClear: () => void;
}

/** Bar with the actions for all selected orders; floats above the bottom of the page. */
export function BulkCompleteBar({ count, onComplete, onClear }: BulkCompleteBarProps) {
	return (
		<section className={barClasses.bar} aria-label={m.orders_selection()}>
			<p className={barClasses.count} role="status">
				{m.orders_selected({ count: formatCount(count) })}
			</p>
			<button type="button" className={barClasses.action} onClick={onComplete}>
				<IconCheck {...iconProps} />
				{m.orders_set_complete()}
			</button>
			<button type="button" className={barClasses.close} aria-label={m.orders_clear_selection()} onClick={onClear}>
				<IconX {...iconProps} />
			</button>
		</section>
	);
}
