import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { syncFolder } from '../../../platform/storage/disk/disk-storage.ts';
import { ignoreMissingFile } from '../../../platform/storage/storage.ts';
import { PreconditionError } from './operator-command.ts';
import { type RowsHeader, readRowsFile, type TableChecksum } from './rows-file.ts';
import type { StoredFile } from './stored-files.ts';

const manifestName = 'manifest.json';
/** Name of the file that marks a folder whose first backup is not finished. */
const unfinishedName = 'not-finished.json';
export const filesFolder = 'files';
/** Name of the file that is locked while a backup is made in the folder; the file is not deleted. */
export const lockName = 'backup.process-lock';

/** Manifest of a complete backup. It is written last, so that an incomplete backup is never considered complete. */
const manifest = z.object({
	product: z.literal('Folio'),
	format: z.literal(1),
	version: z.string(),
	/** All applied migrations; the last one is the version of the schema. */
	migrations: z.array(z.string()),
	installation: z.string(),
	/** Time of the snapshot. */
	at: z.string(),
	finishedAt: z.string(),
	rows: z.object({
		file: z.string(),
		sizeBytes: z.number(),
		tables: z.record(z.string(), z.object({ rows: z.number(), sha256: z.string() })),
	}),
	files: z.object({
		count: z.number(),
		sizeBytes: z.number(),
		/** Files that were missing in the installation, or differed from their rows, when the backup was made. */
		faults: z.array(z.object({ key: z.string(), what: z.enum(['missing', 'differs']) })),
	}),
	/**
	 * `here`: the secret is in this backup, in `file`. `elsewhere`: it is the setting SECRET, which the operator must save.
	 * Each secret has a file of its own, so that the manifest names the secret of its rows at every moment. Earlier
	 * versions wrote `secret`.
	 */
	secret: z.object({
		kept: z.enum(['here', 'elsewhere']),
		fingerprint: z.string(),
		file: z.string().default('secret'),
	}),
});
export type Manifest = z.infer<typeof manifest>;

/** Content of the file that marks an unfinished first backup. */
const unfinishedMarker = z.object({ installation: z.string() });

/**
 * Reads a folder's manifest.
 * @returns null without a manifest
 * @throws PreconditionError for a manifest that this version cannot read
 */
async function readManifest(folder: string): Promise<Manifest | null> {
	const text = await readFile(join(folder, manifestName), 'utf8').catch(ignoreMissingFile);
	if (text === null) return null;
	const parsed = manifest.safeParse(parse(text));
	if (!parsed.success)
		throw new PreconditionError(`${join(folder, manifestName)} is not a manifest that this version of Folio can read.`);
	return parsed.data;
}

/** Writes the manifest, which completes the backup. @throws PreconditionError for missing or truncated rows */
export async function writeManifest(folder: string, content: Manifest): Promise<void> {
	const rows = await stat(join(folder, content.rows.file)).catch(ignoreMissingFile);
	if (rows?.size !== content.rows.sizeBytes)
		throw new PreconditionError(`${content.rows.file} was removed from ${folder} meanwhile. Run the backup again.`);
	await writeDurably(join(folder, manifestName), `${JSON.stringify(content, null, '\t')}\n`);
	await rm(join(folder, unfinishedName), { force: true });
}

/**
 * Claims a folder for backups of this installation. The folder must be empty, or contain an earlier backup of the
 * installation, finished or not.
 * @returns the manifest of the earlier finished backup, or null
 * @throws PreconditionError
 */
export async function claimFolder(folder: string, installation: string): Promise<Manifest | null> {
	const earlier = await readManifest(folder);
	const unfinished = await readFile(join(folder, unfinishedName), 'utf8').catch(ignoreMissingFile);
	if (earlier === null && unfinished === null && (await readdir(folder)).some((name) => name !== lockName))
		throw new PreconditionError(`${folder} is not empty and contains no backup: name a new folder, or an empty one.`);
	const owner =
		earlier ?? (unfinished === null ? { installation } : unfinishedMarker.safeParse(parse(unfinished)).data);
	if (owner?.installation !== installation)
		throw new PreconditionError(
			`${folder} contains the backup of another installation: name a new folder. A restored installation is another one.`,
		);
	if (earlier === null) await writeDurably(join(folder, unfinishedName), `${JSON.stringify({ installation })}\n`);
	return earlier;
}

