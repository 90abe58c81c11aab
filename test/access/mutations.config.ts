import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { type Mutation, mutate } from './mutations.ts';

const current = () => (globalThis as { accessMutation?: Mutation | null }).accessMutation ?? null;

const isMutated = (id: string) => id.split('?')[0] === resolve(current()?.file ?? '');

/**
 * Runs the HTTP tests with the mutation in `globalThis.accessMutation`, which `scripts/access-mutations.mjs` sets. No
 * file on disk is changed.
 */
export default defineConfig({
	plugins: [
		{
			name: 'remove-a-check',
			enforce: 'pre',
			configureVitest({ defineCacheKeyGenerator }) {
				// The cached module must not be used in a run with another mutation.
				defineCacheKeyGenerator(({ id }) => (isMutated(id) ? false : undefined));
			},
			load(id) {
				const mutation = current();
				if (mutation === null || !isMutated(id)) return null;
				return mutate(readFileSync(mutation.file, 'utf8'), mutation);
			},
		},
	],
	test: {
		root: resolve(import.meta.dirname, '../..'),
		server: { deps: { external: [/\/src\/messages\/generated\//u] } },
		include: ['test/http/**/*.test.ts'],
		alias: { '@node-rs/argon2': resolve('test/support/app/quick-argon2.ts') },
		globalSetup: ['test/support/services/test-database.ts', 'test/support/services/test-storage.ts'],
		testTimeout: 60_000,
		hookTimeout: 60_000,
	},
});
