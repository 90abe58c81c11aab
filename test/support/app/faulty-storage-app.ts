import type { LightMyRequestResponse } from 'fastify';
import { afterAll, afterEach, expect } from 'vitest';
import { replyFilesPath } from '#contract/chat/canned-replies.ts';
import { checkIntegrity, collectGarbage } from '#server/features/maintenance/tasks/tasks.service.ts';
import type { RetryPolicy } from '#server/platform/storage/s3/s3-client.ts';
import { createS3Storage } from '#server/platform/storage/s3/s3-storage.ts';
import { bucketEnvironment, createBucket } from '../../../scripts/services/swift.mjs';
import { paintPicture } from '../documents/sample-files.ts';
import { writeWebm } from '../documents/videos.ts';
import { sendChatFile } from '../fixtures/chat.ts';
import { sendCheckoutForm } from '../fixtures/checkout.ts';
import { startFaultyProxy } from '../services/faulty-proxy.ts';
import { openStore } from '../services/test-storage.ts';
import { uploadPicture, uploadVideoPart } from '../storefront/storefront.ts';
import { findRows } from './database-rows.ts';
import { createHttpClient, postFile } from './http-client.ts';
import { listStoredKeys, makeStoredObjectOld } from './stored-objects.ts';
import { createTestApp } from './test-app.ts';
import { makeSignedInUser } from './users.ts';

/** Shorter timeouts than in production. A working store responds sooner, even on a busy machine. */
export const shortRetryPolicy: RetryPolicy = {
	connectTimeoutMs: 1000,
	idleTimeoutMs: 1500,
	slowTimeoutMs: 3000,
	healthCheckTimeoutMs: 1500,
	maxAttempts: 3,
	initialBackoffMs: 20,
};

/** Creates an app for all tests of a file. A proxy between the app and its S3 store fails on command. */
export async function openFaultyStorageApp() {
	const store = await openStore();
	const proxy = await startFaultyProxy(store.settings.endpoint);
	const s3 = { ...(await createBucket(store.settings)), endpoint: proxy.endpoint };
	const testApp = await createTestApp({ ...bucketEnvironment(s3), RATE_LIMIT_FACTOR: '10000' }, shortRetryPolicy);
	const { client: admin } = await makeSignedInUser(testApp, 'admin@example.com', 'admin');
	const { client: member, id: memberId } = await makeSignedInUser(testApp, 'member@example.com');
	const [picture, film] = [await paintPicture(), await writeWebm()];
	const tables = ['blobs', 'orders', 'users', 'messages', 'canned_reply_files', 'outbox'] as const;
	const countRows = async () => {
		const counts = tables.map(async (table) => [table, (await findRows(testApp.deps, table)).length] as const);
		return Object.fromEntries(await Promise.all(counts)) as Record<(typeof tables)[number], number>;
	};
	let buyers = 0;
	/** Ends the fault, and waits until the app sends requests to the store again. */
	async function recover(): Promise<void> {
		proxy.setFault({ kind: 'none' });
		// Only an answer ends the probes. A probe that began before the recovery may still fail, and be the last one allowed.
		await expect.poll(async () => (await testApp.app.inject('/readyz')).statusCode).toBe(200);
		await expect.poll(() => testApp.deps.storage.isAnswering()).toBe(true);
	}
	afterEach(recover);
	afterAll(async () => {
		await testApp.close();
		await proxy.close();
		await store.release();
	});
	return {
		testApp,
		proxy,
		recover,
		admin,
		member,
		memberId,
		picture,
		writes: {
			purchase: () => {
				buyers += 1;
				return sendCheckoutForm(createHttpClient(testApp.app), { email: `buyer-${buyers}@example.com` });
			},
			chatFile: () => sendChatFile(member, memberId, { name: 'a.png', bytes: picture }),
			film: () => uploadVideoPart(admin, 'film', film, { name: 'f.webm' }),
			picture: () => uploadPicture(admin, 'icon', picture),
			qr: () => postFile(admin, '/api/settings/qr', 'q.png', picture),
			replyFile: async () => {
				const reply = (await admin.call('POST', '/api/canned-replies', { name: 'Hello', message: 'Hello' })).json();
				return postFile(admin, replyFilesPath(reply.id), 'q.png', picture);
			},
		},
		countRows,
		/** Ends the fault, and checks that every row has its bytes and that garbage collection deletes orphaned objects. */
		async expectConsistent() {
			await recover();
			// Uses the timeouts of production, because the timeouts of tests may be too short on a busy machine.
			const direct = createS3Storage({ ...s3, endpoint: store.settings.endpoint }, testApp.deps.log);
			const deps = {
				...testApp.deps,
				storage: { ...testApp.deps.storage, read: direct.read, hash: direct.hash, list: direct.list },
			};
			expect((await checkIntegrity(deps)).problems).toEqual([]);
			for (const key of await listStoredKeys(deps)) makeStoredObjectOld(deps, key);
			await collectGarbage(deps);
			expect((await checkIntegrity(deps)).problems).toEqual([]);
			expect(await listStoredKeys(deps)).toHaveLength((await countRows()).blobs);
			await direct.close();
		},
	};
}

/** Returns whether a call succeeded. Asserts that a failed call has the error STORAGE_UNAVAILABLE. */
export function isServed(answer: LightMyRequestResponse): boolean {
	if (answer.statusCode < 300) return true;
	expect(answer.json()).toMatchObject({
		code: 'STORAGE_UNAVAILABLE',
		message: 'The store of the files does not answer at the moment. Please try again in a minute.',
	});
	expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5']);
	return false;
}
