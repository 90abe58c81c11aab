import {
	IconCheck,
	IconChevronDown,
	IconClock,
	IconMessage2,
	IconMessage2Check,
	IconMessageQuestion,
	IconTrash,
} from '@tabler/icons-react';
import { type KeyboardEvent, useId } from 'react';
import type { Order } from '#contract/orders/orders.ts';
import { m } from '#messages';
import { formatDateTime, formatShortDate, formatTime } from '#web/platform/formats/format.ts';
import { Button } from '#web/ui/primitives/button.tsx';
import { iconProps, smallIconProps } from '#web/ui/primitives/icon.ts';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import classes from './order-cells.module.css';
import type { EditableField } from './order-drafts.ts';
import type { EditableOrderRow } from './order-row.ts';

/** Column labels from the specification, for table headers and accessible names. */
export const fieldLabels: Record<EditableField, () => string> = {
	name: m.orders_name,
	email: m.orders_email,
	phone: m.orders_phone,
	upiId: m.orders_upi_id,
	status: m.orders_status,
};

interface CellProps {
	order: Order;
	row: EditableOrderRow;
}

/**
 * A text field of the row that looks like text until the row is edited. Escape discards the change; only Update saves.
 */
export function TextCell({ order, row, field }: CellProps & { field: Exclude<EditableField, 'status'> }) {
	const noteId = useId();
	const error = row.errorOf(field);
	const hasWarning = !row.isChanged(field) && order.oddFields.some((warnedField) => warnedField === field);
	const mailTo = field === 'email' ? findOtherEmail(order, row) : undefined;
	const hasNote = error !== undefined || row.serverValueOf(field) !== undefined || hasWarning || mailTo !== undefined;
	const keys = (event: KeyboardEvent) => {
		if (event.key === 'Escape') row.reset();
	};
	return (
		<div className={classes.cell}>
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
				onKeyDown={keys}
				autoComplete="off"
				spellCheck={false}
			/>
			{hasNote && (
				<span id={noteId} className={error === undefined ? classes.note : classes.error}>
					{error ??
						(hasWarning ? (
							<span className={classes.hidden}>{m.orders_check_details()}</span>
						) : (
							<>
								<ServerValue row={row} field={field} />
								{mailTo !== undefined && <span className={classes.line}>{m.orders_mail_to({ email: mailTo })}</span>}
							</>
						))}
				</span>
			)}
		</div>
	);
}

/**
 * Returns the account's email if it differs from the row's: mails go to the account, and an order's email is only
 * information.
 */
function findOtherEmail({ accountEmail }: Order, row: EditableOrderRow): string | undefined {
	const isSame = accountEmail === null || accountEmail.toLowerCase() === row.values.email.trim().toLowerCase();
	return isSame ? undefined : accountEmail;
}

function ServerValue({ row, field }: { row: EditableOrderRow; field: EditableField }) {
	const value = row.serverValueOf(field);
	return value === undefined ? null : m.orders_now({ value });
}

/** A choice of Pending or Complete, saved only with Update. */
export function StatusCell({ row }: { row: EditableOrderRow }) {
	const { status } = row.values;
	const StatusIcon = status === 'Complete' ? IconCheck : IconClock;
	return (
		<div className={classes.cell}>
			<span className={classes.status} data-status={status} data-changed={row.isChanged('status') || undefined}>
				<StatusIcon {...smallIconProps} />
				<select
					className={classes.select}
					aria-label={m.orders_status()}
					value={status}
					onChange={(event) => row.edit('status', event.currentTarget.value)}
				>
					<option value="Pending">{m.orders_pending()}</option>
					<option value="Complete">{m.orders_complete()}</option>
				</select>
				<IconChevronDown {...smallIconProps} className={classes.chevron} />
			</span>
			{row.serverValueOf('status') !== undefined && (
				<span className={classes.note}>
					<ServerValue row={row} field="status" />
				</span>
			)}
		</div>
	);
}

/** A thumbnail of the newest payment proof, and the number of proofs. */
export function ScreenshotCell({ order, onShow }: { order: Order; onShow: () => void }) {
	if (order.screenshot === null) return <span className={classes.none}>{m.orders_no_screenshot()}</span>;
	const label = m.orders_screenshot_of({ name: order.name });
	return (
		<span className={classes.proof}>
			<button type="button" className={classes.thumbnail} aria-label={label} title={label} onClick={onShow}>
				<img src={`${order.screenshot}?thumb=1`} alt="" loading="lazy" decoding="async" />
			</button>
			{order.proofCount > 1 && (
				<span className={classes.proofCount} title={m.orders_proofs({ count: order.proofCount })}>
					<span aria-hidden="true">{order.proofCount}</span>
					<span className={classes.hidden}>{m.orders_proofs({ count: order.proofCount })}</span>
				</span>
			)}
		</span>
	);
}

/** The order code, which buyers quote and other orders refer to. */
export function OrderCode({ order: { code } }: { order: Order }) {
	return (
		<span className={classes.code} title={m.orders_csv_code()}>
			<span className={classes.hidden}>{m.orders_csv_code()}: </span>
			{code}
		</span>
	);
}

/** Date above time; the full date and time as a tooltip. */
export function OrderTime({ order }: { order: Order }) {
	return (
		<time className={classes.time} dateTime={order.createdAt} title={formatDateTime(order.createdAt)}>
			<span>{formatShortDate(order.createdAt)}</span> <span>{formatTime(order.createdAt)}</span>
		</time>
	);
}

interface RowActionsProps {
	order: Order;
	row: EditableOrderRow;
	onWriteNote: () => void;
	onDelete: () => void;
}

/** Buttons: Update, note to the buyer, and Delete. */
export function RowActions({ order, row, onWriteNote, onDelete }: RowActionsProps) {
	const state = order.isProofWanted ? m.orders_proof_wanted() : order.note !== null && m.orders_has_note();
	const NoteIcon = order.isProofWanted ? IconMessageQuestion : order.note !== null ? IconMessage2Check : IconMessage2;
	return (
		<span className={classes.actions}>
			<Button size="small" variant={row.isDirty ? 'primary' : 'quiet'} disabled={row.isSaving} onClick={row.save}>
				{row.isSaving ? m.orders_saving() : m.orders_update()}
			</Button>
			<IconButton
				size="small"
				label={state ? `${m.orders_note()}: ${state}` : m.orders_note()}
				icon={<NoteIcon {...iconProps} />}
				className={state ? classes.noted : undefined}
				onClick={onWriteNote}
			/>
			<IconButton size="small" label={m.orders_delete()} icon={<IconTrash {...iconProps} />} onClick={onDelete} />
		</span>
	);
}
