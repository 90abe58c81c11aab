import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import * as streams from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import * as z from 'zod';
import { backupFingerprintOf } from '../../../platform/auth/secrets.ts';
import { version } from '../../../platform/config.ts';
import { openSnapshot } from '../../../platform/database/bulk-copy/snapshot.ts';
import type { Deps } from '../../../platform/deps.ts';
import { PreconditionError } from './operator-command.ts';

const batchSize = 500;

/** First line of the file. */
const rowsHeader = z.object({
	folio: z.literal('rows'),
	format: z.literal(1),
	version: z.string(),
	migrations: z.array(z.string()).min(1),
	installation: z.string(),
	at: z.string(),
	/** Fingerprint of the secret that encrypts texts: see {@link backupFingerprintOf}. */
	secret: z.string(),
});
export type RowsHeader = z.infer<typeof rowsHeader>;

/** A line that is neither the header nor a row: the beginning or end of a table, or the end of the file. */
const tableMarker = z
	.object({
		table: z.string(),
		columns: z.array(z.string()),
		end: z.string(),
		rows: z.number(),
		sha256: z.string(),
		complete: z.number(),
	})
	.partial();

/** Number of rows of a table, and the hash of its rows in the order of its key. */
export interface TableChecksum {
	rows: number;
	sha256: string;
}

type RowsFilePart =
	| { kind: 'header'; header: RowsHeader }
	| { kind: 'table'; table: string; columns: string[] }
	| { kind: 'rows'; table: string; columns: string[]; rows: unknown[][] }
	| { kind: 'end'; table: string; sum: TableChecksum };

/** Creates a checksum of rows that is the same for both databases. `add` returns the row as a line of JSON. */
export function createChecksum(): { add(row: unknown[]): string; sum(): TableChecksum } {
	const hash = createHash('sha256');
	let rows = 0;
	return {
		add(row) {
			const line = `${JSON.stringify(row)}\n`;
			hash.update(line);
			rows += 1;
			return line;
		},
		sum: () => ({ rows, sha256: hash.digest('hex') }),
	};
}

/** Writes a snapshot of all rows as gzipped lines of JSON into a new file, which only its owner can read. */
export async function writeRowsFile(
	file: string,
	{ connection, secrets }: Pick<Deps, 'connection' | 'secrets'>,
	origin: Pick<RowsHeader, 'installation' | 'at'>,
	onRows: (table: string, rows: number) => void = () => {},
) {
	const snapshot = await openSnapshot(connection);
	const { migrations } = snapshot;
	const tables: Record<string, TableChecksum> = {};
	async function* lines(): AsyncGenerator<string> {
		const secret = backupFingerprintOf(secrets);
		yield `${JSON.stringify({ folio: 'rows', format: 1, version, ...origin, secret, migrations } satisfies RowsHeader)}\n`;
		for (const table of snapshot.tables) {
			yield `${JSON.stringify({ table: table.name, columns: table.columns })}\n`;
			const sum = createChecksum();
			let written = 0;
			for await (const rows of snapshot.rows(table)) {
				yield rows.map((row) => sum.add(row)).join('');
				written += rows.length;
				onRows(table.name, written);
			}
			const end = sum.sum();
			tables[table.name] = end;
			yield `${JSON.stringify({ end: table.name, ...end })}\n`;
		}
		yield `${JSON.stringify({ complete: snapshot.tables.length })}\n`;
	}
	try {
		const target = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true });
		await streams.promises.pipeline(lines(), createGzip(), target);
		return { migrations, tables };
	} finally {
		await snapshot.close();
	}
}

/** Whether both databases store a value of this type; the schema has no other types. */
function isTextOrNumber(value: unknown): boolean {
	return value === null || typeof value === 'string' || typeof value === 'number';
}

/**
 * Reads a file of rows from its beginning, in batches of some hundred rows.
 * @throws PreconditionError when the file cannot be read, has another format, or is incomplete: each table's checksum
 * is compared, and the end marker must be the last line
 */
