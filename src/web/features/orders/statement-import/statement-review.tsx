import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import type { Order } from '#contract/orders/orders.ts';
import type { ComparedStatement, StatementKind, StatementLine } from '#contract/orders/statement-import.ts';
import { m } from '#messages';
import { formatCount, formatDay, formatMoney } from '#web/platform/formats/format.ts';
import { Badge } from '#web/ui/primitives/badge.tsx';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import { Notice } from '#web/ui/states/notice.tsx';
import { orderFlags } from '../bulk-complete/bulk-complete.ts';
import { ScreenshotCell } from '../management/order-cells.tsx';
import { AllOrdersCheckbox, OrderCheckbox } from '../management/order-checkbox.tsx';
import classes from './statement-dialog.module.css';
import { findDoubt, kindLabels, pendingOrders, rowsOfKind, shownKinds, toggleOrder } from './statement-matches.ts';

interface StatementReviewProps {
	statement: ComparedStatement;
	/** IDs of the selected orders. */
	chosen: ReadonlySet<string>;
	onChoose: (chosen: ReadonlySet<string>) => void;
	onShowProofs: (order: Order) => void;
}

/** Lists the payments of a statement by group. */
export function StatementReview({ statement, ...choice }: StatementReviewProps) {
	const { counts, debits, failed, unread, unreadLines } = statement;
	const credits = shownKinds.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
	const facts = [
		m.orders_statement_credits({ count: credits, shown: formatCount(credits) }),
		...(debits > 0 ? [m.orders_statement_debits({ count: debits, shown: formatCount(debits) })] : []),
		...(failed > 0 ? [m.orders_statement_failed({ count: failed, shown: formatCount(failed) })] : []),
	];
	return (
		<>
			<p className={classes.facts} role="status">
				{facts.join(' · ')}
			</p>
			{credits === 0 && <Notice tone="info">{m.orders_statement_none()}</Notice>}
			{credits > 0 && counts.matched === 0 && <Notice tone="info">{m.orders_statement_nothing_matched()}</Notice>}
			{unread > 0 && (
				<Notice tone="negative">
					{m.orders_statement_unread({ count: unread, shown: formatCount(unread) })}
					<ul className={classes.unread}>
						{unreadLines.map(({ line, text }) => (
							<li key={line}>
								<b>{m.orders_statement_line({ line: String(line) })}</b> {text}
							</li>
						))}
					</ul>
				</Notice>
			)}
			{shownKinds
				.filter((kind) => (counts[kind] ?? 0) > 0)
				.map((kind) => (
					<StatementGroup key={kind} kind={kind} statement={statement} {...choice} />
				))}
		</>
	);
}

function StatementGroup({
	kind,
	statement,
	chosen,
	onChoose,
	onShowProofs,
}: StatementReviewProps & { kind: StatementKind }) {
	const lines = rowsOfKind(statement, kind);
	const count = statement.counts[kind] ?? 0;
	const orders = new Map(statement.orders.map((order) => [order.id, order]));
	const open = [...pendingOrders(statement).values()];
	const own = new Set(lines.flatMap(({ orderIds }) => orderIds));
	const shown = open.filter(({ id }) => own.has(id));
	const toggle = (ids: readonly string[], isChosen: boolean) => {
		const next = new Set(chosen);
		for (const id of ids) {
			if (isChosen) next.add(id);
			else next.delete(id);
		}
		onChoose(next);
	};
	const hasAll = shown.every(({ id }) => chosen.has(id));
	return (
		<details className={classes.group} open={kind !== 'complete'}>
			<summary>
				<h3>
					{kindLabels[kind].title()} <span className={classes.count}>{formatCount(count)}</span>
				</h3>
			</summary>
			<div className={classes.groupHead}>
				{kind === 'matched' && shown.length > 1 && (
					<AllOrdersCheckbox
						shown={shown}
						chosen={chosen}
						onChooseAll={() =>
							toggle(
								shown.map(({ id }) => id),
								!hasAll,
							)
						}
					/>
				)}
				<p className={classes.hint}>{kindLabels[kind].hint()}</p>
			</div>
			<ul className={classes.lines}>
				{lines.map((line) => (
					<StatementRow
						key={line.line}
						line={line}
						orders={line.orderIds.flatMap((id) => orders.get(id) ?? [])}
						chosen={chosen}
						onChoose={(order) => onChoose(toggleOrder(chosen, line, order.id))}
						onShowProofs={onShowProofs}
					/>
				))}
			</ul>
			{count > lines.length && (
				<p className={classes.hint}>
					{m.orders_statement_cut({ shown: formatCount(lines.length), count: formatCount(count) })}
				</p>
			)}
		</details>
	);
}

interface StatementRowProps extends Pick<StatementReviewProps, 'chosen' | 'onShowProofs'> {
	line: StatementLine;
	orders: Order[];
	onChoose: (order: Order) => void;
}

function StatementRow({ line, orders, chosen, onChoose, onShowProofs }: StatementRowProps) {
	const doubt = findDoubt(line);
	return (
		<li className={classes.line}>
			<div className={classes.payment}>
				<p className={classes.money}>
					<b>{formatMoney(line.amount)}</b>
					{line.day !== null && <time dateTime={line.day}>{formatDay(line.day)}</time>}
					{line.reference !== '' && <span className={classes.reference}>{line.reference}</span>}
				</p>
				<p className={classes.text}>{line.text}</p>
				{doubt !== undefined && (
					<p className={classes.doubt}>
						<IconAlertTriangle {...smallIconProps} />
						{doubt}
					</p>
				)}
			</div>
			{orders.length > 0 && (
				<ul className={classes.orders}>
					{orders.map((order) => (
						<li key={order.id} className={classes.order}>
							{order.status === 'Complete' || line.why === 'used' ? (
								<span className={classes.noCheckbox} />
							) : (
								<OrderCheckbox order={order} isChosen={chosen.has(order.id)} onChoose={onChoose} />
							)}
							<OrderSummary order={order} line={line} />
							<ScreenshotCell order={order} onShow={() => onShowProofs(order)} />
						</li>
					))}
				</ul>
			)}
		</li>
	);
}

function OrderSummary({ order, line }: { order: Order; line: StatementLine }) {
	const flags = order.status === 'Complete' ? [] : orderFlags(order);
	return (
		<div className={classes.orderSummary}>
			<p>
				<b>{order.name}</b> <span className={classes.code}>{order.code}</span>
			</p>
			<p className={classes.code}>{order.email}</p>
			{order.totalPrice !== line.amount && (
				<p className={classes.differs}>{m.orders_statement_price({ price: formatMoney(order.totalPrice) })}</p>
			)}
			{flags.length > 0 && <p className={classes.flags}>{flags.join(' · ')}</p>}
			{order.status === 'Complete' && (
				<Badge tone="positive" icon={<IconCheck {...smallIconProps} />}>
					{m.orders_complete()}
				</Badge>
			)}
		</div>
	);
}
