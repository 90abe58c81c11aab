import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KyselyPlugin } from 'kysely';
import { inject } from 'vitest';
import type { Connection } from '#server/db/connect.ts';
import { listCopiedTables } from '#server/db/loading.ts';
import type { Config } from '#server/platform/config.ts';
import type { Deps } from '#server/platform/deps.ts';
import { getInstallationId } from '#server/platform/installation.ts';
import { createLog } from '#server/platform/log.ts';
import type { Storage } from '#server/platform/storage/storage.ts';
import { connectTo } from '#server/start.ts';
import { seedDemo } from '../../src/cli/demo/seed.ts';
import { dumpDatabase } from './database.ts';
import { createPostgresDatabase } from './postgres.ts';
import { createBucket, testStorage } from './s3.ts';

/** Signs that one of two databases, JSON or a reader of lines could take for something else. */
export const oddText = 'क्षत्रिय "quoted" \\u0000 \\ \u2028\u2029\r\n\t😀 \'; -- %_ é e\u0301';

const demoFolder = join(import.meta.dirname, '..', '..', 'demo');

/** The demo's month of an invented shop, and rows of the tables that it leaves empty. */
export async function seedEverything(deps: Deps): Promise<void> {
	await seedDemo(deps, demoFolder);
	await getInstallationId(deps.db, deps.clock);
	const { db } = deps;
	const now = deps.clock.now().toISOString();
	const user = await db.selectFrom('users').select('id').orderBy('id').limit(1).executeTakeFirstOrThrow();
	const node = await db.selectFrom('nodes').select('id').orderBy('id').limit(1).executeTakeFirstOrThrow();
	const blob = await db.selectFrom('blobs').select('id').orderBy('id').limit(1).executeTakeFirstOrThrow();
	const order = await db.selectFrom('orders').select(['id', 'code']).limit(1).executeTakeFirstOrThrow();
	await db
		.insertInto('recovery_codes')
		.values({ id: 'rc', user_id: user.id, code_hash: 'x', used_at: null, created_at: now })
		.execute();
	const upload = await db.selectFrom('uploads').select('id').where('finished_at', 'is', null).executeTakeFirstOrThrow();
	await db
		.insertInto('upload_parts')
		.values({ upload_id: upload.id, number: 10_000, size_bytes: 5 * 2 ** 20, etag: '"x"' })
		.execute();
	await db
		.insertInto('imported_logins')
		.values({ email_key: 'old@example.com', email: 'Old@example.com', verifier: oddText, created_at: now })
		.execute();
	await db
		.insertInto('password_links')
		.values({
			id: 'pl',
			user_id: user.id,
			token_hash: 'pl',
			expires_at: null,
			lifetime_seconds: 2 ** 31 - 1,
			used_at: null,
			created_at: now,
		})
		.execute();
	await db.insertInto('rate_limits').values({ key: 'rl', count: 0, resets_at: now }).execute();
	await db
		.insertInto('jobs')
		.values({
			id: 'job',
			kind: 'nothing',
			payload: JSON.stringify({ text: `a\0b ${oddText}`, n: 0.1 }),
			run_at: '2999-01-01T00:00:00.000Z',
			leased_until: null,
			done_at: null,
			last_error: oddText,
		})
		.execute();
	await db
		.insertInto('lesson_progress')
		.values({
			user_id: user.id,
			node_id: node.id,
			position: 0.1 + 0.2,
			total: 1e-7,
			is_done: 0,
			updated_at: now,
		})
		.onConflict((conflict) => conflict.columns(['user_id', 'node_id']).doNothing())
		.execute();
	await db.insertInto('book_grants').values({ user_id: user.id, granted_by: oddText, created_at: now }).execute();
	await db
		.insertInto('outlines')
		.values({ blob_id: blob.id, entries: oddText, page_count: 50_000, failure: null, read_at: now })
		.onConflict((conflict) => conflict.column('blob_id').doNothing())
		.execute();
	await db
		.insertInto('marked_copies')
		.values({
			user_id: user.id,
			edition: 'part-2-hi',
			state: 'failed',
			wanted_source_id: blob.id,
			wanted_mark: oddText,
			failure: 'locked',
			updated_at: now,
		})
		.execute();
	await db
		.insertInto('reading_places')
		.values({
			user_id: user.id,
			document: 'part-1-en',
			node_id: null,
			page: 50_000,
			page_count: 50_000,
			page_offset: 10_000,
			chapter: oddText,
			read_at: now,
			updated_at: now,
			furthest_page: 50_000,
			furthest_share: 10_000,
		})
		.onConflict((conflict) => conflict.columns(['user_id', 'document']).doNothing())
		.execute();
	await db
		.insertInto('reading_marks')
		.values({
			user_id: user.id,
			id: 'mark',
			document: node.id,
			node_id: node.id,
			kind: 'highlight',
			page: 1,
			boxes: '[[0.1,0.2,0.30000000000000004,1e-7]]',
			quote: oddText,
			note: '',
			color: 'yellow',
			chapter: null,
			size_bytes: 0,
			created_at: now,
			updated_at: now,
		})
		.execute();
	await db
		.insertInto('used_references')
		.values({ utr_key: 'ur', order_id: order.id, order_code: order.code, used_at: now })
		.execute();
	await db
		.insertInto('canned_replies')
		.values({ id: 'cr', name: oddText, message: '', place: -1, version: 1, created_at: now, updated_at: now })
		.execute();
	await db
		.insertInto('canned_reply_files')
		.values({
			id: 'crf',
			reply_id: 'cr',
			blob_id: blob.id,
			name: oddText,
			type: '',
			size_bytes: 2 ** 40,
			created_at: now,
		})
		.execute();
	// A parent whose id comes after its child's.
	const folder = {
		owner_id: user.id,
		kind: 'folder',
		kind_order: 0,
		ending: '',
		size_bytes: 0,
		blob_id: null,
	} as const;
	const common = { ...folder, created_at: now, deleted_at: null };
	await db
		.insertInto('nodes')
		.values({
			...common,
			id: '~parent',
			parent_id: null,
			path: '',
			real_path: 'pp',
			name: 'pp',
			name_key: 'pp',
			sort_key: 'pp',
		})
		.execute();
	await db
		.insertInto('nodes')
		.values({
			...common,
			id: '-child',
			parent_id: '~parent',
			path: 'pp',
			real_path: 'cc',
			name: 'cc',
			name_key: 'cc',
			sort_key: 'cc',
		})
		.execute();
	await db
		.insertInto('folder_totals')
		.values({ owner_id: user.id, path: 'pp', folders: 1, files: 0, size_bytes: 0 })
		.execute();
	await db
		.insertInto('folder_totals')
		.values({ owner_id: user.id, path: '', folders: 1, files: 0, size_bytes: 0 })
		.onConflict((conflict) =>
			conflict.columns(['owner_id', 'path']).doUpdateSet((eb) => ({ folders: eb('folder_totals.folders', '+', 1) })),
		)
		.execute();
	await db
		.insertInto('spaces')
		.values({ owner_id: user.id, file_count: 0, used_bytes: 0, quota_bytes: null })
		.onConflict((conflict) => conflict.column('owner_id').doNothing())
		.execute();
}

