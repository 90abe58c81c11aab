import { sql } from 'kysely';
import { computedGroups } from '#contract/accounts/groups.ts';
import type { ChatSide } from '#contract/chat/chat.ts';
import { reservedOwners } from '#contract/files/files.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { isUnusedBlob } from '../../../platform/storage/blobs.queries.ts';

export interface Problem {
	kind: string;
	what: string;
}

/** Finds blobs to which no row refers, except `keptIds`, to which settings refer. */
export function findUnreferencedBlobs(db: Db, keptIds: string[], olderThan: string) {
	let query = db
		.selectFrom('blobs')
		.select(['id', 'storage_key as storageKey'])
		.where('created_at', '<', olderThan)
		.where(isUnusedBlob);
	if (keptIds.length > 0) query = query.where('id', 'not in', keptIds);
	return query.limit(500).execute();
}

export async function deleteBlobs(db: Db, ids: string[]): Promise<void> {
	await db.deleteFrom('blobs').where('id', 'in', ids).execute();
}

/** Returns those of `keys` that belong to a blob or an unfinished upload. */
export async function findKnownKeys(db: Db, keys: string[]): Promise<Set<string>> {
	// Uploads are read first: in the other order, an upload that finishes between the two queries would be missed.
	const uploads = await db
		.selectFrom('uploads')
		.select(['storage_key', 'tail_key'])
		.where((where) => where.or([where('storage_key', 'in', keys), where('tail_key', 'in', keys)]))
		.where('finished_at', 'is', null)
		.execute();
	const blobs = await db.selectFrom('blobs').select('storage_key as key').where('storage_key', 'in', keys).execute();
	return new Set([...uploads.flatMap((row) => [row.storage_key, row.tail_key ?? '']), ...blobs.map((row) => row.key)]);
}

export async function hasUploadUnder(db: Db, key: string): Promise<boolean> {
	const query = db.selectFrom('uploads').select('id').where('storage_key', '=', key).where('finished_at', 'is', null);
	return (await query.executeTakeFirst()) !== undefined;
}

