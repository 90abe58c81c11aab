import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { capture } from '../../../scripts/setup/processes.mjs';

export type CommandResult = Awaited<ReturnType<typeof runCli>>;

const killedCode = 128 + constants.signals.SIGKILL;

/** Runs an operator's command of the built product, and kills it (-9) after `killAfterMs` if set. */
export async function runCli(cli: string, env: Record<string, string | undefined>, args: string[], killAfterMs = 0) {
	const startedAt = performance.now();
	const options = { env, timeout: Math.ceil(killAfterMs), killSignal: 'SIGKILL' } as const;
	const { code, output } = await capture(process.execPath, [cli, ...args], options);
	return { code, output: output.trim(), ms: performance.now() - startedAt };
}

/** Kills each run of a command after one of these times, but not the last run. Stops early at a run that ends. */
export async function runUnderKills(
	cli: string,
	env: Record<string, string | undefined>,
	args: string[],
	killsAfterMs: readonly number[],
): Promise<{ ended: CommandResult; kills: number }> {
	let kills = 0;
	for (const ms of killsAfterMs) {
		const ended = await runCli(cli, env, args, ms);
		if (ended.code !== killedCode) return { ended, kills };
		kills += 1;
	}
	return { ended: await runCli(cli, env, args), kills };
}

/** Tables about running processes, and tables whose rows differ between SQLite and PostgreSQL. */
const ignoredTables = /^(process_leases|leases|deferred_deletes|kysely_migration.*|upload_parts)$|_search_rows$/u;

/** Reads every row of an embedded database by table, as comparable text, without unfinished uploads and records of backups. */
export function rowsOf(dataDir: string): Map<string, string[]> {
	using database = new DatabaseSync(join(dataDir, 'folio.db'), { readOnly: true });
	const tables = database.prepare("select name from pragma_table_list where schema = 'main' and type = 'table'").all();
	const names = tables
		.map(({ name }) => String(name))
		.filter((name) => !ignoredTables.test(name) && !name.startsWith('sqlite_'));
	return new Map(
		names.sort().map((name) => {
			const rows = database.prepare(`select * from "${name}"`).all();
			const comparable = rows.filter((row) => isComparable(name, row));
			return [name, comparable.map((row) => JSON.stringify(Object.entries(row).sort())).sort()];
		}),
	);
}

/**
 * Whether a row is the same in an installation and its backup. A backup records itself in the installation afterwards,
 * so it does not contain its own record. A restored installation has a new id.
 */
function isComparable(table: string, row: Record<string, unknown>): boolean {
	if (table === 'settings') return row.key !== 'last-backup' && row.key !== 'installation';
	if (table === 'audit') return row.action !== 'backup-made';
	return table !== 'uploads' || row.finished_at !== null;
}

/** Returns the hashes of all files below a folder by path, without the temporary files of killed processes. */
export async function bytesOf(folder: string): Promise<Map<string, string>> {
	if (!existsSync(folder)) return new Map();
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	const files = entries
		// A restored installation marks its storage with another id.
		.filter((entry) => entry.isFile() && !entry.name.startsWith('.folio') && !entry.parentPath.endsWith('.aside'))
		.map((entry) => join(entry.parentPath, entry.name));
	const hashes = await Promise.all(
		files.sort().map(async (file) => {
			const hash = createHash('sha256').update(await readFile(file));
			return [file.slice(folder.length + 1), hash.digest('hex')] as const;
		}),
	);
	return new Map(hashes);
}

/** Describes the keys whose values differ between two maps of {@link rowsOf} or {@link bytesOf}. */
export function differencesOf(what: string, one: Map<string, unknown>, other: Map<string, unknown>): string[] {
	return [...new Set([...one.keys(), ...other.keys()])]
		.filter((key) => JSON.stringify(one.get(key)) !== JSON.stringify(other.get(key)))
		.map((key) => `${what}: ${key} differs`);
}
