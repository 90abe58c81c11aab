import { expect } from 'vitest';
import { multipart } from '../../support/app/http-client.ts';
import { makePicture } from '../../support/documents/images.ts';
import { type AccessFixture, type AccessRequest, freshOrder } from '../access-fixture.ts';
import type { Actor } from '../access-table.ts';
import type { AccessCall, AccessCalls } from './access-call.ts';

const unknownToken = 'A'.repeat(43);

/** Another submission's secret is unknown: the closest guess has one wrong character. */
function guessed(token: string): string {
	return `${token.startsWith('x') ? 'y' : 'x'}${token.slice(1)}`;
}

/** Creates an order and returns it with the secret of its page, or for X with a wrong secret. */
async function orderFor(world: AccessFixture, actor: Actor, status?: 'Complete') {
	const order = await freshOrder(world, status);
	return { ...order, token: actor === 'X' ? guessed(order.token) : order.token };
}

function posted(fields: Record<string, string>, file?: Parameters<typeof multipart>[1]): Partial<AccessRequest> {
	const { body, headers } = multipart(fields, file);
	return { body, headers };
}

/** Creates the call of a form on the page. `check` gets the ID of the order after the form was sent. */
function formCall(
	form: string,
	fill: () => Partial<AccessRequest> | Promise<Partial<AccessRequest>>,
	check: (world: AccessFixture, orderId: string) => Promise<void>,
): AccessCall {
	return {
		async request(world, actor) {
			const { token, id } = await orderFor(world, actor);
			return { url: `/order/${token}/${form}`, target: id, ...(await fill()) };
		},
		absent: () => ({ url: `/order/${unknownToken}/${form}`, ...posted({}) }),
		async check(world, response, { target = '' }) {
			expect(response.statusCode).toBe(303);
			expect(response.headers.location).toMatch(new RegExp(`^/order/[\\w-]{43}\\?done=${form}#done$`, 'u'));
			await check(world, target);
		},
	};
}

/** Calls that are open to everyone who has the secret link of an order. */
export const orderPageCalls: AccessCalls = {
	'GET /order/:token': {
		async request(world, actor) {
			const { token, code } = await orderFor(world, actor);
			return { url: `/order/${token}`, target: code };
		},
		absent: () => ({ url: `/order/${unknownToken}` }),
		check(_world, { statusCode, body }, { target = '' }) {
			expect(statusCode).toBe(200);
			expect(body).toContain(target);
		},
	},
	'GET /order/:token/receipt': {
		async request(world, actor) {
			const { token, code } = await orderFor(world, actor, 'Complete');
			return { url: `/order/${token}/receipt`, target: code };
		},
		absent: () => ({ url: `/order/${unknownToken}/receipt` }),
		check(_world, { statusCode, body }, { target = '' }) {
			expect(statusCode).toBe(200);
			expect(body).toContain(target);
			expect(body).toContain('Asha Rao');
		},
	},
	'POST /order/:token/proof': formCall(
		'proof',
		async () => posted({}, { field: 'screenshot', name: 'paid.png', type: 'image/png', bytes: await makePicture() }),
		async ({ deps }, id) => {
			const proofs = await deps.db.selectFrom('proofs').select('id').where('order_id', '=', id).execute();
			expect(proofs).toHaveLength(2);
		},
	),
	'POST /order/:token/address': formCall(
		'address',
		() => posted({ email: 'right@example.com' }),
		async ({ deps }, id) => {
			const order = await deps.db.selectFrom('orders').select('email').where('id', '=', id).executeTakeFirst();
			expect(order).toEqual({ email: 'right@example.com' });
		},
	),
	'POST /order/:token/login': formCall(
		'login',
		() => posted({}),
		async ({ deps }, id) => {
			const { email } = await deps.db
				.selectFrom('orders')
				.select('email')
				.where('id', '=', id)
				.executeTakeFirstOrThrow();
			const mails = await deps.db.selectFrom('outbox').select('kind').where('recipient', '=', email).execute();
			expect(mails).toEqual([{ kind: 'login-again' }]);
		},
	),
};
