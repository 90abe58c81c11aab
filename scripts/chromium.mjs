import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { show } from './processes.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const installCommand = 'apt-get update && apt-get install -y chromium';

/**
 * Finds the browser for journeys and pictures: `CHROMIUM_PATH`, the system's, Playwright's own, or, as
 * root where there is apt, a freshly installed one. Call in the pinned Node, after the packages are there.
 * @throws Error naming the command to run when there is none
 */
export async function requireChromium() {
	const given = process.env.CHROMIUM_PATH;
	if (given) {
		if (isExecutable(given)) return given;
		throw new Error(`CHROMIUM_PATH names ${given}, which cannot be run.`);
	}
	return findOnSystem() ?? (await findOfPlaywright()) ?? (await installAsRoot());
}

function findOnSystem() {
	const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter).filter(Boolean)];
	return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable);
}

async function findOfPlaywright() {
	const { chromium } = await import('@playwright/test');
	const file = chromium.executablePath();
	return isExecutable(file) ? file : undefined;
}

async function installAsRoot() {
	const isRoot = process.getuid?.() === 0;
	const hasApt = spawnSync('apt-get', ['--version']).status === 0;
	if (isRoot && hasApt) {
		console.error(`No Chromium found: ${installCommand}`);
		const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
		if ((await show('sh', ['-c', installCommand], { env })) === 0) {
			const file = findOnSystem();
			if (file !== undefined) return file;
		}
	}
	throw new Error(
		`The browser journeys need Chromium, and none was found. Install it (${hasApt ? installCommand : 'npx playwright install chromium'}) or set CHROMIUM_PATH.`,
	);
}

function isExecutable(file) {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}