/** Every row that a copy must have, and the sums that triggers keep, alike whichever database they are in. */
export async function comparableRows(connection: Connection): Promise<Record<string, string[]>> {
	const names = [...(await listCopiedTables(connection.db)).map(({ name }) => name), 'users_counts', 'orders_totals'];
	const dump = await dumpDatabase(connection);
	return Object.fromEntries(names.map((name) => [name, (dump[name] ?? []).map(withSortedColumns).sort()]));
}

/** The same without uploads under way, which are begun again where the files are in another place. */
export function settled(rows: Record<string, string[]>): Record<string, string[]> {
	const isFinished = (row: string) => !row.includes('["finished_at",null]');
	return { ...rows, uploads: rows.uploads?.filter(isFinished) ?? [], upload_parts: [] };
}

function withSortedColumns(row: string): string {
	return JSON.stringify(Object.entries(JSON.parse(row) as object).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** What stands under the keys of all stored bytes, by hash; null where nothing does. */
export async function storedBytes({ db, storage }: { db: Connection['db']; storage: Storage }) {
	const blobs = await db.selectFrom('blobs').select('storage_key as key').orderBy('storage_key').execute();
	const hashes: Record<string, string | null> = {};
	for (const { key } of blobs) hashes[key] = (await storage.findSize(key)) === null ? null : await hashOf(storage, key);
	return hashes;
}

async function hashOf(storage: Storage, key: string): Promise<string> {
	const hash = createHash('sha256');
	for await (const chunk of await storage.read(key)) hash.update(chunk as Buffer);
	return hash.digest('hex');
}

/** Every key of a storage, whether a row knows it or not. */
export async function listKeys(storage: Storage): Promise<string[]> {
	const keys: string[] = [];
	for await (const { key } of storage.list()) keys.push(key);
	return keys.sort();
}

/** An installation that was never started, its database as it is. */
export interface EmptyPlace {
	config: Config;
	connection: Connection;
	folder: string;
	close(): Promise<void>;
}

/** A new folder and a new database of one kind, with the other settings of `like`; files in a new bucket where they are to. */
export async function openEmptyPlace(
	like: Config,
	kind: 'sqlite' | 'postgres',
	{ storage = testStorage, ...settings }: Partial<Config> & { storage?: 'disk' | 's3' } = {},
): Promise<EmptyPlace> {
	const folder = await mkdtemp(join(tmpdir(), 'folio-place-'));
	const database = kind === 'postgres' ? await createPostgresDatabase('empty') : null;
	const store = storage === 's3' ? inject('s3Store') : null;
	const s3 = store === null ? null : await createBucket(store);
	const config = { ...like, DATA_DIR: folder, DATABASE_URL: database?.url, s3, ...settings };
	const connection = await connectTo(config, createLog('silent'));
	return {
		config,
		connection,
		folder,
		async close() {
			await connection.close();
			await database?.drop();
			await rm(folder, { recursive: true, force: true });
		},
	};
}

/** The same database, whose n-th statement from now on fails as if the process had been killed then. */
export function dyingAfter(connection: Connection, statements: number): Connection & { counted(): number } {
	let counted = 0;
	const plugin: KyselyPlugin = {
		transformQuery({ node }) {
			counted += 1;
			if (counted > statements) throw new Error('killed');
			return node;
		},
		transformResult: async ({ result }) => result,
	};
	return { ...connection, db: connection.db.withPlugin(plugin), counted: () => counted };
}

/** Moments at which something that takes so many statements is killed; fewer on a store, where each try takes long. */
export function momentsOf(statements: number): number[] {
	const parts = testStorage === 's3' ? [0.65, 0.95] : [0.3, 0.55, 0.65, 0.75, 0.85, 0.95];
	return [1, ...parts.map((part) => Math.floor(part * statements)), statements - 1];
}
