import { type Kysely, sql } from 'kysely';
import { byteOrderedText } from '../trigram-search.ts';

/** The previous version neither reads nor writes the table. Later saves of the book settings add what it assigned. */
export const isCompatibleWithPrevious = true;

/**
 * Adds the contents that have been an edition. Filled with the files that the book settings, their audit entries,
 * outlines, watermarked copies and templates name, as far as they are still stored.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
	const key = byteOrderedText(db);
	await db.schema
		.createTable('edition_contents')
		.addColumn('sha256', key, (c) => c.notNull().primaryKey())
		.addColumn('name', 'text', (c) => c.notNull())
		.addColumn('created_at', key, (c) => c.notNull())
		.execute();
	const { rows: settings } = await sql<{ value: string }>`
		select value from settings where key = 'book'
		union all select detail as value from audit where action = 'book-settings-saved'`.execute(db);
	const editionsOf = ({ value }: { value: string }) =>
		(JSON.parse(value) as { editions?: object | null }).editions ?? {};
	const fileIds = new Set(settings.flatMap((row) => Object.values(editionsOf(row)) as unknown[]));
	await addContents(
		db,
		sql`blobs.id in (select blob_id from outlines union select source_id from copy_templates
			union select wanted_source_id from watermarked_copies
			union select source_id from watermarked_copies where source_id is not null)`,
	);
	for (const id of fileIds) await addContents(db, sql`nodes.id = ${id}`);
}

async function addContents(db: Kysely<unknown>, condition: ReturnType<typeof sql>): Promise<void> {
	await sql`insert into edition_contents (sha256, name, created_at)
		select blobs.sha256, coalesce(min(nodes.name), ''), min(blobs.created_at)
		from blobs left join nodes on nodes.blob_id = blobs.id
		where ${condition} group by blobs.sha256
		on conflict (sha256) do nothing`.execute(db);
}
