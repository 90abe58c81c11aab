import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { connectPostgres } from '../../../src/server/platform/database/connection.ts';
import { migrate } from '../../../src/server/platform/database/migrations/migrate.ts';
import { runStatement, startPostgres } from './postgres-server.ts';

const template = 'folio_template';

declare module 'vitest' {
	export interface ProvidedContext {
		/** Address of the run's PostgreSQL server; empty on SQLite. */
		postgresUrl: string;
	}
}

/** The database of this project of HTTP tests; vitest.config.ts names it. */
export const testDatabase = readTestDatabase(process.env);

/** Vitest's global setup: for projects on PostgreSQL, one server for the whole run with a migrated template. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
	if (readTestDatabase(project.config.env) === 'sqlite') {
		project.provide('postgresUrl', '');
		return undefined;
	}
	const server = await startPostgres();
	try {
		await runStatement(server.urlOf('postgres'), `create database ${template}`);
		await migrateTemplate(server.urlOf(template));
	} catch (error) {
		await server.stop();
		throw error;
	}
	project.provide('postgresUrl', server.urlOf('postgres'));
	return () => server.stop();
}

export interface TestDatabase {
	url: string;
	/** Removes the database, even if others are connected. */
	drop(): Promise<void>;
}

/** Creates a database for one test file in about 50 ms: a copy of the migrated template, or an empty one. */
export async function createPostgresDatabase(state: 'migrated' | 'empty' = 'migrated'): Promise<TestDatabase> {
	const serverUrl = inject('postgresUrl');
	if (serverUrl === '') throw new Error('There is no PostgreSQL in this run: choose a project such as http-postgres.');
	const name = `test_${randomUUID().replaceAll('-', '')}`;
	await runStatement(serverUrl, `create database ${name} template ${state === 'migrated' ? template : 'template0'}`);
	const url = new URL(serverUrl);
	url.pathname = `/${name}`;
	return { url: url.href, drop: () => runStatement(serverUrl, `drop database if exists ${name} with (force)`) };
}

async function migrateTemplate(url: string): Promise<void> {
	const connection = connectPostgres(url, (error) => console.error(error));
	try {
		await migrate(connection.db);
	} finally {
		await connection.close();
	}
}

function readTestDatabase(env: Partial<Record<string, string>>): 'sqlite' | 'postgres' {
	return env.FOLIO_TEST_DB === 'postgres' ? 'postgres' : 'sqlite';
}
