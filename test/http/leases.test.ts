import { afterAll, beforeAll, expect, test } from 'vitest';
import { findHeldLeases, takeLease, tidyLeases } from '#server/platform/leases/leases.ts';
import { createTestApp, createTwin, type TestApp } from '../support/app.ts';

let one: TestApp;
let two: TestApp;
beforeAll(async () => {
	one = await createTestApp();
	two = await createTwin(one);
});
afterAll(async () => {
	await two.close();
	await one.close();
});

async function take(app: TestApp, name: string, onWanted = () => {}) {
	const lease = await takeLease(app.deps, name, { waitMs: 60_000, onWanted });
	if (lease === null) throw new Error(`${name} could not be had.`);
	return lease;
}

/** As if its process had been killed so long ago. */
const lapse = (name: string) =>
	one.deps.db
		.updateTable('leases')
		.set({ leased_until: '2020-01-01T00:00:00.000Z', holder: 'somebody killed' })
		.where('name', '=', name)
		.execute();

test('a name is had by one; who waits asks for it, and has it when it is given back', async () => {
	let asked = 0;
	const first = await take(one, 'a', () => {
		asked += 1;
	});
	expect(await takeLease(two.deps, 'a', { waitMs: 0 })).toBeNull();
	expect(await findHeldLeases(two.deps, ['a', 'b'])).toEqual(['a']);
	const second = take(one, 'a');
	await expect.poll(() => asked).toBe(1);
	await first.release();
	await (await second).release();
	expect(await findHeldLeases(two.deps, ['a', 'b'])).toEqual([]);
	const other = await takeLease(two.deps, 'a', { waitMs: 0 });
	await other?.release();
	expect(other).not.toBeNull();
});

test('the waiting can be ended', async () => {
	const first = await take(one, 'ended');
	const end = new AbortController();
	const waiting = takeLease(two.deps, 'ended', { waitMs: 60_000, signal: end.signal });
	end.abort();
	expect(await waiting).toBeNull();
	await first.release();
});

test('what has lapsed is taken over, its old holder hears it, and gives back nothing that is not his', async () => {
	let hasHeard = false;
	const first = await take(one, 'lapsed', () => {
		hasHeard = true;
	});
	await lapse('lapsed');
	const second = await take(two, 'lapsed');
	await expect.poll(() => hasHeard).toBe(true);
	await first.release();
	expect(await findHeldLeases(one.deps, ['lapsed'])).toEqual(['lapsed']);
	await second.release();
});

test('held for long, it is renewed', async () => {
	const lease = await take(one, 'long');
	const findEnd = async () =>
		(await one.deps.db.selectFrom('leases').select('leased_until').where('name', '=', 'long').executeTakeFirst())
			?.leased_until ?? '';
	const before = await findEnd();
	await expect.poll(async () => (await findEnd()) > before).toBe(true);
	await lease.release();
});

test('what nobody asked for again is tidied up', async () => {
	await one.deps.db
		.insertInto('leases')
		.values({ name: 'old', holder: 'somebody killed', leased_until: '2020-01-01T00:00:00.000Z' })
		.execute();
	const held = await take(one, 'new');
	await tidyLeases(one.deps);
	expect(await one.deps.db.selectFrom('leases').select('name').execute()).toEqual([{ name: 'new' }]);
	await held.release();
});
