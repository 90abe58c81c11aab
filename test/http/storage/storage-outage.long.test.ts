import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LightMyRequestResponse } from 'fastify';
import { expect, test } from 'vitest';
import { createFaultyStorageApp, isServed } from '../../support/app/faulty-storage-app.ts';
import { makeFile } from '../../support/fixtures/files.ts';
import type { ProxyFault } from '../../support/services/faulty-proxy.ts';

const minuteMs = 60_000;
/** Enough for three attempts of ten seconds and the pauses between them on a busy machine. */
const inTimeMs = 45_000;
/** How many clients send purchases, chat files and reads at the same time. */
const clients = 6;

interface CallCounts {
	served: number;
	refused: number;
	longestMs: number;
}

test('serves or refuses each call while the store fails for a minute and is silent for a minute, and then recovers', async () => {
	const faulty = await createFaultyStorageApp();
	const { testApp, proxy, member, memberId, writes } = faulty;
	try {
		const id = await makeFile(testApp.deps, { ownerId: memberId, name: 'read.bin', bytes: randomBytes(200_000) });
		const calls = [
			writes.purchase,
			writes.chatFile,
			(): Promise<LightMyRequestResponse> => member.call('GET', `/api/files/${id}/content`),
		];
		const before = await faulty.countRows();
		const served = [0, 0, 0];

		/** Sends requests of all clients for a minute while the store has this fault. @returns the counts of the responses */
		async function sendRequestsDuring(fault: ProxyFault): Promise<CallCounts> {
			proxy.setFault(fault);
			const counts: CallCounts = { served: 0, refused: 0, longestMs: 0 };
			const endsAt = performance.now() + minuteMs;
			const sendRequests = async (firstCall: number) => {
				for (let call = firstCall; performance.now() < endsAt; call += 1) {
					const startedAt = performance.now();
					const answer = await calls[call % calls.length]?.();
					counts.longestMs = Math.max(counts.longestMs, Math.round(performance.now() - startedAt));
					const isGood = answer !== undefined && isServed(answer);
					if (isGood) served[call % calls.length] = (served[call % calls.length] ?? 0) + 1;
					counts[isGood ? 'served' : 'refused'] += 1;
					await sleep(20);
				}
			};
			await Promise.all(Array.from({ length: clients }, (_, index) => sendRequests(index)));
			expect(counts.longestMs).toBeLessThan(inTimeMs);
			return counts;
		}

		const half = await sendRequestsDuring({ kind: 'status', status: 503, every: 2 });
		const silence = await sendRequestsDuring({ kind: 'silence' });
		proxy.setFault({ kind: 'none' });
		const startedAt = performance.now();
		for (const call of calls) expect(isServed(await call())).toBe(true);
		const recoveryMs = Math.round(performance.now() - startedAt);
		expect((await member.call('GET', '/readyz')).statusCode).toBe(200);
		console.log(
			`store: half faults ${half.served} served, ${half.refused} refused, longest ${half.longestMs} ms; silence ${silence.served} served, ${silence.refused} refused, longest ${silence.longestMs} ms; all three kinds served again ${recoveryMs} ms after it`,
		);
		expect(half.served).toBeGreaterThan(half.refused);
		expect([silence.served, silence.refused > 0]).toEqual([0, true]);
		const after = await faulty.countRows();
		const [purchases = 0, messages = 0] = served;
		expect([after.orders - before.orders, after.messages - before.messages]).toEqual([purchases + 1, messages + 1]);
		await testApp.runDueWork();
		await faulty.expectConsistent();
	} finally {
		await faulty.close();
	}
}, 600_000);
