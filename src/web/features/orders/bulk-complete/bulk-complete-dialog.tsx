import { Box, Flex, Stack, Text } from '@mantine/core';
import { IconFlag } from '@tabler/icons-react';
import { useState } from 'react';
import { limits } from '#contract/core/limits.ts';
import type { Order } from '#contract/orders/orders.ts';
import { m } from '#messages';
import { api, type CallOutputs, client } from '#web/platform/api/client.ts';
import { shownInForm, useChange } from '#web/platform/api/use-change.ts';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import { Notice } from '#web/ui/states/notice.tsx';
import { type BulkCompletePlan, orderFlags, outcomeText } from './bulk-complete.ts';

interface BulkCompleteDialogProps {
	/** The plan from the time when the dialog was opened. It does not change while the dialog is open. */
	plan: BulkCompletePlan;
	onClose: () => void;
	/** Called with the ids of orders to deselect: all orders except those that another admin has changed. */
	onSettled: (ids: string[]) => void;
}

type CompletionResult = CallOutputs['orders']['complete']['items'][number];

interface OrderLine {
	order: Order;
	texts: string[];
}

/** Asks before orders are set to Complete, then lists the orders that could not be completed. Opens on mount. */
export function BulkCompleteDialog({ plan, onClose, onSettled }: BulkCompleteDialogProps) {
	const complete = useChange(client.orders.complete, {
		refetch: [api.chatPerson.key(), api.orders.key()],
		onError: shownInForm,
	});
	const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Omit<CompletionResult, 'id'>>>(new Map());
	const [state, setState] = useState<'asking' | 'running' | 'failed' | 'finished'>('asking');
	const used = plan.orders.filter(({ id }) => outcomes.get(id)?.outcome === 'used');
	const incomplete = plan.orders.flatMap((order): OrderLine[] => {
		const { outcome, usedBy, usedByName } = outcomes.get(order.id) ?? { outcome: 'done' };
		return outcome === 'done' ? [] : [{ order, texts: [outcomeText(outcome, usedBy, usedByName)] }];
	});
	const done = outcomes.size - incomplete.length;

	/** Completes the orders that have no outcome yet or, once these are done, those whose payment was already used. */
	const run = async () => {
		const waiting = state === 'finished' ? used : plan.orders.filter(({ id }) => !outcomes.has(id));
		setState('running');
		const allOutcomes = new Map(outcomes);
		try {
			const seenOrders = waiting.map(({ id, version }) => {
				const usedBy = outcomes.get(id)?.usedBy;
				return { id, version, ...plan.references?.get(id), ...(usedBy !== undefined && { usedBy }) };
			});
			for (let start = 0; start < seenOrders.length; start += limits.ordersPerCallMax) {
				const { items } = await complete.mutateAsync({
					orders: seenOrders.slice(start, start + limits.ordersPerCallMax),
				});
				for (const { id, ...outcome } of items) allOutcomes.set(id, outcome);
				setOutcomes(new Map(allOutcomes));
				onSettled(items.filter(({ outcome }) => outcome !== 'stale').map(({ id }) => id));
			}
		} catch {
			setState('failed');
			return;
		}
		const allDone = [...allOutcomes.values()].filter(({ outcome }) => outcome === 'done').length;
		const doneNow = state === 'finished' ? allDone - done : allDone;
		if (doneNow > 0) toastSuccess(m.orders_bulk_done({ count: doneNow }));
		if (allDone === plan.orders.length) onClose();
		else setState('finished');
	};

	const isOver = state === 'finished' || plan.orders.length === 0;
	return (
		<Dialog
			onClose={onClose}
			title={plan.orders.length === 0 ? m.orders_bulk_none() : m.orders_bulk_question({ count: plan.orders.length })}
			isDismissible={state !== 'running'}
			footer={
				isOver ? (
					<>
						<Button variant={used.length > 0 ? 'default' : 'primary'} onClick={onClose} data-autofocus>
							{m.common_close()}
						</Button>
						{used.length > 0 && (
							<Button variant="danger" onClick={() => void run()}>
								{m.orders_used_confirm()}
							</Button>
						)}
					</>
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
	const flagged = orders.map((order) => ({ order, texts: orderFlags(order) })).filter(({ texts }) => texts.length > 0);
	const isOne = orders.length === 1;
	return (
		<>
			{isOne && flagged.length === 0 && <OrderLines lines={orders.map((order) => ({ order, texts: [] }))} />}
			{complete > 0 && <p>{m.orders_bulk_complete_already({ count: complete })}</p>}
			{unsaved > 0 && <p>{m.orders_bulk_unsaved({ count: unsaved })}</p>}
			{orders.length > 0 && <p>{isOne ? m.orders_bulk_hint_one() : m.orders_bulk_hint()}</p>}
			{orders.length > 0 && flagged.length === 0 && (
				<Text c="dimmed">{isOne ? m.orders_bulk_no_flags_one() : m.orders_bulk_no_flags()}</Text>
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

const line = '1px solid var(--line)';

function OrderLines({ lines }: { lines: OrderLine[] }) {
	return (
		<Box component="ul" mah="40vh" style={{ overflow: 'auto', borderTop: line }}>
			{lines.map(({ order, texts }) => (
				<Stack
					key={order.id}
					component="li"
					gap={2}
					py={8}
					fz={13}
					style={{ borderBottom: line, overflowWrap: 'anywhere' }}
				>
					<Text fw={600}>
						{order.name}{' '}
						<Text span c="dimmed" fw={400} style={{ whiteSpace: 'nowrap' }}>
							{order.code}
						</Text>
					</Text>
					{texts.length > 0 && <Text c="var(--ink-2)">{texts.join(' · ')}</Text>}
				</Stack>
			))}
		</Box>
	);
}
