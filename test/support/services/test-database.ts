import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { fastTemporaryFolder } from '../../../scripts/services/memory-disk.mjs';
import { connectPostgres, connectSqlite, databaseFileOf } from '../../../src/server/platform/database/connection.ts';
import { migrate } from '../../../src/server/platform/database/migrations/migrate.ts';
import { createDatabase, runStatement, startPostgres, type TestDatabase } from './postgres-server.ts';

export type { TestDatabase } from './postgres-server.ts';

const template = 'folio_template';

declare module 'vitest' {
	export interface ProvidedContext {
		/** URL of the run's PostgreSQL server; empty on SQLite. */
		postgresUrl: string;
		/** File of a migrated SQLite database; empty on PostgreSQL. */
		sqliteTemplate: string;
	}
}

/** The database that this Vitest project uses, set in vitest.config.ts. */
export const testDatabase = readTestDatabase(process.env);

/** Vitest's global setup: makes a migrated template database; on PostgreSQL, starts a server for it first. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
	if (readTestDatabase(project.config.env) === 'sqlite') {
		const folder = await mkdtemp(join(fastTemporaryFolder(2 ** 20), 'folio-template-'));
		const { db, close } = connectSqlite(databaseFileOf(folder));
		await migrate(db);
		await close();
		project.provide('postgresUrl', '');
		project.provide('sqliteTemplate', databaseFileOf(folder));
		return () => rm(folder, { recursive: true, force: true });
	}
	const server = await startPostgres();
	await runStatement(server.urlOf('postgres'), `create database ${template}`);
	const connection = connectPostgres(server.urlOf(template), (error) => console.error(error));
	await migrate(connection.db);
	await connection.close();
	project.provide('postgresUrl', server.urlOf('postgres'));
	project.provide('sqliteTemplate', '');
	return server.stop;
}

/** Copies the migrated SQLite database into a data folder, because migrating takes 150 ms. On PostgreSQL, does nothing. */
export async function copySqliteDatabase(dataDir: string): Promise<void> {
	const file = inject('sqliteTemplate');
	if (file !== '') await copyFile(file, databaseFileOf(dataDir));
}

/** Creates a database for one test file: an empty one, or a copy of the migrated template, which takes about 50 ms. */
export async function createPostgresDatabase(state: 'migrated' | 'empty' = 'migrated'): Promise<TestDatabase> {
	const serverUrl = inject('postgresUrl');
	if (serverUrl === '')
		throw new Error('This run has no PostgreSQL server: choose a Vitest project such as http-postgres.');
	return createDatabase(serverUrl, state === 'migrated' ? template : undefined);
}

function readTestDatabase(env: Partial<Record<string, string>> = {}): 'sqlite' | 'postgres' {
	return env.FOLIO_TEST_DB === 'postgres' ? 'postgres' : 'sqlite';
}
