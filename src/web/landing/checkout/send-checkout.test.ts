import { afterEach, describe, expect, it, vi } from 'vitest';
import { sendCheckout } from './send-checkout.ts';

const failed = 'Error submitting form. Please try again.';
const answer = (status: number, body: unknown) =>
	vi.stubGlobal('fetch', async () => new Response(typeof body === 'string' ? body : JSON.stringify(body), { status }));

afterEach(() => vi.unstubAllGlobals());

describe('sendCheckout', () => {
	it('returns the success message with the URL and the code of the order', async () => {
		answer(200, {
			message: 'Purchase Complated Id Password sent on Email',
			statusUrl: '/order/secret',
			code: 'FOL-0001-AB',
		});
		const result = await sendCheckout(new FormData(), failed);
		expect(result).toEqual({
			kind: 'done',
			message: 'Purchase Complated Id Password sent on Email',
			order: { statusUrl: '/order/secret', code: 'FOL-0001-AB' },
		});
	});

	it('returns only the errors of known fields', async () => {
		const fields = { email: 'No.', constructor: 'x', price: 'y' };
		answer(422, { code: 'PURCHASE_INVALID', status: 422, message: 'm', fields });
		expect(await sendCheckout(new FormData(), failed)).toEqual({ kind: 'refused', errors: { email: 'No.' } });
	});

	it.each([403, 413, 429])('returns the message of the server after status %i', async (status) => {
		answer(status, { code: 'X', status, message: 'Too much.' });
		expect(await sendCheckout(new FormData(), failed)).toEqual({ kind: 'failed', message: 'Too much.' });
	});

	it.each([
		[500, { code: 'INTERNAL', status: 500, message: 'inner words' }],
		[422, { code: 'X', status: 422, message: 'without fields' }],
		[502, '<html>Bad gateway</html>'],
		[200, '<html>a captive portal</html>'],
	])('returns the general error message after an unexpected response with status %i', async (status, body) => {
		answer(status, body);
		expect(await sendCheckout(new FormData(), failed)).toEqual({ kind: 'failed', message: failed });
	});

	it('reports a lost connection', async () => {
		vi.stubGlobal('fetch', () => Promise.reject(new TypeError('network')));
		expect(await sendCheckout(new FormData(), failed)).toEqual({ kind: 'unreachable' });
	});
});
