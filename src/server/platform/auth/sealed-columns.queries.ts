import { sql } from 'kysely';
import type { Db, Schema } from '../database/schema.ts';
import { createRegistration } from '../deps.ts';
import type { Secrets } from './secrets.ts';

/** A column with sealed text. The rotation of the secret seals the column again. */
export interface SealedColumn {
	table: keyof Schema;
	/** The primary key. */
	key: string;
	column: string;
	/** See {@link Secrets.seal}. */
	context: string;
	/** The column with the keyed fingerprint of the same text. */
	fingerprint?: {
		column: string;
		of(secrets: Pick<Secrets, 'lookupKey'>, text: string): string;
		/** A column of another table that has copies of the fingerprint, and further fingerprints of the same text. */
		copies?: {
			table: keyof Schema;
			column: string;
			/** Returns all fingerprints of a text that the column may have, in the same order for every secret. */
			of(secrets: Pick<Secrets, 'lookupKey'>, text: string): string[];
		};
	};
}

interface SealedContent {
	columns: SealedColumn[];
	/** Fields with sealed text in the JSON of settings: contexts by field, by key of the setting. */
	settings: Record<string, Record<string, string>>;
}

/** Everything sealed that is stored; the files' search cursors and the browsers' cookies are not. */
export const sealedContent = createRegistration<SealedContent>('sealedContent');

export interface SealedRow {
	id: string;
	sealed: string;
	fingerprint: string | null;
}

export async function listSealed(db: Db, of: SealedColumn, after: string, limit: number): Promise<SealedRow[]> {
	const fingerprint = of.fingerprint === undefined ? sql`null` : sql.ref(of.fingerprint.column);
	const { rows } = await sql<SealedRow>`select ${sql.ref(of.key)} as id, ${sql.ref(of.column)} as sealed,
		${fingerprint} as fingerprint from ${sql.table(of.table)}
		where ${sql.ref(of.column)} is not null and ${sql.ref(of.key)} > ${after}
		order by ${sql.ref(of.key)} limit ${limit}`.execute(db);
	return rows;
}

/** A row before and after sealing its text again; `copies`: former and new fingerprints that are copied elsewhere. */
export interface SealedChange {
	before: SealedRow;
	after: SealedRow;
	copies: Array<readonly [former: string, next: string]>;
}

/** Replaces the sealed texts of rows, and their fingerprints with all copies. */
export async function updateSealed(tx: Db, of: SealedColumn, changes: readonly SealedChange[]): Promise<void> {
	const { copies, column } = of.fingerprint ?? {};
	for (const { before, after, copies: ofRow } of changes) {
		const set = sql`${sql.ref(of.column)} = ${after.sealed}`;
		const both = column === undefined ? set : sql`${set}, ${sql.ref(column)} = ${after.fingerprint}`;
		// A command that ran meanwhile may have changed the row.
		await sql`update ${sql.table(of.table)} set ${both}
			where ${sql.ref(of.key)} = ${before.id} and ${sql.ref(of.column)} = ${before.sealed}`.execute(tx);
		if (copies === undefined) continue;
		for (const [former, next] of ofRow)
			await sql`update ${sql.table(copies.table)} set ${sql.ref(copies.column)} = ${next}
				where ${sql.ref(copies.column)} = ${former}`.execute(tx);
	}
}
