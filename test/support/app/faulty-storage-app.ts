import type { LightMyRequestResponse } from 'fastify';
import { afterAll, afterEach, expect } from 'vitest';
import { replyFilesPath } from '#contract/chat/canned-replies.ts';
import { checkIntegrity, collectGarbage } from '#server/features/maintenance/tasks/tasks.service.ts';
import type { Schema } from '#server/platform/database/schema.ts';
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
import { createHttpClient, type HttpClient, postFile } from './http-client.ts';
import { listStoredKeys, makeStoredObjectOld } from './stored-objects.ts';
import { createTestApp, type TestApp } from './test-app.ts';
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
	const countRows = () => countRowsOf(testApp);
	afterEach(() => proxy.setFault({ kind: 'none' }));
	afterAll(async () => {
		await testApp.close();
		await proxy.close();
		await store.release();
	});
	return {
		testApp,
		proxy,
		admin,
		member,
		memberId,
		picture,
		/** Calls that store bytes, by kind. */
		writes: {
			purchase: () => buy(testApp),
			chatFile: () => sendChatFile(member, memberId, { name: 'a.png', bytes: picture }),
			film: () => uploadVideo(admin, film),
			picture: () => uploadPicture(admin, 'icon', picture),
			qr: () => postFile(admin, '/api/settings/qr', 'q.png', picture),
			replyFile: async () => postFile(admin, replyFilesPath(await addCannedReply(admin)), 'q.png', picture),
		},
		countRows,
		/** Ends the fault, and checks that every row has its bytes and that garbage collection deletes orphaned objects. */
		async expectConsistent() {
			proxy.setFault({ kind: 'none' });
			// Uses the timeouts of production, because the timeouts of tests may be too short on a busy machine.
			const direct = createS3Storage({ ...s3, endpoint: store.settings.endpoint }, testApp.deps.log);
			const deps = { ...testApp.deps, storage: { ...testApp.deps.storage, read: direct.read, list: direct.list } };
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

let buyers = 0;
async function buy({ app }: TestApp): Promise<LightMyRequestResponse> {
	buyers += 1;
	return sendCheckoutForm(createHttpClient(app), { email: `buyer-${buyers}@example.com` });
}

async function uploadVideo(admin: HttpClient, film: Buffer): Promise<LightMyRequestResponse> {
	return uploadVideoPart(admin, 'film', film, { name: 'f.webm' });
}

async function addCannedReply(admin: HttpClient): Promise<string> {
	return (await admin.call('POST', '/api/canned-replies', { name: 'Hello', message: 'Hello' })).json().id;
}

async function countRowsOf({ deps: { db } }: TestApp) {
	const count = async (table: keyof Schema) => (await findRows({ db }, table)).length;
	return {
		blobs: await count('blobs'),
		orders: await count('orders'),
		users: await count('users'),
		messages: await count('messages'),
		replyFiles: await count('canned_reply_files'),
		mails: await count('outbox'),
	};
}
