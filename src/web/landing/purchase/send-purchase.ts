import type { ErrorBody } from '#contract/core/errors.ts';
import type { MadeOrder } from '#contract/storefront/landing.ts';
import { type PurchaseField, purchaseFields, purchasePath } from '#contract/storefront/purchase-form.ts';
import type { PurchaseAnswer } from '#contract/storefront/storefront.ts';
import type { PurchaseErrors } from './purchase-check.ts';

export type PurchaseResult =
	| { kind: 'done'; message: string; order: MadeOrder | null }
	| { kind: 'refused'; errors: PurchaseErrors }
	| { kind: 'failed'; message: string };

/** Long enough for a 10 MiB picture on a slow line; after it the buyer may try again. */
const patienceMs = 300_000;

/** Statuses whose own sentence tells a buyer more than the general one: too large, too many. */
const tellingStatuses: readonly number[] = [413, 429];

/** Sends the form. Never throws: a lost line, too, is a `failed` result with the general sentence. */
export async function sendPurchase(data: FormData, failedText: string): Promise<PurchaseResult> {
	try {
		const response = await fetch(purchasePath, {
			method: 'POST',
			body: data,
			headers: { Accept: 'application/json' },
			signal: AbortSignal.timeout(patienceMs),
		});
		const body: unknown = await response.json();
		if (response.ok && isAnswer(body)) {
			const { message, statusUrl, code = '' } = body;
			return { kind: 'done', message, order: statusUrl === undefined ? null : { statusUrl, code } };
		}
		const errors = response.status === 422 && isErrorBody(body) ? errorsOf(body) : {};
		if (Object.keys(errors).length > 0) return { kind: 'refused', errors };
		const isTelling = tellingStatuses.includes(response.status) && isErrorBody(body);
		return { kind: 'failed', message: isTelling ? body.message : failedText };
	} catch {
		return { kind: 'failed', message: failedText };
	}
}

function errorsOf({ fields = {} }: ErrorBody): PurchaseErrors {
	const known = purchaseFields.flatMap((field): [PurchaseField, string][] => {
		const error = fields[field];
		return error === undefined ? [] : [[field, error]];
	});
	return Object.fromEntries(known);
}

function isAnswer(body: unknown): body is Partial<PurchaseAnswer> & { message: string } {
	return typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string';
}

function isErrorBody(body: unknown): body is ErrorBody {
	return isAnswer(body) && 'code' in body;
}
