import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { type Mutation, mutate } from './mutations.ts';

const mutation = JSON.parse(process.env.FOLIO_MUTATION ?? 'null') as Mutation | null;

/** Runs the HTTP tests with the source change FOLIO_MUTATION, which removes a check. The change is made in memory. */
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
		// A module that was cached for one mutation must not be used for another.
		fsModuleCache: false,
		include: ['test/http/**/*.test.ts'],
		alias: { '@node-rs/argon2': resolve('test/support/app/quick-argon2.ts') },
		globalSetup: ['test/support/services/test-database.ts', 'test/support/services/test-storage.ts'],
		testTimeout: 60_000,
		hookTimeout: 60_000,
	},
});
