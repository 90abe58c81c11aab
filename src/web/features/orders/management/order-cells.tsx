import { Box, Flex, Text } from '@mantine/core';
import {
	IconCheck,
	IconChevronDown,
	IconClock,
	IconFlag,
	IconMessage2,
	IconMessage2Check,
	IconMessageQuestion,
	IconTestPipe,
	IconTrash,
} from '@tabler/icons-react';
import { useId } from 'react';
import type { Order } from '#contract/orders/orders.ts';
import { m } from '#messages';
import { formatDateTime, formatShortDate, formatTime } from '#web/platform/formats/format.ts';
import { Badge } from '#web/ui/primitives/badge.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import { fieldLabels, warningLabels } from '../order-warnings.tsx';
import classes from './order-cells.module.css';
import type { EditableField } from './order-drafts.ts';
import type { EditableOrderRow, OrderRowProps } from './order-row.ts';

/** Looks like plain text until the row is edited. Escape discards all changes of the row; the Update button saves. */
export function TextCell({
	order,
	row,
	field,
}: {
	order: Order;
	row: EditableOrderRow;
	field: Exclude<EditableField, 'status'>;
}) {
	const noteId = useId();
	const error = row.errorOf(field);
	const hasWarning = !row.isChanged(field) && order.oddFields.some((warnedField) => warnedField === field);
	const mailTo = field === 'email' ? findOtherEmail(order, row) : undefined;
	const serverValue = row.serverValueOf(field);
	const hasNote = error !== undefined || serverValue !== undefined || hasWarning || mailTo !== undefined;
	return (
		<div>
			<input
				className={classes.input}
				type={field === 'email' ? 'email' : field === 'phone' ? 'tel' : 'text'}
				aria-label={fieldLabels[field]()}
				aria-invalid={error !== undefined}
				aria-describedby={hasNote ? noteId : undefined}
				data-changed={row.isChanged(field) || undefined}
				data-odd={hasWarning || undefined}
				title={row.values[field]}
				value={row.values[field]}
				onChange={(event) => row.edit(field, event.currentTarget.value)}
				onKeyDown={({ key }) => key === 'Escape' && row.reset()}
				autoComplete="off"
				spellCheck={false}
			/>
			{hasNote && (
				<div id={noteId} className={classes.note} data-error={error !== undefined || undefined}>
					{error ??
						(hasWarning ? (
							<span className={textClasses.hidden}>{m.orders_check_details()}</span>
						) : (
							<>
								{serverValue !== undefined && m.orders_now({ value: serverValue })}
								{mailTo !== undefined && <div>{m.orders_mail_to({ email: mailTo })}</div>}
							</>
						))}
				</div>
			)}
		</div>
	);
}

/** Returns the account's email, which receives the mails, if the row shows a different email. */
function findOtherEmail({ accountEmail }: Order, row: EditableOrderRow): string | undefined {
	const isSame = accountEmail === null || accountEmail.toLowerCase() === row.values.email.trim().toLowerCase();
	return isSame ? undefined : accountEmail;
}

export function StatusCell({ row }: { row: EditableOrderRow }) {
	const { status } = row.values;
	const StatusIcon = status === 'Complete' ? IconCheck : IconClock;
	const serverValue = row.serverValueOf('status');
	return (
		<div>
			<span className={classes.status} data-status={status} data-changed={row.isChanged('status') || undefined}>
				<StatusIcon {...smallIconProps} />
				<select
					aria-label={m.orders_status()}
					value={status}
					onChange={(event) => row.edit('status', event.currentTarget.value)}
				>
					<option value="Pending">{m.orders_pending()}</option>
					<option value="Complete">{m.orders_complete()}</option>
				</select>
				<IconChevronDown {...smallIconProps} />
			</span>
			{serverValue !== undefined && <div className={classes.note}>{m.orders_now({ value: serverValue })}</div>}
		</div>
	);
}

export function ScreenshotCell({ order, onShow }: { order: Order; onShow: () => void }) {
	if (order.screenshot === null)
		return (
			<Box component="span" c="dimmed">
				{m.orders_no_screenshot()}
			</Box>
		);
	const label = m.orders_screenshot_of({ name: order.name });
	return (
		<Flex component="span" align="center" gap={6}>
			<button type="button" className={classes.thumbnail} aria-label={label} title={label} onClick={onShow}>
				<img src={`${order.screenshot}?thumb=1`} alt="" loading="lazy" decoding="async" />
			</button>
			{order.proofCount > 1 && (
				<Text span fw={600} title={m.orders_proofs({ count: order.proofCount })}>
					<span aria-hidden="true">{order.proofCount}</span>
					<span className={textClasses.hidden}>{m.orders_proofs({ count: order.proofCount })}</span>
				</Text>
			)}
		</Flex>
	);
}

export function OrderCode({ order: { code, isTest } }: { order: Order }) {
	return (
		<>
			<div className={classes.code} title={m.orders_csv_code()}>
				<span className={textClasses.hidden}>{m.orders_csv_code()}: </span>
				{code}
			</div>
			{isTest && (
				<div>
					<Badge tone="info" icon={IconTestPipe}>
						{m.test_purchase_badge()}
					</Badge>
				</div>
			)}
		</>
	);
}

export function OrderWarning({ order }: { order: Order }) {
	if (order.oddFields.length === 0) return null;
	return (
		<Flex component="span" display="inline-flex" gap={5} c="var(--negative)" fz={12} fw={550} lh={1.2}>
			<IconFlag {...smallIconProps} size={13} />
			<span>{warningLabels(order)}</span>
		</Flex>
	);
}

export function OrderTime({ order }: { order: Order }) {
	return (
		<time className={classes.time} dateTime={order.createdAt} title={formatDateTime(order.createdAt)}>
			<span>{formatShortDate(order.createdAt)}</span> <span>{formatTime(order.createdAt)}</span>
		</time>
	);
}

interface RowActionsProps extends Pick<OrderRowProps, 'order' | 'onWriteNote' | 'onDelete'> {
	row: EditableOrderRow;
}

export function RowActions({ order, row, onWriteNote, onDelete }: RowActionsProps) {
	const state = order.isProofWanted ? m.orders_proof_wanted() : order.note !== null && m.orders_has_note();
	const NoteIcon = order.isProofWanted ? IconMessageQuestion : order.note !== null ? IconMessage2Check : IconMessage2;
	return (
		<Flex component="span" display="inline-flex" align="center" gap={4}>
			<Button
				size="small"
				variant={row.isDirty ? 'primary' : 'quiet'}
				disabled={!row.isDirty || row.isSaving}
				onClick={row.save}
			>
				{row.isSaving ? m.orders_saving() : m.orders_update()}
			</Button>
			<IconButton
				size="small"
				label={state ? `${m.orders_note()}: ${state}` : m.orders_note()}
				icon={NoteIcon}
				style={state ? { color: 'var(--accent)' } : undefined}
				onClick={() => onWriteNote(order)}
			/>
			<IconButton size="small" label={m.orders_delete()} icon={IconTrash} onClick={() => onDelete(order)} />
		</Flex>
	);
}
