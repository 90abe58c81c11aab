import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import { replyFilesPath } from '#contract/chat/canned-replies.ts';
import { checkEverything, collectGarbage } from '#server/features/upkeep/upkeep.service.ts';
import type { Patience } from '#server/platform/storage/s3-client.ts';
import { createTestApp, type TestApp } from './app.ts';
import { sendChatFile } from './chats.ts';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts';
import { writeWebm } from './films.ts';
import { createHttpClient, type HttpClient, multipart } from './http.ts';
import { joinWorld } from './people.ts';
import { makePicture } from './pictures.ts';
import { bucketEnvironment, createBucket, openStore } from './s3.ts';
import { paintPicture } from './samples.ts';
import { ageStored, listStored } from './stored.ts';

/** An app whose files are behind a proxy that fails on command. */
export interface FaultyWorld {
	world: TestApp;
	proxy: FaultyProxy;
	admin: HttpClient;
	member: HttpClient;
	memberId: string;
	picture: Buffer;
	/** Everything that puts bytes away while somebody waits. */
	writes: Record<'purchase' | 'chatFile' | 'film' | 'qr' | 'replyFile', () => Promise<LightMyRequestResponse>>;
	countRows(): Promise<Record<'blobs' | 'orders' | 'users' | 'messages' | 'replyFiles' | 'mails', number>>;
	/** Rows and bytes fit, and after the upkeep nothing is stored that has no row; ends the fault. */
	expectSound(): Promise<void>;
	close(): Promise<void>;
}

/** `patience`: the usual one unless said. */
export async function openFaultyWorld(patience?: Patience): Promise<FaultyWorld> {
	const store = await openStore();
	const proxy = await startFaultyProxy(store.settings.endpoint);
	const s3 = { ...(await createBucket(store.settings)), endpoint: proxy.endpoint };
	const world = await createTestApp({ ...bucketEnvironment(s3), RATE_LIMIT_FACTOR: '10000' }, patience);
	const { client: admin } = await joinWorld(world, 'admin@example.com', 'admin');
	const { client: member, id: memberId } = await joinWorld(world, 'member@example.com');
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
			film: () => giveFilm(admin, film),
			qr: () => giveFile(admin, '/api/settings/qr', picture),
			replyFile: async () => giveFile(admin, replyFilesPath(await addReply(admin)), picture),
		},
		countRows,
		async expectSound() {
			proxy.have({ kind: 'none' });
			const { deps } = world;
			expect((await checkEverything(deps)).problems).toEqual([]);
			for (const key of await listStored(deps)) ageStored(deps, key);
			await collectGarbage(deps);
			expect((await checkEverything(deps)).problems).toEqual([]);
			expect(await listStored(deps)).toHaveLength((await countRows()).blobs);
		},
		async close() {
			await world.close();
			await proxy.close();
			await store.release();
		},
	};
}

/** Served, or refused in words. @returns whether it was served */
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
	const form = multipart(
		{ name: 'A Buyer', phone: '1', email: `buyer-${buyers}@example.com`, upiId: 'x' },
		{ field: 'screenshot', name: 'a.png', type: 'image/png', bytes: await makePicture() },
	);
	return createHttpClient(app).call('POST', '/purchase', form.body, { ...form.headers, accept: 'application/json' });
}

async function giveFilm(admin: HttpClient, film: Buffer): Promise<LightMyRequestResponse> {
	const { version } = (await admin.call('GET', '/api/settings/films')).json();
	const form = multipart({}, { field: 'file', name: 'f.webm', type: 'video/webm', bytes: film });
	return admin.call('POST', `/api/settings/films/benefits/film?version=${version}`, form.body, form.headers);
}

function giveFile(admin: HttpClient, url: string, bytes: Buffer): Promise<LightMyRequestResponse> {
	const form = multipart({}, { field: 'file', name: 'q.png', type: 'image/png', bytes });
	return admin.call('POST', url, form.body, form.headers);
}

async function addReply(admin: HttpClient): Promise<string> {
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
