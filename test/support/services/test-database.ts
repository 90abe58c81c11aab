import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { connectPostgres } from '../../../src/server/platform/database/connection.ts';
import { migrate } from '../../../src/server/platform/database/migrations/migrate.ts';
import { createDatabase, runStatement, startPostgres, type TestDatabase } from './postgres-server.ts';

export type { TestDatabase } from './postgres-server.ts';

const template = 'folio_template';

declare module 'vitest' {
	export interface ProvidedContext {
		/** URL of the run's PostgreSQL server; empty on SQLite. */
		postgresUrl: string;
	}
}

/** The database that this Vitest project uses, set in vitest.config.ts. */
export const testDatabase = readTestDatabase(process.env);

/** Vitest's global setup: starts one PostgreSQL server with a migrated template database, for projects that use it. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
	if (readTestDatabase(project.config.env) === 'sqlite') {
		project.provide('postgresUrl', '');
		return undefined;
	}
	const server = await startPostgres();
	await runStatement(server.urlOf('postgres'), `create database ${template}`);
	const connection = connectPostgres(server.urlOf(template), (error) => console.error(error));
	await migrate(connection.db);
	await connection.close();
	project.provide('postgresUrl', server.urlOf('postgres'));
	return server.stop;
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
