import { type Kysely, PostgresAdapter, sql } from 'kysely';
import { byteOrderedText } from '../trigram-search.ts';

/** The previous version ignores the shares of groups, so that their members cannot read what is shared with them. */
export const isCompatibleWithPrevious = true;

/** Adds groups of users, and lets a share have a group as its recipient. */
export async function up(db: Kysely<unknown>): Promise<void> {
	const key = byteOrderedText(db);
	await db.schema
		.createTable('groups')
		.addColumn('id', key, (c) => c.primaryKey())
		.addColumn('name', 'text', (c) => c.notNull())
		.addColumn('name_key', key, (c) => c.notNull().unique())
		.addColumn('created_at', key, (c) => c.notNull())
		.execute();
	await db.schema
		.createTable('group_members')
		.addColumn('group_id', key, (c) => c.notNull().references('groups.id').onDelete('cascade'))
		.addColumn('user_id', key, (c) => c.notNull().references('users.id').onDelete('cascade'))
		.addColumn('added_at', key, (c) => c.notNull())
		.addPrimaryKeyConstraint('group_members_key', ['group_id', 'user_id'])
		.execute();
	await db.schema.createIndex('group_members_user').on('group_members').columns(['user_id', 'group_id']).execute();
	await sql`create index group_members_newest on group_members (group_id, added_at, user_id)`.execute(db);

	if (db.getExecutor().adapter instanceof PostgresAdapter) {
		await sql`alter table shares drop constraint grants_recipient_id_fkey`.execute(db);
		await sql`alter table shares add column recipient_kind ${key} default 'user' not null`.execute(db);
	} else await recreateShares(db);
	await sql`create index shares_of_groups on shares (owner_id, recipient_id) where recipient_kind = 'group'`.execute(
		db,
	);
	await deleteSharesWithRecipient(db);
}

/** Recreates the table, because SQLite cannot drop a foreign key. */
async function recreateShares(db: Kysely<unknown>): Promise<void> {
	const key = byteOrderedText(db);
	const columns = [
		'id',
		'node_id',
		'owner_id',
		'recipient_id',
		'kind',
		'kind_order',
		'sort_key',
		'shared_by',
		'created_at',
	];
	await db.schema.alterTable('shares').renameTo('old_shares').execute();
	for (const index of ['shares_of_recipient', 'shares_in_space', 'shares_newest'])
		await db.schema.dropIndex(index).execute();
	await db.schema
		.createTable('shares')
		.addColumn('id', key, (c) => c.primaryKey())
		.addColumn('node_id', key, (c) => c.notNull().references('nodes.id').onDelete('cascade'))
		.addColumn('owner_id', key, (c) => c.notNull())
		.addColumn('recipient_id', key, (c) => c.notNull())
		.addColumn('kind', key, (c) => c.notNull())
		.addColumn('kind_order', 'integer', (c) => c.notNull())
		.addColumn('sort_key', key, (c) => c.notNull())
		.addColumn('shared_by', 'text', (c) => c.notNull())
		.addColumn('created_at', key, (c) => c.notNull())
		.addColumn('recipient_kind', key, (c) => c.notNull().defaultTo('user'))
		.addUniqueConstraint('grants_of_node', ['node_id', 'recipient_id'])
		.execute();
	const names = sql.join(columns.map((name) => sql.ref(name)));
	await sql`insert into shares (${names}) select ${names} from old_shares`.execute(db);
	await db.schema.dropTable('old_shares').execute();
	await sql`create index shares_of_recipient on shares (recipient_id, kind, kind_order, sort_key, node_id)`.execute(db);
	await db.schema.createIndex('shares_in_space').on('shares').columns(['owner_id', 'recipient_id']).execute();
	await sql`create index shares_newest on shares (kind, kind_order, created_at, id)`.execute(db);
}

/** Deletes the shares of a deleted user or group. No foreign key can do this, because a recipient is one of the two. */
async function deleteSharesWithRecipient(db: Kysely<unknown>): Promise<void> {
	const deleteShares = sql`delete from shares where recipient_id = old.id;`;
	const tables = ['users', 'groups'] as const;
	if (!(db.getExecutor().adapter instanceof PostgresAdapter)) {
		for (const table of tables)
			await sql`create trigger ${sql.ref(`shares_of_deleted_${table}`)} after delete on ${sql.ref(table)}
				begin ${deleteShares} end`.execute(db);
		return;
	}
	await sql`create function shares_delete_of_recipient() returns trigger language plpgsql as $delete$ begin
		${deleteShares} return null; end $delete$`.execute(db);
	for (const table of tables)
		await sql`create trigger ${sql.ref(`shares_of_deleted_${table}`)} after delete on ${sql.ref(table)}
			for each row execute function shares_delete_of_recipient()`.execute(db);
}
