import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';
import { chromiumFlags } from './scripts/services/chromium-flags.mjs';

const systemChromium = '/usr/bin/chromium';

/** What buyers and owners do every day, from the form to the book: `npm test` runs these. */
const core = [
	/orders\/(?:checkout.*|order-page|order-management|sale-end-to-end)\.spec\.ts$/u,
	/app\/(?:shell|screen-access)\.spec\.ts$/u,
	/accounts\/(?:account|two-factor)\.spec\.ts$/u,
	/book\/(?:reader|book-access)\.spec\.ts$/u,
	/files\/(?:files|upload-resume)\.spec\.ts$/u,
	/(?:sharing\/sharing|chat\/chat|storefront\/storefront)\.spec\.ts$/u,
];

/** A third of all the time that journeys take, and what must not run beside anything: `npm test -- --long` and `npm run journeys` run them. */
const long =
	/(?:accessibility|videos|huge-folder|hostile-files|bulk-completion|previews|reader-large-pdfs|landing-page-weight|shared-course|upload-folders|visits)\.spec\.ts$/u;

/** Journeys in a real Chromium. `npm test` finds the browser and names it in CHROMIUM_PATH. */
export default defineConfig({
	testDir: 'test/e2e',
	outputDir: 'test-results/playwright',
	fullyParallel: false,
	forbidOnly: Boolean(process.env.CI),
	workers: 2,
	retries: 0,
	// When a journey that hangs is given up, and one that waits for what never comes, as in vitest.config.ts. Neither judges how
	// quick anything is: a promised deadline is asserted by the journey itself.
	timeout: 300_000,
	expect: { timeout: 60_000 },
	// `npm run journeys -- --scaled`: two processes on PostgreSQL behind nginx instead of one on its embedded database.
	...(process.env.FOLIO_TEST_SHAPE === 'scaled' && { globalSetup: './test/support/browser/scaled-setup.ts' }),
	reporter: [['list']],
	projects: [
		{ name: 'long', testMatch: long },
		// Second forms of what a journey beside them shows: `tag: '@long'`.
		{ name: 'long forms', testIgnore: long, grep: /@long/u },
		{ name: 'core', testMatch: core, grepInvert: /@long/u },
		// With `core`, all that `npm test -- --ci` runs.
		{ name: 'other', testIgnore: [...core, long], grepInvert: /@long/u },
	],
	use: {
		screenshot: 'only-on-failure',
		// Steps, their times, the network and the console. Copies of the page at each step took half as much processor time again.
		trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
		launchOptions: {
			executablePath: process.env.CHROMIUM_PATH || (existsSync(systemChromium) ? systemChromium : undefined),
			args: chromiumFlags,
			// Chromium saves a file under no name but in ASCII where the environment names no such locale.
			env: { ...process.env, LC_ALL: 'C.UTF-8' },
		},
	},
});
