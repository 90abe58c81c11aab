import { IconCheck, IconChevronDown, IconClock } from '@tabler/icons-react';
import { useState } from 'react';
import type { Order, PersonOrder } from '#contract/orders/orders.ts';
import { m } from '#messages';
import { formatDateTime, formatMoney } from '#web/platform/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { smallIconProps } from '#web/ui/icon.ts';
import { type BulkPlan, planBulk } from './orders-bulk.ts';
import { BulkDialog } from './orders-bulk-dialog.tsx';
import { valuesOf } from './orders-drafts.ts';
import classes from './orders-of-person.module.css';
import { ProofsDialog } from './orders-proofs-dialog.tsx';
import { Repeats } from './orders-repeats.tsx';

interface OrdersOfPersonProps {
	orders: readonly PersonOrder[];
	/** As the person is called already: an order in this name does not say it again. */
	name: string | null;
}

/** The orders of one person, newest first: the first is open, the others are folded. Completed as on the desk. */
export function OrdersOfPerson({ orders, name }: OrdersOfPersonProps) {
	const [shownId, setShownId] = useState<string>();
	const [plan, setPlan] = useState<BulkPlan>();
	const shown = orders.find(({ id }) => id === shownId);
	const complete = (order: Order) => setPlan(planBulk([order], {}));
	if (orders.length === 0) return <p className={classes.none}>{m.chat_person_no_orders()}</p>;
	return (
		<>
			<ul className={classes.orders}>
				{orders.map((order, index) => (
					<li key={order.id}>
						<details className={classes.order} open={index === 0}>
							<summary className={classes.head}>
								<span className={classes.words}>
									<span className={classes.title}>{order.title}</span>
									<span className={classes.code}>{order.code}</span>
								</span>
								<OrderStatus order={order} />
								<IconChevronDown {...smallIconProps} className={classes.chevron} />
							</summary>
							<OrderBody
								order={order}
								isNamed={order.name !== name}
								onShow={() => setShownId(order.id)}
								onComplete={() => complete(order)}
							/>
						</details>
					</li>
				))}
			</ul>
			{shown !== undefined && (
				<ProofsDialog
					order={shown}
					values={valuesOf(shown, undefined)}
					onComplete={() => complete(shown)}
					onClose={() => setShownId(undefined)}
				/>
			)}
			{plan !== undefined && <BulkDialog plan={plan} onClose={() => setPlan(undefined)} onSettled={() => {}} />}
		</>
	);
}

function OrderStatus({ order: { status } }: { order: Order }) {
	return status === 'Complete' ? (
		<Badge tone="positive" icon={<IconCheck {...smallIconProps} />}>
			{m.orders_complete()}
		</Badge>
	) : (
		<Badge tone="accent" icon={<IconClock {...smallIconProps} />}>
			{m.orders_pending()}
		</Badge>
	);
}

interface OrderBodyProps {
	order: PersonOrder;
	/** Whether it says its name. */
	isNamed: boolean;
	onShow: () => void;
	onComplete: () => void;
}

function OrderBody({ order, isNamed, onShow, onComplete }: OrderBodyProps) {
	const isOdd = (field: Order['oddFields'][number]) => order.oddFields.includes(field);
	const facts = [
		...(isNamed || isOdd('name') ? [{ label: m.orders_name(), value: order.name, isDoubtful: isOdd('name') }] : []),
		{ label: m.orders_price(), value: formatMoney(order.totalPrice) },
		{ label: m.orders_time(), value: formatDateTime(order.createdAt) },
		{ label: m.orders_phone(), value: order.phone, isDoubtful: isOdd('phone') },
		{ label: m.orders_upi_id(), value: order.upiId, isDoubtful: isOdd('upiId') },
		...(order.utr === null ? [] : [{ label: m.orders_utr(), value: order.utr, isDoubtful: isOdd('utr') }]),
	];
	return (
		<div className={classes.body}>
			<dl className={classes.facts}>
				{facts.map(({ label, value, isDoubtful = false }) => (
					<div key={label}>
						<dt>{label}</dt>
						<dd data-odd={isDoubtful || undefined}>
							{value}
							{isDoubtful && <span className={classes.odd}>{m.orders_check_details()}</span>}
						</dd>
					</div>
				))}
			</dl>
			<Repeats repeats={order.repeats} />
			{order.proofs.length > 0 && (
				<ul className={classes.proofs} aria-label={m.orders_proofs({ count: order.proofs.length })}>
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
				</ul>
			)}
			{order.status === 'Pending' && (
				<Button
					variant="primary"
					isFullWidth
					aria-label={m.chat_person_complete_of({ code: order.code })}
					onClick={onComplete}
				>
					{m.chat_person_complete()}
				</Button>
			)}
			<ButtonLink to="/Bookdashboard" search={{ search: order.code }} isFullWidth>
				{m.chat_person_open_order()}
			</ButtonLink>
		</div>
	);
}
