import { expect } from 'vitest';
import { findRows, getRow } from '../../support/app/database-rows.ts';
import { multipart } from '../../support/app/http-client.ts';
import { makePicture } from '../../support/documents/images.ts';
import { type AccessFixture, type AccessRequest, type Actor, freshOrder } from '../access-fixture.ts';
import { type AccessCall, type AccessCalls, call, shows } from './access-call.ts';

const unknownToken = 'A'.repeat(43);

/** Returns a wrong token that differs from `token` in one character. */
function guessToken(token: string): string {
	return `${token.startsWith('x') ? 'y' : 'x'}${token.slice(1)}`;
}

/** Creates an order. @returns the order and the token of its page; for X, the token is wrong */
async function orderFor(fixture: AccessFixture, actor: Actor, status?: 'Complete') {
	const order = await freshOrder(fixture, status);
	return { ...order, token: actor === 'X' ? guessToken(order.token) : order.token };
}

/** Creates a call that submits a form of the order page. `check` checks the order afterwards. */
function formCall(
	form: string,
	fill: () => Partial<AccessRequest> | Promise<Partial<AccessRequest>>,
	check: (fixture: AccessFixture, orderId: string) => Promise<void>,
): AccessCall {
	const submit = call(
		async (fixture, actor) => {
			const { token, id } = await orderFor(fixture, actor);
			return { url: `/order/${token}/${form}`, target: id, ...(await fill()) };
		},
		async (fixture, response, { target = '' }) => {
			expect(response.statusCode).toBe(303);
			expect(response.headers.location).toMatch(new RegExp(`^/order/[\\w-]{43}\\?done=${form}#done$`, 'u'));
			await check(fixture, target);
		},
	);
	return { ...submit, absentUrl: `/order/${unknownToken}/${form}` };
}

/** Creates a call that reads an order page, and checks that the page contains the code of the order and `words`. */
function readCall(path: string, status?: 'Complete', ...words: string[]): AccessCall {
	const read = call(
		async (fixture, actor) => {
			const { token, code } = await orderFor(fixture, actor, status);
			return { url: `/order/${token}${path}`, target: code };
		},
		shows(...words),
		(_world, { body }, { target }) => expect(body).toContain(target),
	);
	return { ...read, absentUrl: `/order/${unknownToken}${path}` };
}

/** Calls that require only the secret link of an order. */
export const orderPageCalls: AccessCalls = {
	'GET /order/:token': readCall(''),
	'GET /order/:token/receipt': readCall('/receipt', 'Complete', 'Asha Rao'),
	'POST /order/:token/proof': formCall(
		'proof',
		async () => multipart({}, { field: 'screenshot', name: 'paid.png', type: 'image/png', bytes: await makePicture() }),
		async ({ deps }, id) => expect(await findRows(deps, 'proofs', { order_id: id })).toHaveLength(2),
	),
	'POST /order/:token/address': formCall(
		'address',
		() => multipart({ email: 'right@example.com' }),
		async ({ deps }, id) => expect(await getRow(deps, 'orders', { id })).toMatchObject({ email: 'right@example.com' }),
	),
	'POST /order/:token/login': formCall(
		'login',
		() => multipart({}),
		async ({ deps }, id) => {
			const { email } = await getRow(deps, 'orders', { id });
			expect(await findRows(deps, 'outbox', { recipient: email })).toMatchObject([{ kind: 'login-again' }]);
		},
	),
};
