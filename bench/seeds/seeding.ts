import { type Insertable, sql } from 'kysely';
import { createUser } from '#server/features/accounts/users/users.service.ts';
import { systemCaller } from '#server/features/audit/audit.service.ts';
import { insertFile } from '#server/features/files/tree/tree.service.ts';
import { hashPassword } from '#server/platform/auth/passwords/passwords.ts';
import { createSession } from '#server/platform/auth/sessions/sessions.ts';
import { parseConfig } from '#server/platform/config.ts';
import { isPostgres } from '#server/platform/database/connection.ts';
import type { Db, Schema } from '#server/platform/database/schema.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import { closeDeps, createDeps } from '#server/start.ts';

/** The number of rows that the comparison needs. */
export const count = Number(process.argv.at(-1));
/** The empty installation that the environment variables select. Each script fills it and prints tokens and IDs. */
export const deps = await createDeps({ ...parseConfig(process.env), LOG_LEVEL: 'warn' });
export const password = 'a password of the bench';
export const passwordHash = await hashPassword(password);
export const seededAt = '2026-01-01T00:00:00.000Z';
const rowsAtOnce = 500;

export async function addUser(
	name: string,
	role: 'user' | 'admin',
	{ tx = deps.db, fullName = null }: { tx?: Db; fullName?: string | null } = {},
) {
	const email = `${name}@bench.example`;
	const id = await createUser(deps, tx, { email, name: fullName, role, passwordHash, isInitialPassword: false });
	if (id === null) throw new Error('The installation is not empty.');
	return { id, email };
}

export async function signIn({ id }: { id: string }, tx: Db = deps.db): Promise<string> {
	return (await createSession(deps, tx, id, systemCaller)).token;
}

/** Adds a file at the root of a space, owned by a user, `guest` or `book`. @returns its ID, blob, size and storage key */
export async function addFile(ownerId: string, name: string, bytes: Buffer, contentType = 'application/octet-stream') {
	const storageKey = `files/bench/${newId()}`;
	const stored = await deps.storage.put(storageKey, bytes);
	const file = {
		ownerId,
		parent: { id: null, path: '' },
		name,
		blob: { id: newId(), storageKey, ...stored, contentType },
	};
	const fileId = await inTransaction(deps.db, (tx) => insertFile(deps, tx, file));
	return { fileId, blobId: file.blob.id, sizeBytes: stored.sizeBytes, storageKey };
}

/** Inserts the rows that `rowOf` returns for the numbers from 0 to `total` - 1, many in one statement. */
export async function insertRows<T extends keyof Schema>(
	tx: Db,
	table: T,
	total: number,
	rowOf: (index: number) => Insertable<Schema[T]>,
): Promise<void> {
	for (let start = 0; start < total; start += rowsAtOnce) {
		const rows = Array.from({ length: Math.min(rowsAtOnce, total - start) }, (_, index) => rowOf(start + index));
		await tx.insertInto(table).values(rows).execute();
	}
}

type UserRow = Insertable<Schema['users']>;

/** The row of an active user, for many users in one statement. `own` overrides and completes the defaults. */
export function userRow(own: Pick<UserRow, 'id' | 'email'> & Partial<UserRow>): UserRow {
	return {
		email_key: own.email,
		search_key: `${own.email}\n${own.name?.toLowerCase() ?? ''}`,
		name: null,
		role: 'user',
		active: 1,
		login_count: 0,
		password_hash: passwordHash,
		has_initial_password: 0,
		created_at: seededAt,
		...own,
	};
}

export function shareRow(
	{ id, owner_id, kind_order, sort_key }: NodeRow,
	recipient_id: string,
	recipient_kind: 'user' | 'group' = 'user',
): Insertable<Schema['shares']> {
	const recipient = { recipient_id, recipient_kind, kind: 'share' as const };
	const node = { node_id: id, owner_id, kind_order, sort_key };
	return { ...node, ...recipient, id: `share-of-${id}`, shared_by: 'owner@bench.example', created_at: seededAt };
}

type NodeRow = Insertable<Schema['nodes']>;

/** The row of a PDF of one byte, or of a folder, at the root of a space. `own` overrides and completes the defaults. */
export function nodeRow(own: Pick<NodeRow, 'id' | 'owner_id' | 'name'> & Partial<NodeRow>): NodeRow {
	const isFolder = own.kind === 'folder';
	return {
		path: '',
		real_path: isFolder ? own.id : null,
		kind: 'file',
		kind_order: isFolder ? 0 : 1,
		name_key: own.name,
		sort_key: `1${own.name}`,
		ending: isFolder ? '' : 'pdf',
		filter_group: isFolder ? '' : 'pdf',
		size_bytes: isFolder ? 0 : 1,
		created_at: seededAt,
		...own,
	};
}

/** The row of a blob without stored bytes. */
export function blobRow(id: string, { sizeBytes, contentType }: { sizeBytes: number; contentType: string }) {
	const stored = { storage_key: `files/bench/${id}`, size_bytes: sizeBytes, sha256: '' };
	return { id, ...stored, content_type: contentType, created_at: seededAt };
}

type OrderRow = Insertable<Schema['orders']>;

/** The row of a completed order of a visitor. `own` overrides and completes the defaults. */
export function orderRow(own: Pick<OrderRow, 'id' | 'name' | 'email'> & Partial<OrderRow>): OrderRow {
	const at = own.created_at ?? seededAt;
	return {
		code: own.id.replace('order', 'BYE'),
		phone: '98230 55512',
		upi_id_sealed: '',
		search_key: `${own.name.toLowerCase()}\n${own.email}`,
		price_paise: 49_900,
		status: 'Complete',
		created_at: at,
		updated_at: at,
		...own,
	};
}

/** Stores one screenshot, which all proofs share. @returns the ID of its blob */
export async function addScreenshot(): Promise<string> {
	const storageKey = 'screenshots/bench';
	const { sizeBytes, sha256 } = await deps.storage.put(storageKey, Buffer.from('the same picture for all'));
	const row = {
		storage_key: storageKey,
		size_bytes: sizeBytes,
		sha256,
		content_type: 'image/webp',
		created_at: seededAt,
	};
	await deps.db
		.insertInto('blobs')
		.values({ id: 'screenshot', ...row })
		.execute();
	return 'screenshot';
}

/** Reads the durability of the product's connection to its database, which a baseline must match. */
export async function readDurability() {
	if (isPostgres(deps.db)) {
		const settings = sql<{ fsync: string; synchronousCommit: string }>`
			select current_setting('fsync') as fsync, current_setting('synchronous_commit') as "synchronousCommit"`;
		return (await settings.execute(deps.db)).rows[0];
	}
	const journal = await sql<{ journal_mode: string }>`pragma journal_mode`.execute(deps.db);
	const synchronous = await sql<{ synchronous: number }>`pragma synchronous`.execute(deps.db);
	return { journal: journal.rows[0]?.journal_mode, synchronous: synchronous.rows[0]?.synchronous };
}

/** Inserts rows in one transaction, and then prints what `work` returns: tokens and IDs for the comparison. */
export async function seed(work: (tx: Db) => Promise<object>): Promise<void> {
	await finishSeeding(await inTransaction(deps.db, work));
}

/** Closes the installation and prints tokens and IDs for the comparison. */
export async function finishSeeding(printed: object): Promise<void> {
	await closeDeps(deps);
	console.log(JSON.stringify(printed));
}
