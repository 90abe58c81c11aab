import { type Kysely, sql } from 'kysely';
import { byteOrderedText } from '../trigram-search.ts';

/** Adds the payment reference and image fingerprint of each proof, and the earlier proof that it duplicates. */
export async function up(db: Kysely<unknown>): Promise<void> {
	const key = byteOrderedText(db);

	await db.schema.alterTable('proofs').addColumn('utr_sealed', 'text').execute();
	await db.schema.alterTable('proofs').addColumn('utr_key', key).execute();
	await db.schema.alterTable('proofs').addColumn('picture_key', key).execute();
	for (const column of ['same_utr_as', 'same_picture_as']) {
		const reference = sql`references proofs (id) on delete set null`;
		await sql`alter table proofs add column ${sql.ref(column)} ${key} ${reference}`.execute(db);
		await db.schema.createIndex(`proofs_${column}`).on('proofs').column(column).execute();
	}
	await db.schema.createIndex('proofs_utr').on('proofs').column('utr_key').execute();
	await db.schema.createIndex('proofs_picture').on('proofs').column('picture_key').execute();

	await db.schema
		.createTable('proof_looks')
		.addColumn('number', 'integer', (c) => c.notNull().primaryKey())
		.addColumn('proof_id', key, (c) => c.notNull().unique().references('proofs.id').onDelete('cascade'))
		.addColumn('outline', 'text', (c) => c.notNull())
		.addColumn('look', 'text', (c) => c.notNull())
		.execute();
	// One row: each transaction that looks for duplicate proofs updates it first, so that these run one after another.
	await db.schema
		.createTable('proof_turns')
		.addColumn('id', key, (c) => c.primaryKey())
		.addColumn('last_number', 'integer', (c) => c.notNull())
		.execute();
	await sql`insert into proof_turns (id, last_number) values ('proofs', 0)`.execute(db);
}
