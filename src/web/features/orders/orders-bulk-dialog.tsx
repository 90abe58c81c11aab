import { IconFlag } from '@tabler/icons-react';
import { useState } from 'react';
import type { Completion, Order } from '#contract/orders/orders.ts';
import { m } from '#messages';
import { toastSuccess } from '#web/platform/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { smallIconProps } from '#web/ui/icon.ts';
import { Notice } from '#web/ui/notice.tsx';
import { useCompleteOrders } from './orders.api.ts';
import { type BulkPlan, flagsOf, outcomeText } from './orders-bulk.ts';
import classes from './orders-bulk-dialog.module.css';

interface BulkDialogProps {
	/** As it was when the dialog was opened. */
	plan: BulkPlan;
	onClose: () => void;
	/** These are done, or gone: they are chosen no longer. */
	onSettled: (ids: string[]) => void;
}

interface Settled {
	outcome: Completion;
	/** The order that the payment has completed. */
	usedBy?: string | undefined;
}

interface Left {
	order: Order;
	words: string;
}

/** Asks before many orders are set to Complete, and tells which were not. Mount it to open it. */
export function BulkDialog({ plan, onClose, onSettled }: BulkDialogProps) {
	const complete = useCompleteOrders();
	const [settled, setSettled] = useState<ReadonlyMap<string, Settled>>(new Map());
	const [state, setState] = useState<'asking' | 'running' | 'failed' | 'told'>('asking');
	const waiting = plan.orders.filter(({ id }) => !settled.has(id));
	const left = plan.orders.flatMap((order): Left[] => {
		const { outcome, usedBy } = settled.get(order.id) ?? { outcome: 'done' };
		return outcome === 'done' ? [] : [{ order, words: outcomeText(outcome, usedBy) }];
	});
	const done = settled.size - left.length;

	const run = async () => {
		setState('running');
		const all = new Map(settled);
		try {
			const seen = waiting.map(({ id, version }) => ({ id, version, ...plan.references?.get(id) }));
			await complete(seen, (items) => {
				for (const { id, ...came } of items) all.set(id, came);
				setSettled(new Map(all));
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
			foot={
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
			<div className={classes.body}>
				{state === 'asking' && <Question plan={plan} />}
				{state !== 'asking' && (
					<p role="status">{m.orders_bulk_running({ done: String(done), total: String(plan.orders.length) })}</p>
				)}
				{state === 'failed' && <Notice tone="negative">{m.orders_bulk_failed()}</Notice>}
				{left.length > 0 && (
					<>
						<p>{m.orders_bulk_left({ count: left.length })}</p>
						<OrderLines lines={left.map(({ order, words }) => ({ order, words: [words] }))} />
					</>
				)}
			</div>
		</Dialog>
	);
}

function Question({ plan: { orders, complete, unsaved } }: { plan: BulkPlan }) {
	const flagged = orders.map((order) => ({ order, words: flagsOf(order) })).filter(({ words }) => words.length > 0);
	const [only] = orders;
	return (
		<>
			{orders.length === 1 && only !== undefined && flagged.length === 0 && (
				<OrderLines lines={[{ order: only, words: [] }]} />
			)}
			{complete > 0 && <p>{m.orders_bulk_complete_already({ count: complete })}</p>}
			{unsaved > 0 && <p>{m.orders_bulk_unsaved({ count: unsaved })}</p>}
			{orders.length > 0 && <p>{orders.length === 1 ? m.orders_bulk_hint_one() : m.orders_bulk_hint()}</p>}
			{orders.length > 0 && flagged.length === 0 && (
				<p className={classes.calm}>{orders.length === 1 ? m.orders_bulk_no_flags_one() : m.orders_bulk_no_flags()}</p>
			)}
			{flagged.length > 0 && (
				<>
					<p className={classes.flagged}>
						<IconFlag {...smallIconProps} />
						{orders.length === 1 ? m.orders_bulk_flagged_one() : m.orders_bulk_flagged({ count: flagged.length })}
					</p>
					<OrderLines lines={flagged} />
				</>
			)}
		</>
	);
}

function OrderLines({ lines }: { lines: ReadonlyArray<{ order: Order; words: string[] }> }) {
	return (
		<ul className={classes.lines}>
			{lines.map(({ order, words }) => (
				<li key={order.id}>
					<span className={classes.name}>
						{order.name} <span className={classes.code}>{order.code}</span>
					</span>
					{words.length > 0 && <span className={classes.words}>{words.join(' · ')}</span>}
				</li>
			))}
		</ul>
	);
}