export async function hasBlob(db: Db, id: string): Promise<boolean> {
	return (await db.selectFrom('blobs').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}

export function listBlobs(db: Db, afterId: string, limit: number) {
	return db.selectFrom('blobs').selectAll().where('id', '>', afterId).orderBy('id').limit(limit).execute();
}

/**
 * Finds inconsistent rows. Nodes of users and messages of conversations that are being deleted are not reported.
 * @returns at most 100 problems per check, in the order of the checks
 */
export async function findInconsistentRows(db: Db, deletedUsers: string[], deletedChats: string[]): Promise<Problem[]> {
	const users = sql`(${sql.join(['', ...deletedUsers])})`;
	const owners = sql`(${sql.join([...reservedOwners, ...deletedUsers])})`;
	const chats = sql`(${sql.join(['', ...deletedChats])})`;
	const hasNoOwner = sql`user_id not in (select id from users) and user_id not in ${chats}`;
	const pathBelow = sql`case when path = '' then real_path else path || '/' || real_path end`;
	const checks = {
		// Nodes, also in the trash, whose parent is not the last folder of their path.
		'node-without-parent': sql`select n.id || ' ' || n.name as what from nodes n
			left join (select id, kind, ${pathBelow} as below from nodes) p on p.id = n.parent_id
			where n.path <> '' and (p.id is null or p.kind <> 'folder' or n.path <> p.below)`,
		'file-without-bytes': sql`select n.id || ' ' || n.name as what from nodes n left join blobs b on b.id = n.blob_id
			where n.kind = 'file' and (b.id is null or b.size_bytes <> n.size_bytes)`,
		'ownerless-node': sql`select id || ' ' || name as what from nodes
			where owner_id not in (select id from users) and owner_id not in ${owners}`,
		// Files of canned replies, which are stored once for all recipients, have other keys and are not reported.
		'ownerless-chat': sql`select user_id as what from conversations where ${hasNoOwner}
			union select user_id from messages where ${hasNoOwner}
			union select storage_key from messages join blobs on blobs.id = blob_id
			where ${hasNoOwner} and storage_key like 'messages/%'`,
		// Except folders that are being purged. '0' is the character after '/', so the range has all paths below a folder.
		'wrong-totals': sql`select coalesce(t.owner_id, n.owner_id) || '/' || coalesce(t.path, n.path) as what
			from folder_totals t full join (
				select owner_id, path, sum(kind_order) as files, count(*) as entries, sum(size_bytes) as size_bytes
				from nodes where deleted_at is null group by owner_id, path
			) n on n.owner_id = t.owner_id and n.path = t.path
			where coalesce(t.owner_id, n.owner_id) not in ${users} and (coalesce(t.files, 0) <> coalesce(n.files, 0)
				or coalesce(t.folders, 0) + coalesce(t.files, 0) <> coalesce(n.entries, 0)
				or coalesce(t.size_bytes, 0) <> coalesce(n.size_bytes, 0)
			) and not exists (
				select 1 from (
					select owner_id, ${pathBelow} as below from nodes
					where state = 'leaving' and kind = 'folder' and deleted_at is not null
				) l where l.owner_id = t.owner_id
					and (t.path = l.below or (t.path >= l.below || '/' and t.path < l.below || '0')))`,
		// The totals of a space include its trash.
		'wrong-space': sql`select coalesce(s.owner_id, n.owner_id) as what from spaces s full join (
				select owner_id, sum(kind_order) as files, sum(size_bytes) as size_bytes from nodes group by owner_id
			) n on n.owner_id = s.owner_id
			where coalesce(s.owner_id, n.owner_id) not in ${users} and (coalesce(s.file_count, 0) <> coalesce(n.files, 0)
				or coalesce(s.used_bytes, 0) <> coalesce(n.size_bytes, 0))`,
		// Shares and exclusions whose copied list columns differ from their node's, and shares of a deleted node.
		'wrong-share': sql`select s.id || ' ' || n.name as what from shares s join nodes n on n.id = s.node_id
			where (n.deleted_at is not null and s.kind = 'share') or n.owner_id <> s.owner_id
				or n.kind_order <> s.kind_order or n.sort_key <> s.sort_key`,
		// A trigger deletes the shares of a deleted user or group.
		'lost-recipient': sql`select s.id || ' ' || s.recipient_id as what from shares s
			where s.recipient_id not in (select id from users) and s.recipient_id not in (select id from groups)
				and s.recipient_id not in (${sql.join(Object.keys(computedGroups))})`,
		'order-without-proof': sql`select code as what from orders where id not in (select order_id from proofs)`,
		// Mails that are to be sent but have no content.
		'empty-mail': sql`select id || ' ' || kind as what from outbox
			where state = 'waiting' and payload_sealed is null`,
		// The counts of days may exceed the stored visits, because old visits are deleted.
		'wrong-visits': sql`select coalesce(a.ip, v.ip) as what
			from visit_addresses a full join (select ip, count(*) as visits from visits group by ip) v on v.ip = a.ip
			where coalesce(a.visits, 0) <> coalesce(v.visits, 0)
			union all select coalesce(d.day, s.day) from visit_days d full join (
				select day, sum(case when kind = 'page' then visits else 0 end) as pages,
					sum(case when kind = 'referrer' then visits else 0 end) as referrers
				from visit_sources group by day
			) s on s.day = d.day
			where coalesce(d.visits, 0) <> coalesce(s.pages, 0) or coalesce(d.visits, 0) <> coalesce(s.referrers, 0)
			union all select 'addresses' where (select count(*) from visit_addresses)
				<> coalesce((select addresses from visit_sums where id = 'visits'), -1)
			union all select 'days' where (select coalesce(sum(visits), 0) from visit_days) < (select count(*) from visits)`,
	};
	const problems: Problem[] = [];
	for (const [kind, check] of Object.entries(checks)) {
		const { rows } = await sql<{ what: string }>`${check} order by 1 limit 100`.execute(db);
		problems.push(...rows.map(({ what }) => ({ kind, what })));
	}
	return problems;
}

export function listUnrecognizedBlobs(db: Db, afterId: string, limit: number) {
	return db
		.selectFrom('blobs')
		.select(['id', 'storage_key as storageKey', 'size_bytes as sizeBytes'])
		.where('content_type', '=', 'application/octet-stream')
		.where('id', '>', afterId)
		.orderBy('id')
		.limit(limit)
		.execute();
}

export async function updateContentType(tx: Db, blobId: string, type: string): Promise<void> {
	await tx.updateTable('blobs').set({ content_type: type }).where('id', '=', blobId).execute();
	await tx.updateTable('messages').set({ file_type: type }).where('blob_id', '=', blobId).execute();
	await tx.updateTable('canned_reply_files').set({ type }).where('blob_id', '=', blobId).execute();
}

/** Deletes the rows of unfinished uploads, whose parts are not in a backup. @returns the number deleted */
export async function deleteUnfinishedUploads(db: Db): Promise<number> {
	const { numDeletedRows } = await db.deleteFrom('uploads').where('finished_at', 'is', null).executeTakeFirst();
	return Number(numDeletedRows);
}

/** Makes jobs due that are due after `latest`. */
export async function correctJobs(db: Db, now: string, latest: string): Promise<void> {
	await db.updateTable('jobs').set({ run_at: now }).where('done_at', 'is', null).where('run_at', '>', latest).execute();
}

/** Makes mails due that were enqueued after `latestCreation`, or whose retry is due after `latestRetry`. */
export async function correctMails(
	db: Db,
	now: string,
	{ latestRetry, latestCreation }: { latestRetry: string; latestCreation: string },
): Promise<void> {
	await db
		.updateTable('outbox')
		.set({ next_attempt_at: now })
		.where('state', '=', 'waiting')
		.where('next_attempt_at', '>', latestCreation)
		.where(({ and, or, eb }) =>
			or([
				eb('created_at', '>', latestCreation),
				// A first attempt may be planned for much later, when many invitations are sent at intervals.
				and([eb('attempts', '>', 0), eb('next_attempt_at', '>', latestRetry)]),
			]),
		)
		.execute();
}

/** Makes mails about unread messages due that are due after `latest`. */
export async function correctChatMails(db: Db, side: ChatSide, now: string, latest: string): Promise<void> {
	const column = `${side}_mail_due_at` as const;
	await db
		.updateTable('conversations')
		.set({ [column]: now })
		.where(column, '>', latest)
		.execute();
}
