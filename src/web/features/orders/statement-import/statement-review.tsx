import { Box, Flex, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import type { Order } from '#contract/orders/orders.ts';
import {
	type ComparedStatement,
	type StatementKind,
	type StatementLine,
	statementKinds,
} from '#contract/orders/statement-import.ts';
import { m } from '#messages';
import { formatCount, formatDay, formatMoney } from '#web/platform/formats/format.ts';
import { Badge } from '#web/ui/primitives/badge.tsx';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import { Notice } from '#web/ui/states/notice.tsx';
import { orderFlags } from '../bulk-complete/bulk-complete.ts';
import { ScreenshotCell } from '../management/order-cells.tsx';
import { AllOrdersCheckbox, OrderCheckbox } from '../management/order-checkbox.tsx';
import classes from './statement-dialog.module.css';
import { findDoubt, kindLabels, pendingOrders, rowsOfKind, toggleOrder } from './statement-matches.ts';

const tabularNumbers = { fontVariantNumeric: 'tabular-nums' };

interface StatementReviewProps {
	statement: ComparedStatement;
	chosen: ReadonlySet<string>;
	onChoose: (chosen: ReadonlySet<string>) => void;
	onShowProofs: (order: Order) => void;
}

export function StatementReview({ statement, ...choice }: StatementReviewProps) {
	const { counts, debits, failed, unread, unreadLines } = statement;
	const credits = statementKinds.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
	const facts = [
		m.orders_statement_credits({ count: credits, shown: formatCount(credits) }),
		...(debits > 0 ? [m.orders_statement_debits({ count: debits, shown: formatCount(debits) })] : []),
		...(failed > 0 ? [m.orders_statement_failed({ count: failed, shown: formatCount(failed) })] : []),
	];
	return (
		<>
			<Text fw={600} role="status">
				{facts.join(' · ')}
			</Text>
			{credits === 0 && <Notice tone="info">{m.orders_statement_none()}</Notice>}
			{credits > 0 && counts.matched === 0 && <Notice tone="info">{m.orders_statement_nothing_matched()}</Notice>}
			{unread > 0 && (
				<Notice tone="negative">
					{m.orders_statement_unread({ count: unread, shown: formatCount(unread) })}
					<Stack component="ul" gap={4} mah={160} mt={8} style={{ overflow: 'auto', overflowWrap: 'anywhere' }}>
						{unreadLines.map(({ line, text }) => (
							<li key={line}>
								<b>{m.orders_statement_line({ line: String(line) })}</b> {text}
							</li>
						))}
					</Stack>
				</Notice>
			)}
			{statementKinds
				.filter((kind) => (counts[kind] ?? 0) > 0)
				.map((kind) => (
					<StatementGroup key={kind} kind={kind} statement={statement} {...choice} />
				))}
		</>
	);
}

function StatementGroup(props: StatementReviewProps & { kind: StatementKind }) {
	const { kind, statement, chosen, onChoose, onShowProofs } = props;
	const lines = rowsOfKind(statement.lines, kind);
	const count = statement.counts[kind] ?? 0;
	const orders = new Map(statement.orders.map((order) => [order.id, order]));
	const pending = [...pendingOrders(statement).values()];
	const groupOrderIds = new Set(lines.flatMap(({ orderIds }) => orderIds));
	const shown = pending.filter(({ id }) => groupOrderIds.has(id));
	const toggleAll = () => {
		const ids = new Set(shown.map(({ id }) => id));
		const isAll = shown.every(({ id }) => chosen.has(id));
		onChoose(new Set(isAll ? [...chosen].filter((id) => !ids.has(id)) : [...chosen, ...ids]));
	};
	return (
		<details className={classes.group} open={kind !== 'complete'}>
			<summary>
				<Text component="h3" display="inline" fz="md" fw={600}>
					{kindLabels[kind].title()}{' '}
					<Text span ml={4} c="dimmed" fw={500} style={tabularNumbers}>
						{formatCount(count)}
					</Text>
				</Text>
			</summary>
			<Group gap={12} wrap="nowrap" pb={8} fz={13}>
				{kind === 'matched' && shown.length > 1 && (
					<AllOrdersCheckbox shown={shown} chosen={chosen} onChooseAll={toggleAll} />
				)}
				<Text c="var(--ink-2)" textWrap="pretty">
					{kindLabels[kind].hint()}
				</Text>
			</Group>
			<ul>
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
				<Text c="var(--ink-2)" textWrap="pretty">
					{m.orders_statement_cut({ shown: formatCount(lines.length), count: formatCount(count) })}
				</Text>
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
			<Stack gap={2}>
				<Flex component="p" wrap="wrap" align="baseline" gap="2px 10px" style={tabularNumbers}>
					<Text span fz={14} fw={600}>
						{formatMoney(line.amount)}
					</Text>
					{line.day !== null && <time dateTime={line.day}>{formatDay(line.day)}</time>}
					{line.reference !== '' && (
						<Text span ff="monospace" fz={12}>
							{line.reference}
						</Text>
					)}
				</Flex>
				<Box component="p" c="dimmed">
					{line.text}
				</Box>
				{doubt !== undefined && (
					<Flex component="p" align="center" gap={6} c="var(--negative)" fw={550}>
						<IconAlertTriangle {...smallIconProps} />
						{doubt}
					</Flex>
				)}
			</Stack>
			{orders.length > 0 && (
				<Flex component="ul" direction="column" gap={12}>
					{orders.map((order) => (
						<li key={order.id} className={classes.order}>
							{order.status === 'Complete' || line.why === 'used' ? (
								<span />
							) : (
								<OrderCheckbox order={order} isChosen={chosen.has(order.id)} onChoose={onChoose} />
							)}
							<OrderSummary order={order} line={line} />
							<ScreenshotCell order={order} onShow={() => onShowProofs(order)} />
						</li>
					))}
				</Flex>
			)}
		</li>
	);
}

function OrderSummary({ order, line }: { order: Order; line: StatementLine }) {
	const flags = order.status === 'Complete' ? '' : orderFlags(order).join(' · ');
	const price = m.orders_statement_price({ price: formatMoney(order.totalPrice) });
	const warnings = [order.totalPrice === line.amount ? '' : price, flags].filter((text) => text !== '');
	return (
		<Stack align="flex-start" gap={2}>
			<p>
				<b>{order.name}</b>{' '}
				<Box component="span" c="dimmed">
					{order.code}
				</Box>
			</p>
			<Box component="p" c="dimmed">
				{order.email}
			</Box>
			{warnings.map((text) => (
				<Box key={text} component="p" c="var(--negative)" fw={550}>
					{text}
				</Box>
			))}
			{order.status === 'Complete' && (
				<Badge tone="positive" icon={IconCheck}>
					{m.orders_complete()}
				</Badge>
			)}
		</Stack>
	);
}
