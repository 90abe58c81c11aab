import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import { replyFilesPath } from '#contract/chat/canned-replies.ts';
import { checkIntegrity, collectGarbage } from '#server/features/maintenance/tasks/tasks.service.ts';
import type { RetryPolicy } from '#server/platform/storage/s3/s3-client.ts';
import { createS3Storage } from '#server/platform/storage/s3/s3-storage.ts';
import { makePicture } from '../documents/images.ts';
import { paintPicture } from '../documents/sample-files.ts';
import { writeWebm } from '../documents/videos.ts';
import { sendChatFile } from '../fixtures/chat.ts';
import { type FaultyProxy, startFaultyProxy } from '../services/faulty-proxy.ts';
import { bucketEnvironment, createBucket, openStore } from '../services/test-storage.ts';
import { checkoutForm, createHttpClient, type HttpClient, multipart } from './http-client.ts';
import { listStoredKeys, makeStoredObjectOld } from './stored-objects.ts';
import { createTestApp, type TestApp } from './test-app.ts';
import { makeSignedInUser } from './users.ts';

/** An app whose files are behind a proxy that fails on command. */
export interface FaultyStorageApp {
	world: TestApp;
	proxy: FaultyProxy;
	admin: HttpClient;
	member: HttpClient;
	memberId: string;
	picture: Buffer;
	/** Every call that stores bytes during the request. */
	writes: Record<'purchase' | 'chatFile' | 'film' | 'qr' | 'replyFile', () => Promise<LightMyRequestResponse>>;
	countRows(): Promise<Record<'blobs' | 'orders' | 'users' | 'messages' | 'replyFiles' | 'mails', number>>;
	/** Ends the fault, and checks that every row has its bytes and that maintenance leaves no orphaned objects. */
	expectConsistent(): Promise<void>;
	close(): Promise<void>;
}

/** Creates the app; `retryPolicy` is the product's own by default. */
export async function createFaultyStorageApp(retryPolicy?: RetryPolicy): Promise<FaultyStorageApp> {
	const store = await openStore();
	const proxy = await startFaultyProxy(store.settings.endpoint);
	const s3 = { ...(await createBucket(store.settings)), endpoint: proxy.endpoint };
	const world = await createTestApp({ ...bucketEnvironment(s3), RATE_LIMIT_FACTOR: '10000' }, retryPolicy);
	const { client: admin } = await makeSignedInUser(world, 'admin@example.com', 'admin');
	const { client: member, id: memberId } = await makeSignedInUser(world, 'member@example.com');
	const [picture, film] = [await paintPicture(), await writeWebm()];
	const countRows = () => countRowsOf(world);
	return {
		world,
		proxy,
		admin,
		member,
		memberId,
		picture,
		writes: {
			purchase: () => buy(world),
			chatFile: () => sendChatFile(member, memberId, { name: 'a.png', bytes: picture }),
			film: () => uploadVideo(admin, film),
			qr: () => postFile(admin, '/api/settings/qr', picture),
			replyFile: async () => postFile(admin, replyFilesPath(await addCannedReply(admin)), picture),
		},
		countRows,
		async expectConsistent() {
			proxy.setFault({ kind: 'none' });
			// With the product's own timeouts: those of a test may be too short for a busy machine.
			const direct = createS3Storage({ ...s3, endpoint: store.settings.endpoint }, world.deps.log);
			const deps = { ...world.deps, storage: { ...world.deps.storage, read: direct.read, list: direct.list } };
			expect((await checkIntegrity(deps)).problems).toEqual([]);
			for (const key of await listStoredKeys(deps)) makeStoredObjectOld(deps, key);
			await collectGarbage(deps);
			expect((await checkIntegrity(deps)).problems).toEqual([]);
			expect(await listStoredKeys(deps)).toHaveLength((await countRows()).blobs);
			await direct.close();
		},
		async close() {
			await world.close();
			await proxy.close();
			await store.release();
		},
	};
}

/** Checks that a call was served or refused with an error message. @returns whether it was served */
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
	const { body, headers } = checkoutForm(`buyer-${buyers}@example.com`, 'A Buyer', await makePicture());
	return createHttpClient(app).call('POST', '/purchase', body, headers);
}

async function uploadVideo(admin: HttpClient, film: Buffer): Promise<LightMyRequestResponse> {
	const { version } = (await admin.call('GET', '/api/settings/films')).json();
	const form = multipart({}, { field: 'file', name: 'f.webm', type: 'video/webm', bytes: film });
	return admin.call('POST', `/api/settings/films/benefits/film?version=${version}`, form.body, form.headers);
}

function postFile(admin: HttpClient, url: string, bytes: Buffer): Promise<LightMyRequestResponse> {
	const form = multipart({}, { field: 'file', name: 'q.png', type: 'image/png', bytes });
	return admin.call('POST', url, form.body, form.headers);
}

async function addCannedReply(admin: HttpClient): Promise<string> {
	return (await admin.call('POST', '/api/canned-replies', { name: 'Hello', message: 'Hello' })).json().id;
}

async function countRowsOf({ deps: { db } }: TestApp) {
	const count = async (table: 'blobs' | 'orders' | 'users' | 'messages' | 'canned_reply_files' | 'outbox') => {
		const query = db.selectFrom(table).select((of) => of.fn.countAll().as('count'));
		return Number((await query.executeTakeFirstOrThrow()).count);
	};
	return {
		blobs: await count('blobs'),
		orders: await count('orders'),
		users: await count('users'),
		messages: await count('messages'),
		replyFiles: await count('canned_reply_files'),
		mails: await count('outbox'),
	};
}
