import type { Order } from '#contract/orders/orders.ts';

/** An Indian mobile number in any usual grouping, or a foreign one with its country's code. */
const usualPhone = /^(?:(?:\+?91|0)[\s-]*)?[6-9](?:[\s-]*\d){9}$|^\+\d(?:[\s-]*\d){6,14}$/u;

/** A UPI id, `name@handle` (NPCI's virtual payment address). */
const usualUpiId = /^[\w.-]{2,256}@[a-z][a-z0-9.-]{1,64}$/iu;

/** Details that the owner should look at twice. Nothing is refused for them. */
export function findOddFields(order: { phone: string; upiId: string }): Order['oddFields'] {
	const odd: Order['oddFields'] = [];
	if (!usualPhone.test(order.phone.trim())) odd.push('phone');
	if (!usualUpiId.test(order.upiId.trim())) odd.push('upiId');
	return odd;
}
