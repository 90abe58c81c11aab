import type { KyselyPlugin } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { deleteExpiredLeases, findLeasedNames } from '#server/platform/locking/leases/leases.queries.ts';
import { acquireLease, startRenewals } from '#server/platform/locking/leases/leases.ts';
import { createLocalBus } from '#server/platform/realtime/bus.ts';
import { findRows, getRow, insertRows } from '../../support/app/database-rows.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { createSecondProcess, type TestApp } from '../../support/app/test-app.ts';

const { world: one } = await openTestApp();
const two = await createSecondProcess(one);
afterAll(() => two.close());

async function acquire(app: TestApp, name: string, onWanted = () => {}) {
	const lease = await acquireLease(app.deps, name, { waitMs: 60_000, onRequested: onWanted });
	if (lease === null) throw new Error(`${name} could not be had.`);
	return lease;
}

const expired = { expires_at: '2020-01-01T00:00:00.000Z', owner: 'somebody killed' };
/** Makes a lease expire, as if its process had been killed long ago. */
const lapse = (name: string) => one.deps.db.updateTable('leases').set(expired).where('name', '=', name).execute();

test('a lease has one owner, and a waiting process gets it after its release', async () => {
	let asked = 0;
	const first = await acquire(one, 'a', () => {
		asked += 1;
	});
	expect(await acquireLease(two.deps, 'a', { waitMs: 0 })).toBeNull();
	expect(await findLeasedNames(two.deps.db, ['a', 'b'])).toEqual(['a']);
	const second = acquire(one, 'a');
	await expect.poll(() => asked).toBe(1);
	await first.release();
	await (await second).release();
	expect(await findLeasedNames(two.deps.db, ['a', 'b'])).toEqual([]);
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
	expect(await findLeasedNames(one.deps.db, ['lapsed'])).toEqual(['lapsed']);
	await second.release();
});

test('a lease that is held for long is renewed', async () => {
	const lease = await acquire(one, 'long');
	const findEnd = async () => (await getRow(one.deps, 'leases', { name: 'long' })).expires_at;
	const before = await findEnd();
	await expect.poll(async () => (await findEnd()) > before).toBe(true);
	await lease.release();
});

test('a lease whose renewal is not answered is reported as lost once, when it expires', async () => {
	const { log } = one.deps;
	const asked: Array<PromiseWithResolvers<boolean>> = [];
	function renew() {
		const answer = Promise.withResolvers<boolean>();
		asked.push(answer);
		return answer.promise;
	}
	let losses = 0;
	const onLost = () => {
		losses += 1;
	};
	const from = performance.now();
	const { stop, isUninterrupted } = startRenewals({ log, what: {}, seconds: 0.3, everyMs: 50, renew, onLost });
	await expect.poll(() => asked.length).toBe(1);
	asked[0]?.resolve(true);
	await expect.poll(() => losses, { interval: 10 }).toBe(1);
	expect(performance.now() - from).toBeGreaterThan(300);
	expect(isUninterrupted()).toBe(false);
	expect(asked).toHaveLength(2);
	asked[1]?.resolve(false);
	await stop();
	expect(losses).toBe(1);
});

test('a release does not wait for a renewal, and is reported to a process that asks during it', async () => {
	const bus = createLocalBus();
	const heard: string[] = [];
	bus.subscribe((message) => {
		if (message.kind === 'lease') heard.push(message.is);
	});
	const renewal = Promise.withResolvers<void>();
	const renewed = Promise.withResolvers<void>();
	let renewalId: unknown;
	const plugin: KyselyPlugin = {
		transformQuery({ node, queryId }) {
			if (node.kind === 'DeleteQueryNode') bus.publish({ kind: 'lease', name: 'left', is: 'wanted' });
			if (node.kind === 'UpdateQueryNode') renewalId = queryId;
			return node;
		},
		async transformResult({ result, queryId }) {
			if (queryId === renewalId) {
				renewed.resolve();
				await renewal.promise;
			}
			return result;
		},
	};
	const deps = { db: one.deps.db.withPlugin(plugin), bus, log: one.deps.log };
	let requests = 0;
	const onRequested = () => {
		requests += 1;
	};
	const lease = await acquireLease(deps, 'left', { waitMs: 0, onRequested });
	await renewed.promise;
	await lease?.release();
	expect(heard).toEqual(['wanted', 'free']);
	expect(requests).toBe(0);
	expect(await findLeasedNames(one.deps.db, ['left'])).toEqual([]);
	renewal.resolve();
});

test('removes expired leases that were not requested again', async () => {
	await insertRows(one.deps, 'leases', [{ name: 'old', ...expired }]);
	const held = await acquire(one, 'new');
	await deleteExpiredLeases(one.deps.db);
	expect(await findRows(one.deps, 'leases')).toMatchObject([{ name: 'new' }]);
	await held.release();
});
