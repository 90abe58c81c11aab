import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

/**
 * Timeouts for a test that hangs and for a poll whose event never comes. They do not check speed: a busy machine takes
 * twenty times as long. A test of a deadline measures the time itself.
 */
const testTimeoutMs = 300_000;
const pollTimeoutMs = 60_000;

/** The services of each project of HTTP tests: the database, and where files are. */
const services = {
	'': {},
	'-postgres': { FOLIO_TEST_DB: 'postgres' },
	'-s3': { FOLIO_TEST_STORAGE: 's3' },
	'-postgres-s3': { FOLIO_TEST_DB: 'postgres', FOLIO_TEST_STORAGE: 's3' },
};

const allKinds = ['**/*.{slow,heavy,long,scaled}.test.{ts,tsx}'];

/** A project of tests of the real app in one process; `kind`: see below. */
function httpProject(name: string, kind: string, on: keyof typeof services = '') {
	return {
		extends: true as const,
		test: {
			name: `${name}${on}`,
			include: [`test/http/**/${kind}.test.ts`],
			exclude: kind === '*' ? (on === '' ? allKinds : ['**/*.long.test.ts']) : [],
			env: services[on],
			// Argon2 at the lowest cost. passwords.test.ts checks the cost that the product uses.
			alias: { '@node-rs/argon2': resolve('test/support/app/quick-argon2.ts') },
			globalSetup: ['test/support/services/test-database.ts', 'test/support/services/test-storage.ts'],
		},
	};
}

/**
 * Test files are `NAME.test.ts` or `NAME.KIND.test.ts`. `slow` tests use large files, images, several processes or waits:
 * `npm run check` leaves them out so that it ends within a minute, and `npm test` runs them. `heavy` tests take tens of
 * seconds each: only `npm test -- --ci` and `-- --long` run them. `long` tests take minutes each and give the same result
 * on every database: only `npm test -- --long` runs them, on SQLite. `scaled` tests need PostgreSQL (several server
 * processes on one database) or an S3 store, and do not run on SQLite with a disk.
 */
export default defineConfig({
	test: {
		projects: [
			unitProject('unit', '*'),
			unitProject('unit-slow', '*.slow'),
			httpProject('http', '*'),
			httpProject('http-slow', '*.slow'),
			httpProject('http-heavy', '*.heavy'),
			httpProject('http-long', '*.long'),
			httpProject('http', '*', '-postgres'),
			httpProject('http', '*', '-s3'),
			httpProject('http', '*', '-postgres-s3'),
		],
		environment: 'node',
		// Modules are shared between files, because loading the product again for each file took most of the run. Each file
		// creates its own app, database and folder.
		isolate: false,
		maxWorkers: 2,
		// Generated plain JavaScript in a thousand modules, which Node can load without Vite.
		server: { deps: { external: [/\/src\/messages\/generated\//u] } },
		testTimeout: testTimeoutMs,
		hookTimeout: testTimeoutMs,
		expect: { poll: { timeout: pollTimeoutMs } },
	},
});

/** A project of tests beside the code, and of the repository's own rules. */
function unitProject(name: string, kind: string) {
	return {
		extends: true as const,
		test: {
			name,
			include: [`src/**/${kind}.test.{ts,tsx}`, `test/repository/${kind}.test.ts`],
			exclude: kind === '*' ? allKinds : [],
		},
	};
}
