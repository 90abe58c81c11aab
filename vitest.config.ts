import { defineConfig } from 'vitest/config';

/**
 * `unit`: everything beside its code, and the house rules. `http`: the real app, in process, on the
 * database that FOLIO_TEST_DB names (sqlite, the default, or postgres).
 */
export default defineConfig({
	test: {
		projects: [
			{
				extends: true,
				test: { name: 'unit', include: ['src/**/*.test.{ts,tsx}', 'test/house/**/*.test.ts'] },
			},
			{
				extends: true,
				test: {
					name: 'http',
					include: ['test/http/**/*.test.ts'],
					globalSetup: ['test/support/postgres.ts', 'test/support/spec-report.ts'],
					hookTimeout: 30_000,
				},
			},
		],
		environment: 'node',
		// Each file makes its app, database and folder itself; reading the whole product again for each took most of the run.
		isolate: false,
		maxWorkers: 2,
		testTimeout: 20_000,
	},
});
