import type { ErrorBody } from '#contract/core/errors.ts';
import type { CheckoutAnswer } from '#contract/orders/checkout.ts';
import { checkoutPath } from '#contract/orders/checkout-form.ts';
import type { SubmittedOrder } from '#contract/storefront/landing.ts';
import { type CheckoutErrors, collectErrors } from './checkout-validation.ts';

type CheckoutResult =
	| { kind: 'done'; message: string; order: SubmittedOrder | null }
	| { kind: 'refused'; errors: CheckoutErrors }
	| { kind: 'failed'; message: string }
	| { kind: 'unreachable' };

/** In ms. Enough for an upload of 10 MiB on a slow connection. */
const sendTimeoutMs = 300_000;

/** For these statuses, the server's message is shown. 403: wrong address; 413: too large; 429: too many requests. */
const statusesWithOwnMessage: readonly number[] = [403, 413, 429];

/** Never rejects. `unreachable`: there is no connection, or it was lost before the answer. */
export async function sendCheckout(data: FormData, failedText: string): Promise<CheckoutResult> {
	const response = await fetch(checkoutPath, {
		method: 'POST',
		body: data,
		headers: { Accept: 'application/json' },
		signal: AbortSignal.timeout(sendTimeoutMs),
	}).catch(() => null);
	if (response === null) return { kind: 'unreachable' };
	try {
		const body: unknown = await response.json();
		if (response.ok && isAnswer(body)) {
			const { message, statusUrl, code = '' } = body;
			return { kind: 'done', message, order: statusUrl === undefined ? null : { statusUrl, code } };
		}
		const { fields = {} } = response.status === 422 && isErrorBody(body) ? body : {};
		const errors = collectErrors((field) => fields[field]);
		if (Object.keys(errors).length > 0) return { kind: 'refused', errors };
		const hasOwnMessage = statusesWithOwnMessage.includes(response.status) && isErrorBody(body);
		return { kind: 'failed', message: hasOwnMessage ? body.message : failedText };
	} catch {
		return { kind: 'failed', message: failedText };
	}
}

function isAnswer(body: unknown): body is Partial<CheckoutAnswer> & { message: string } {
	return typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string';
}

function isErrorBody(body: unknown): body is ErrorBody {
	return isAnswer(body) && 'code' in body;
}