export async function* readRowsFile(file: string): AsyncGenerator<RowsFilePart> {
	let table: { name: string; columns: string[]; sum: ReturnType<typeof createChecksum>; rows: unknown[][] } | null =
		null;
	let isFirst = true;
	let tables = 0;
	let isComplete = false;
	for await (const line of linesOf(file)) {
		const value = parseLine(file, line);
		if (isFirst) {
			yield { kind: 'header', header: parseHeader(file, value) };
			isFirst = false;
		} else if (isComplete) {
			throw incompleteError(file, 'something follows its end');
		} else if (Array.isArray(value) && table !== null) {
			if (value.length !== table.columns.length || !value.every(isTextOrNumber))
				throw incompleteError(file, `a row of ${table.name} cannot be one`);
			table.sum.add(value);
			table.rows.push(value);
			if (table.rows.length < batchSize) continue;
			yield { kind: 'rows', table: table.name, columns: table.columns, rows: table.rows };
			table.rows = [];
		} else {
			const mark = parseMarker(file, value);
			if (table === null && mark.table !== undefined && mark.columns !== undefined) {
				table = { name: mark.table, columns: mark.columns, sum: createChecksum(), rows: [] };
				tables += 1;
				yield { kind: 'table', table: table.name, columns: table.columns };
			} else if (table !== null && mark.end === table.name) {
				const { name, columns, rows } = table;
				if (rows.length > 0) yield { kind: 'rows', table: name, columns, rows };
				const sum = table.sum.sum();
				if (sum.rows !== mark.rows || sum.sha256 !== mark.sha256)
					throw incompleteError(file, `the rows of ${table.name} were changed`);
				yield { kind: 'end', table: table.name, sum };
				table = null;
			} else if (table === null && mark.complete === tables) {
				isComplete = true;
			} else {
				throw incompleteError(file, 'a line is out of place');
			}
		}
	}
	if (!isComplete) throw incompleteError(file, 'its end is missing');
}

function parseHeader(file: string, value: unknown): RowsHeader {
	const header = rowsHeader.safeParse(value);
	if (!header.success)
		throw new PreconditionError(`${file} is not a file of Folio's rows, or a newer version of Folio wrote it.`);
	return header.data;
}

function parseMarker(file: string, value: unknown): z.infer<typeof tableMarker> {
	const mark = tableMarker.safeParse(value);
	if (!mark.success) throw incompleteError(file, 'a line is out of place');
	return mark.data;
}

function parseLine(file: string, line: string): unknown {
	try {
		return JSON.parse(line);
	} catch {
		throw incompleteError(file, 'a line cannot be read');
	}
}

/** Yields the lines of the decompressed file. Only \n ends a line, because texts may contain other line separators. */
async function* linesOf(file: string): AsyncGenerator<string> {
	const unpacked = streams.pipeline(createReadStream(file), createGunzip(), () => {}).setEncoding('utf8');
	let rest = '';
	try {
		for await (const chunk of unpacked) {
			const lines = `${rest}${chunk}`.split('\n');
			rest = lines.pop() ?? '';
			yield* lines;
		}
	} catch (error) {
		// A truncated or changed file causes a zlib error.
		const { code, syscall, message } = error as NodeJS.ErrnoException;
		if (/^(Z_|ERR_ZLIB)/u.test(String(code))) throw incompleteError(file, 'it cannot be unpacked');
		if (code === 'ENOENT') throw new PreconditionError(`${file} is missing: without it there is no backup.`);
		if (syscall !== undefined) throw new PreconditionError(`${file} cannot be read: ${message}.`);
		throw error;
	}
	if (rest !== '') yield rest;
}

function incompleteError(file: string, why: string): PreconditionError {
	return new PreconditionError(`${file} is incomplete or damaged: ${why}.`);
}
