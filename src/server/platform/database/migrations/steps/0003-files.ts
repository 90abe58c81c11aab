import { type Kysely, sql } from 'kysely';
import { byteOrderedText, createTrigramSearch } from '../trigram-search.ts';

/** File name extensions of each type filter. Source: the specification's section 9, as of this migration. */
const groups = {
	pdf: ['pdf'],
	images: ['jpg', 'jpeg', 'png', 'gif', 'webp'],
	videos: ['mp4', 'mkv', 'webm', 'mov'],
	audio: ['mp3', 'wav', 'aac', 'ogg'],
	documents: ['doc', 'docx', 'txt'],
	compressed: ['zip', 'rar', '7z'],
} as const;

/** Prepares for folders of 100,000 items: totals, indexes, search by name, quotas, trash, thumbnails. */
export async function up(db: Kysely<unknown>): Promise<void> {
	const key = byteOrderedText(db);

	await sql`alter table nodes add column filter_group ${key} default '' not null`.execute(db);
	await db.schema.alterTable('nodes').addColumn('state', 'text').execute();
	for (const [group, endings] of Object.entries(groups)) {
		await sql`update nodes set filter_group = ${group} where kind = 'file' and ending in (${sql.join([...endings])})`.execute(
			db,
		);
	}
	const live = sql`deleted_at is null`;
	await sql`create index nodes_group on nodes (owner_id, path, filter_group, sort_key, id) where ${live}`.execute(db);
	await sql`create index nodes_size on nodes (owner_id, path, kind_order, size_bytes, id) where ${live}`.execute(db);
	await sql`create index nodes_date on nodes (owner_id, path, kind_order, created_at, id) where ${live}`.execute(db);
	await sql`create index nodes_of_space on nodes (owner_id, kind_order, sort_key, id) where ${live}`.execute(db);
	await sql`create index nodes_trash on nodes (owner_id, deleted_at, id) where deleted_at is not null`.execute(db);

	await db.schema
		.createTable('folder_totals')
		.addColumn('owner_id', key, (c) => c.notNull())
		.addColumn('path', key, (c) => c.notNull())
		.addColumn('folders', 'integer', (c) => c.notNull())
		.addColumn('files', 'integer', (c) => c.notNull())
		.addColumn('size_bytes', 'bigint', (c) => c.notNull())
		.addPrimaryKeyConstraint('folder_totals_key', ['owner_id', 'path'])
		.execute();
	await sql`insert into folder_totals (owner_id, path, folders, files, size_bytes)
		select owner_id, path, sum(case when kind = 'folder' then 1 else 0 end),
			sum(case when kind = 'file' then 1 else 0 end), sum(size_bytes)
		from nodes where deleted_at is null group by owner_id, path`.execute(db);

	await db.schema
		.createTable('spaces')
		.addColumn('owner_id', key, (c) => c.notNull().primaryKey())
		.addColumn('file_count', 'integer', (c) => c.notNull())
		.addColumn('used_bytes', 'bigint', (c) => c.notNull())
		.addColumn('quota_bytes', 'bigint')
		.execute();
	await sql`insert into spaces (owner_id, file_count, used_bytes)
		select owner_id, sum(case when kind = 'file' then 1 else 0 end), sum(size_bytes) from nodes group by owner_id`.execute(
		db,
	);
	await db.schema.createIndex('spaces_largest').on('spaces').columns(['used_bytes', 'owner_id']).execute();

	await db.schema
		.createTable('thumbnails')
		.addColumn('blob_id', key, (c) => c.notNull().primaryKey().references('blobs.id').onDelete('cascade'))
		.addColumn('thumb_blob_id', key, (c) => c.references('blobs.id'))
		.addColumn('made_at', key, (c) => c.notNull())
		.execute();
	await db.schema.createIndex('thumbnails_blob').on('thumbnails').column('thumb_blob_id').execute();

	await db.schema.alterTable('uploads').addColumn('modified_ms', 'bigint').execute();
	await sql`alter table jobs add column lane ${key} default 'main' not null`.execute(db);
	await db.schema.dropIndex('jobs_due').execute();
	await db.schema.createIndex('jobs_due').on('jobs').columns(['lane', 'done_at', 'run_at']).execute();

	await createTrigramSearch(db, 'nodes', 'name_key');
}
