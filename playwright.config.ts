import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

const systemChromium = '/usr/bin/chromium';
const isRoot = process.getuid?.() === 0;

/** Journeys in a real Chromium. `npm test` finds the browser and names it in CHROMIUM_PATH. */
export default defineConfig({
	testDir: 'test/e2e',
	outputDir: 'test-results',
	fullyParallel: false,
	forbidOnly: Boolean(process.env.CI),
	workers: 2,
	retries: 0,
	timeout: 120_000,
	expect: { timeout: 10_000 },
	reporter: [['list']],
	use: {
		screenshot: 'only-on-failure',
		launchOptions: {
			executablePath: process.env.CHROMIUM_PATH || (existsSync(systemChromium) ? systemChromium : undefined),
			args: [
				...(isRoot ? ['--no-sandbox'] : []),
				'--disable-gpu',
				'--disable-quic',
				'--no-first-run',
				'--disable-background-networking',
				'--disable-component-update',
				'--disable-sync',
			],
		},
	},
});
