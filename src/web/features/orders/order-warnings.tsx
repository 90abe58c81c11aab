import { Flex, Stack, Text } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DuplicateProof, Order } from '#contract/orders/orders.ts';
import { m } from '#messages';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import type { EditableField } from './management/order-drafts.ts';

const maxValueLength = 40;

/** Labels from the specification, for columns and accessible names. */
export const fieldLabels: Record<EditableField | 'utr', () => string> = {
	name: m.orders_name,
	email: m.orders_email,
	phone: m.orders_phone,
	upiId: m.orders_upi_id,
	utr: m.orders_utr,
	status: m.orders_status,
};

/** Returns the labels of the fields to check. Use {@link warningDetails} where the values are not visible. */
export function warningLabels({ oddFields }: Order): string {
	return m.orders_check_details_of({ details: oddFields.map((field) => fieldLabels[field]()).join(', ') });
}

/** Returns the fields to check with their values. Omits the value of the payment reference. */
export function warningDetails(order: Order): string {
	const details = order.oddFields.map((field) => {
		const label = fieldLabels[field]();
		return field === 'utr' ? label : m.orders_warning_detail({ label, value: truncate(order[field]) });
	});
	return m.orders_check_details_of({ details: details.join(', ') });
}

export const duplicateTexts = {
	utr: m.orders_same_utr,
	picture: m.orders_same_picture,
	used: m.orders_same_used,
} as const;

const linkStyle = { color: 'inherit', textUnderlineOffset: 2, overflowWrap: 'anywhere' } as const;
const sameOrderTexts = { utr: m.orders_same_utr_own, picture: m.orders_same_picture_own };

export function DuplicateProofs({ repeats, onFollow }: { repeats: DuplicateProof[]; onFollow?: () => void }) {
	if (repeats.length === 0) return null;
	return (
		<Stack component="ul" gap={2} c="var(--negative)" fz={12} fw={550} lh={1.3}>
			{repeats.map(({ kind, code, isOwnOrder }) => (
				<Flex key={`${kind} ${code}`} component="li" gap={4}>
					<IconCopy {...smallIconProps} size={13} style={{ marginTop: 1 }} />
					{kind === 'used' ? (
						<span>{duplicateTexts[kind]({ code })}</span>
					) : isOwnOrder ? (
						<span>{sameOrderTexts[kind]()}</span>
					) : (
						<Link to="/Bookdashboard" search={{ search: code }} style={linkStyle} onClick={onFollow}>
							{duplicateTexts[kind]({ code })}
						</Link>
					)}
				</Flex>
			))}
		</Stack>
	);
}

interface OrderFact {
	label: string;
	value: ReactNode;
	isDoubtful?: boolean;
	/** Text below a doubtful value. */
	note?: string;
}

export function OrderFactList({ facts, className }: { facts: OrderFact[]; className: string | undefined }) {
	return (
		<dl className={className}>
			{facts.map(({ label, value, isDoubtful = false, note = m.orders_check_details() }) => (
				<div key={label}>
					<dt>{label}</dt>
					<dd data-odd={isDoubtful || undefined}>
						{value}
						{isDoubtful && <Text fz={12}>{note}</Text>}
					</dd>
				</div>
			))}
		</dl>
	);
}

function truncate(value: string): string {
	const characters = [...value];
	return characters.length > maxValueLength ? `${characters.slice(0, maxValueLength - 1).join('')}…` : value;
}
