import type { KyselyPlugin } from 'kysely';
import { afterAll, expect, test, vi } from 'vitest';
import { deleteExpiredLeases, findLeasedNames } from '#server/platform/locking/leases/leases.queries.ts';
import { acquireLease, startRenewals } from '#server/platform/locking/leases/leases.ts';
import { createLocalBus } from '#server/platform/realtime/bus.ts';
import { findRows, getRow, insertRows } from '../../support/app/database-rows.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { createSecondProcess, type TestApp } from '../../support/app/test-app.ts';

const { testApp: firstApp } = await openTestApp();
const secondApp = await createSecondProcess(firstApp);
afterAll(() => secondApp.close());

async function acquire(app: TestApp, name: string, onWanted = () => {}) {
	const lease = await acquireLease(app.deps, name, { waitMs: 60_000, onRequested: onWanted });
	if (lease === null) throw new Error(`The lease ${name} was not acquired.`);
	return lease;
}

const expired = { expires_at: '2020-01-01T00:00:00.000Z', owner: 'somebody killed' };
/** Expires a lease, as if its process had been killed. */
const expireLease = (name: string) =>
	firstApp.deps.db.updateTable('leases').set(expired).where('name', '=', name).execute();

test('a lease has one owner, and a waiting process gets it after its release', async () => {
	const onRequested = vi.fn();
	const first = await acquire(firstApp, 'a', onRequested);
	expect(await acquireLease(secondApp.deps, 'a', { waitMs: 0 })).toBeNull();
	expect(await findLeasedNames(secondApp.deps.db, ['a', 'b'])).toEqual(['a']);
	const second = acquire(firstApp, 'a');
	await expect.poll(() => onRequested).toHaveBeenCalledOnce();
	await first.release();
	await (await second).release();
	expect(await findLeasedNames(secondApp.deps.db, ['a', 'b'])).toEqual([]);
	const third = await acquireLease(secondApp.deps, 'a', { waitMs: 0 });
	await third?.release();
	expect(third).not.toBeNull();
});

test('a process can stop waiting for a lease', async () => {
	const first = await acquire(firstApp, 'ended');
	const end = new AbortController();
	const waiting = acquireLease(secondApp.deps, 'ended', { waitMs: 60_000, signal: end.signal });
	end.abort();
	expect(await waiting).toBeNull();
	await first.release();
});

test('another process gets an expired lease, and its former owner is notified and cannot release it', async () => {
	const onRequested = vi.fn();
	const first = await acquire(firstApp, 'lapsed', onRequested);
	await expireLease('lapsed');
	const second = await acquire(secondApp, 'lapsed');
	await expect.poll(() => onRequested).toHaveBeenCalled();
	await first.release();
	expect(await findLeasedNames(firstApp.deps.db, ['lapsed'])).toEqual(['lapsed']);
	await second.release();
});

test('a lease is renewed while its owner uses it', async () => {
	const lease = await acquire(firstApp, 'long');
	const findEnd = async () => (await getRow(firstApp.deps, 'leases', { name: 'long' })).expires_at;
	const before = await findEnd();
	await expect.poll(async () => (await findEnd()) > before).toBe(true);
	await lease.release();
});

test('a lease without responses to its renewal is reported as lost once, when it expires', async () => {
	const { log } = firstApp.deps;
	const renewals: Array<PromiseWithResolvers<boolean>> = [];
	function renew() {
		const answer = Promise.withResolvers<boolean>();
		renewals.push(answer);
		return answer.promise;
	}
	const onLost = vi.fn();
	const from = performance.now();
	const { stop, isUninterrupted } = startRenewals({ log, what: {}, seconds: 0.3, everyMs: 50, renew, onLost });
	await expect.poll(() => renewals.length).toBe(1);
	renewals[0]?.resolve(true);
	await expect.poll(() => onLost, { interval: 10 }).toHaveBeenCalledOnce();
	expect(performance.now() - from).toBeGreaterThan(300);
	expect(isUninterrupted()).toBe(false);
	expect(renewals).toHaveLength(2);
	renewals[1]?.resolve(false);
	await stop();
	expect(onLost).toHaveBeenCalledOnce();
});

test('the release of a lease does not wait for a renewal, and notifies a process that waits for the lease', async () => {
	const bus = createLocalBus();
	const received: string[] = [];
	bus.subscribe((message) => {
		if (message.kind === 'lease') received.push(message.is);
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
	const deps = { db: firstApp.deps.db.withPlugin(plugin), bus, log: firstApp.deps.log };
	const onRequested = vi.fn();
	const lease = await acquireLease(deps, 'left', { waitMs: 0, onRequested });
	await renewed.promise;
	await lease?.release();
	expect(received).toEqual(['wanted', 'free']);
	expect(onRequested).not.toHaveBeenCalled();
	expect(await findLeasedNames(firstApp.deps.db, ['left'])).toEqual([]);
	renewal.resolve();
});

test('removes expired leases that no process requests', async () => {
	await insertRows(firstApp.deps, 'leases', [{ name: 'old', ...expired }]);
	const held = await acquire(firstApp, 'new');
	await deleteExpiredLeases(firstApp.deps.db);
	expect(await findRows(firstApp.deps, 'leases')).toMatchObject([{ name: 'new' }]);
	await held.release();
});
