import { Flex, Stack, Text } from '@mantine/core';
import { IconCheck, IconChevronDown, IconClock, IconTestPipe } from '@tabler/icons-react';
import { useState } from 'react';
import type { Order, UserOrder } from '#contract/orders/orders.ts';
import { m } from '#messages';
import { formatDateTime, formatMoney } from '#web/platform/formats/format.ts';
import { Badge } from '#web/ui/primitives/badge.tsx';
import { Button, ButtonLink } from '#web/ui/primitives/button.tsx';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import { type BulkCompletePlan, planBulkComplete } from './bulk-complete/bulk-complete.ts';
import { BulkCompleteDialog } from './bulk-complete/bulk-complete-dialog.tsx';
import { draftValues } from './management/order-drafts.ts';
import { DuplicateProofs, OrderFactList } from './order-warnings.tsx';
import { PaymentProofsDialog } from './payment-proofs/payment-proofs-dialog.tsx';
import classes from './user-orders.module.css';

const statusBadges = {
	Pending: { tone: 'accent', icon: IconClock },
	Complete: { tone: 'positive', icon: IconCheck },
} as const;

interface UserOrdersProps {
	orders: readonly UserOrder[];
	/** Name that the screen already shows. It is not repeated in an order with the same name. */
	userName: string | null;
}

/** Lists the orders of one user, newest first. At first, only the newest order is expanded. */
export function UserOrders({ orders, userName }: UserOrdersProps) {
	const [shownId, setShownId] = useState<string>();
	const [plan, setPlan] = useState<BulkCompletePlan>();
	const shown = orders.find(({ id }) => id === shownId);
	const complete = (order: Order) => setPlan(planBulkComplete([order], {}));
	if (orders.length === 0) {
		return (
			<Text c="dimmed" fz={13}>
				{m.chat_user_no_orders()}
			</Text>
		);
	}
	return (
		<>
			<ul className={classes.orders}>
				{orders.map((order, index) => (
					<li key={order.id}>
						<details className={classes.order} open={index === 0}>
							<Flex component="summary" wrap="wrap" align="center" gap={8} className={classes.head}>
								<Stack component="span" gap={0} flex="1 1 6.5rem" miw={0}>
									<Text span fw={600} style={{ overflowWrap: 'anywhere' }}>
										{order.title}
									</Text>
									<Text span c="dimmed" ff="monospace" fz={12} style={{ whiteSpace: 'nowrap' }}>
										{order.code}
									</Text>
								</Stack>
								{order.isTest && (
									<Badge tone="info" icon={IconTestPipe}>
										{m.test_purchase_badge()}
									</Badge>
								)}
								<Badge {...statusBadges[order.status]}>
									{order.status === 'Complete' ? m.orders_complete() : m.orders_pending()}
								</Badge>
								<IconChevronDown {...smallIconProps} className={classes.chevron} />
							</Flex>
							<OrderDetails
								order={order}
								isNameShown={order.name !== userName}
								onShow={() => setShownId(order.id)}
								onComplete={() => complete(order)}
							/>
						</details>
					</li>
				))}
			</ul>
			{shown !== undefined && (
				<PaymentProofsDialog
					order={shown}
					values={draftValues(shown, undefined)}
					onComplete={() => complete(shown)}
					onClose={() => setShownId(undefined)}
				/>
			)}
			{plan !== undefined && <BulkCompleteDialog plan={plan} onClose={() => setPlan(undefined)} onSettled={() => {}} />}
		</>
	);
}

interface OrderDetailsProps {
	order: UserOrder;
	isNameShown: boolean;
	onShow: () => void;
	onComplete: () => void;
}

function OrderDetails({ order, isNameShown, onShow, onComplete }: OrderDetailsProps) {
	const hasWarning = (field: Order['oddFields'][number]) => order.oddFields.includes(field);
	const facts = [
		...(isNameShown || hasWarning('name')
			? [{ label: m.orders_name(), value: order.name, isDoubtful: hasWarning('name') }]
			: []),
		{ label: m.orders_price(), value: formatMoney(order.totalPrice) },
		{ label: m.orders_time(), value: formatDateTime(order.createdAt) },
		{ label: m.orders_phone(), value: order.phone, isDoubtful: hasWarning('phone') },
		{ label: m.orders_upi_id(), value: order.upiId, isDoubtful: hasWarning('upiId') },
		...(order.utr === null ? [] : [{ label: m.orders_utr(), value: order.utr, isDoubtful: hasWarning('utr') }]),
	];
	return (
		<Stack gap={10} pt={10}>
			<OrderFactList className={classes.facts} facts={facts} />
			<DuplicateProofs repeats={order.repeats} />
			{order.proofs.length > 0 && (
				<Flex component="ul" wrap="wrap" gap={8} aria-label={m.orders_proofs({ count: order.proofs.length })}>
					{order.proofs.map(({ id, url, createdAt }, index) => {
						const label = m.orders_proof_of({
							number: index + 1,
							count: order.proofs.length,
							date: formatDateTime(createdAt),
						});
						return (
							<li key={id}>
								<button type="button" className={classes.proof} aria-label={label} title={label} onClick={onShow}>
									<img src={`${url}?thumb=1`} alt="" loading="lazy" decoding="async" />
								</button>
							</li>
						);
					})}
				</Flex>
			)}
			{order.status === 'Pending' && (
				<Button
					variant="primary"
					isFullWidth
					aria-label={m.chat_user_complete_of({ code: order.code })}
					onClick={onComplete}
				>
					{m.chat_user_complete()}
				</Button>
			)}
			<ButtonLink to="/Bookdashboard" search={{ search: order.code }} isFullWidth>
				{m.chat_user_open_order()}
			</ButtonLink>
		</Stack>
	);
}
