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

/** The database of this run of the HTTP tests, from FOLIO_TEST_DB. */
export const testDatabase: 'sqlite' | 'postgres' = readTestDatabase();

/** Vitest's global setup: with FOLIO_TEST_DB=postgres, one server for the whole run with a migrated template. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
	if (testDatabase === 'sqlite') {
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
	if (serverUrl === '') throw new Error('There is no PostgreSQL in this run: set FOLIO_TEST_DB=postgres.');
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

function readTestDatabase(): 'sqlite' | 'postgres' {
	const value = process.env.FOLIO_TEST_DB ?? 'sqlite';
	if (value === 'sqlite' || value === 'postgres') return value;
	throw new Error(`FOLIO_TEST_DB is ${value}: it must be sqlite or postgres.`);
}
