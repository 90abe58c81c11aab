import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';
import { chromiumFlags } from './scripts/services/chromium-flags.mjs';

const systemChromium = '/usr/bin/chromium';

/** The most important journeys of buyers and owners, which `npm test` runs. */
const core = [
	/orders\/(?:checkout.*|order-page|order-management|sale-end-to-end)\.spec\.ts$/u,
	/app\/(?:shell|screen-access|navigation)\.spec\.ts$/u,
	/accounts\/(?:account|two-factor)\.spec\.ts$/u,
	/book\/(?:reader|book-access)\.spec\.ts$/u,
	/files\/(?:files|upload-resume)\.spec\.ts$/u,
	/(?:sharing\/sharing|chat\/chat|storefront\/storefront)\.spec\.ts$/u,
];

/**
 * Journeys that take a third of the total time, need Chromium itself, or must not run beside others. `npm test -- --long`
 * and `npm run journeys` run them all, `npm test -- --ci` one of them.
 */
const long =
	/(?:videos|huge-folder|hostile-files|bulk-completion|reader-large-pdfs|landing-page-weight|upload-folders|visits)\.spec\.ts$/u;

/** Journeys in a real Chromium. `npm test` finds the browser and names it in CHROMIUM_PATH. */
export default defineConfig({
	testDir: 'test/e2e',
	outputDir: 'test-results/playwright',
	fullyParallel: false,
	forbidOnly: Boolean(process.env.CI),
	workers: 2,
	retries: 0,
	// Timeouts for a journey that hangs and for an assertion that never holds, as in vitest.config.ts. They do not check speed.
	timeout: 300_000,
	expect: { timeout: 60_000 },
	// `npm run journeys -- --scaled`: two processes on PostgreSQL and S3 behind nginx instead of one on its embedded database.
	...(process.env.FOLIO_TEST_SHAPE === 'scaled' && { globalSetup: './test/support/browser/scaled-setup.ts' }),
	reporter: [['list']],
	projects: [
		{ name: 'long', testMatch: long },
		// Variants of a journey in the same file.
		{ name: 'variants', testIgnore: long, grep: /@variant/u },
		{ name: 'core', testMatch: core, grepInvert: /@variant/u },
		// `npm test -- --ci` runs these too.
		{ name: 'other', testIgnore: [...core, long], grepInvert: /@variant/u },
	],
	use: {
		screenshot: 'only-on-failure',
		// Traces contain steps, times, network and console. Page snapshots would make the journeys use 50% more CPU time.
		trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
		launchOptions: {
			executablePath: process.env.CHROMIUM_PATH || (existsSync(systemChromium) ? systemChromium : undefined),
			args: chromiumFlags,
			// Without a UTF-8 locale Chromium cannot save a file under a name that is not ASCII.
			env: { ...process.env, LC_ALL: 'C.UTF-8' },
		},
	},
});
