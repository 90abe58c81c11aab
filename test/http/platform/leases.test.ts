import { afterAll, beforeAll, expect, test } from 'vitest';
import { acquireLease, findActiveLeases, removeExpiredLeases } from '#server/platform/locking/leases/leases.ts';
import { createSecondProcess, createTestApp, type TestApp } from '../../support/app/test-app.ts';

let one: TestApp;
let two: TestApp;
beforeAll(async () => {
	one = await createTestApp();
	two = await createSecondProcess(one);
});
afterAll(async () => {
	await two.close();
	await one.close();
});

async function acquire(app: TestApp, name: string, onWanted = () => {}) {
	const lease = await acquireLease(app.deps, name, { waitMs: 60_000, onRequested: onWanted });
	if (lease === null) throw new Error(`${name} could not be had.`);
	return lease;
}

/** Makes a lease expire, as if its process had been killed long ago. */
const lapse = (name: string) =>
	one.deps.db
		.updateTable('leases')
		.set({ expires_at: '2020-01-01T00:00:00.000Z', owner: 'somebody killed' })
		.where('name', '=', name)
		.execute();

test('a lease has one owner, and a waiting process gets it after its release', async () => {
	let asked = 0;
	const first = await acquire(one, 'a', () => {
		asked += 1;
	});
	expect(await acquireLease(two.deps, 'a', { waitMs: 0 })).toBeNull();
	expect(await findActiveLeases(two.deps, ['a', 'b'])).toEqual(['a']);
	const second = acquire(one, 'a');
	await expect.poll(() => asked).toBe(1);
	await first.release();
	await (await second).release();
	expect(await findActiveLeases(two.deps, ['a', 'b'])).toEqual([]);
	const other = await acquireLease(two.deps, 'a', { waitMs: 0 });
	await other?.release();
	expect(other).not.toBeNull();
});

test('waiting for a lease can be aborted', async () => {
	const first = await acquire(one, 'ended');
	const end = new AbortController();
	const waiting = acquireLease(two.deps, 'ended', { waitMs: 60_000, signal: end.signal });
	end.abort();
	expect(await waiting).toBeNull();
	await first.release();
});

test('another process can acquire an expired lease, whose former owner is notified and cannot release it', async () => {
	let hasHeard = false;
	const first = await acquire(one, 'lapsed', () => {
		hasHeard = true;
	});
	await lapse('lapsed');
	const second = await acquire(two, 'lapsed');
	await expect.poll(() => hasHeard).toBe(true);
	await first.release();
	expect(await findActiveLeases(one.deps, ['lapsed'])).toEqual(['lapsed']);
	await second.release();
});

test('a lease that is held for long is renewed', async () => {
	const lease = await acquire(one, 'long');
	const findEnd = async () =>
		(await one.deps.db.selectFrom('leases').select('expires_at').where('name', '=', 'long').executeTakeFirst())
			?.expires_at ?? '';
	const before = await findEnd();
	await expect.poll(async () => (await findEnd()) > before).toBe(true);
	await lease.release();
});

test('removes expired leases that were not requested again', async () => {
	await one.deps.db
		.insertInto('leases')
		.values({ name: 'old', owner: 'somebody killed', expires_at: '2020-01-01T00:00:00.000Z' })
		.execute();
	const held = await acquire(one, 'new');
	await removeExpiredLeases(one.deps);
	expect(await one.deps.db.selectFrom('leases').select('name').execute()).toEqual([{ name: 'new' }]);
	await held.release();
});
