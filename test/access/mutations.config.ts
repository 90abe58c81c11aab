import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { type Mutation, mutate } from './mutations.ts';

const mutation = JSON.parse(process.env.FOLIO_MUTATION ?? 'null') as Mutation | null;

/** Runs the HTTP tests with the mutation in the environment variable FOLIO_MUTATION. No file on disk is changed. */
export default defineConfig({
	plugins: [
		{
			name: 'remove-a-check',
			enforce: 'pre',
			load(id) {
				if (mutation === null || id.split('?')[0] !== resolve(mutation.file)) return null;
				return mutate(readFileSync(mutation.file, 'utf8'), mutation);
			},
		},
	],
	test: {
		root: resolve(import.meta.dirname, '../..'),
		// Cached modules could contain the mutation of an earlier run.
		fsModuleCache: false,
		include: ['test/http/**/*.test.ts'],
		alias: { '@node-rs/argon2': resolve('test/support/app/quick-argon2.ts') },
		globalSetup: ['test/support/services/test-database.ts', 'test/support/services/test-storage.ts'],
		testTimeout: 60_000,
		hookTimeout: 60_000,
	},
});