/** Copies the secret into a folder, before the manifest that names it. @returns what the manifest says of the secret */
export async function writeSecretCopy(
	folder: string,
	secret: string,
	fingerprint: string,
): Promise<Manifest['secret']> {
	const file = `secret-${fingerprint}`;
	await writeDurably(join(folder, file), `${secret.trim()}\n`);
	return { kept: 'here', fingerprint, file };
}

/** Removes the rows and the secret of an earlier backup, and files that the new backup does not contain. */
export async function removeOutdatedFiles(folder: string, current: Manifest, keys: ReadonlySet<string>): Promise<void> {
	const written = [current.rows.file, current.secret.file];
	for (const name of await readdir(folder))
		if (/^(?:rows-.*\.jsonl\.gz|secret(?:-.*)?)$/u.test(name) && !written.includes(name))
			await rm(join(folder, name), { force: true });
	const root = join(folder, filesFolder);
	const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(ignoreMissingFile);
	for (const entry of entries ?? []) {
		const path = join(entry.parentPath, entry.name);
		if (entry.isFile() && !keys.has(path.slice(root.length + 1).replaceAll('\\', '/'))) await rm(path, { force: true });
	}
}

/** Rows and files to restore: a backup's folder, or the rows-only file made before an upgrade. */
export interface BackupSource {
	/** Null for a rows-only backup. */
	folder: string | null;
	manifest: Manifest | null;
	rowsFile: string;
	header: RowsHeader;
}

/** Opens a backup and reads all rows once to check them. @throws PreconditionError when it is not complete */
export async function openBackup(path: string): Promise<BackupSource> {
	const stats = await stat(path).catch(ignoreMissingFile);
	if (stats === null) throw new PreconditionError(`There is nothing at ${path}.`);
	if (stats.isFile()) return { folder: null, manifest: null, rowsFile: path, header: (await checkRows(path)).header };
	const content = await readManifest(path);
	if (content === null) throw new PreconditionError(`${path} contains no finished backup.`);
	if ([content.rows.file, content.secret.file].some((file) => file !== basename(file)))
		throw new PreconditionError(`The manifest in ${path} does not name files in that folder.`);
	const rowsFile = join(path, content.rows.file);
	const { header, sums } = await checkRows(rowsFile);
	const { size } = await stat(rowsFile);
	if (size !== content.rows.sizeBytes || !isOfManifest(header, sums, content))
		throw new PreconditionError(
			`The rows in ${path} are not those of its manifest: they were changed since. Restore another backup.`,
		);
	return { folder: path, manifest: content, rowsFile, header };
}

function isOfManifest(header: RowsHeader, sums: Record<string, TableChecksum>, content: Manifest): boolean {
	return (
		header.installation === content.installation &&
		header.at === content.at &&
		header.migrations.join() === content.migrations.join() &&
		header.secret === content.secret.fingerprint &&
		isDeepStrictEqual(sums, content.rows.tables)
	);
}

async function checkRows(file: string): Promise<{ header: RowsHeader; sums: Record<string, TableChecksum> }> {
	let header: RowsHeader | null = null;
	const sums: Record<string, TableChecksum> = {};
	for await (const piece of readRowsFile(file)) {
		if (piece.kind === 'header') header = piece.header;
		if (piece.kind === 'end') sums[piece.table] = piece.sum;
	}
	if (header === null) throw new PreconditionError(`${file} is empty.`);
	return { header, sums };
}

export async function* listStoredFiles(rowsFile: string): AsyncGenerator<StoredFile> {
	for await (const part of readRowsFile(rowsFile)) {
		if (part.kind !== 'rows' || part.table !== 'blobs') continue;
		const columns = ['storage_key', 'size_bytes', 'sha256'].map((column) => part.columns.indexOf(column));
		for (const row of part.rows) {
			const [key, sizeBytes, sha256] = columns.map((column) => row[column]);
			yield { key: requireKey(String(key)), sizeBytes: Number(sizeBytes), sha256: String(sha256) };
		}
	}
}

/** Checks that a storage key is a path that does not lead out of the folder of files. @throws PreconditionError */
function requireKey(key: string): string {
	if (key.split('/').some((segment) => ['', '.', '..'].includes(segment)) || /[\\\0]/u.test(key))
		throw new PreconditionError(`${key} is no key of a stored file.`);
	return key;
}

/** Replaces a file in one step, which a power cut does not undo. */
async function writeDurably(file: string, text: string): Promise<void> {
	const aside = `${file}.new`;
	await writeFile(aside, text, { mode: 0o600, flush: true });
	await rename(aside, file);
	await syncFolder(dirname(file));
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}
