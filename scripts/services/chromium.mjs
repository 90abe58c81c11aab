import { delimiter, join } from 'node:path';
import { findExecutable, hasApt, installAsRoot, isExecutable } from './debian-packages.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const installCommand = 'apt-get update && apt-get install -y chromium';
const headlessShell = 'chromium-headless-shell';

/**
 * Finds the browser for journeys and screenshots: `CHROMIUM_PATH`, the system's, Playwright's own, or, as
 * root where there is apt, a freshly installed one. Call in the pinned Node, after the packages are installed.
 * @param {{ isShellEnough?: boolean }} options `isShellEnough`: prefer Debian's `chromium-headless-shell`, which has the
 *   same engine without the browser's own windows and PDF viewer, and takes a quarter less time
 * @throws Error naming the command to run when there is none
 */
export async function requireChromium({ isShellEnough = false } = {}) {
	const given = process.env.CHROMIUM_PATH;
	if (given) {
		if (isExecutable(given)) return given;
		throw new Error(`CHROMIUM_PATH names ${given}, which cannot be run.`);
	}
	return (
		(isShellEnough ? await findHeadlessShell() : undefined) ??
		findOnSystem() ??
		(await findOfPlaywright()) ??
		(await install())
	);
}

function findOnSystem() {
	const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter).filter(Boolean)];
	return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable);
}

/** Finds or installs the headless shell. Not every distribution has it: then there is none. */
async function findHeadlessShell() {
	const find = () => findExecutable(headlessShell);
	return (
		find() ??
		(await installAsRoot('No headless Chromium found', `apt-get update && apt-get install -y ${headlessShell}`, find))
	);
}

async function findOfPlaywright() {
	const { chromium } = await import('@playwright/test');
	const file = chromium.executablePath();
	return isExecutable(file) ? file : undefined;
}

async function install() {
	const file = await installAsRoot('No Chromium found', installCommand, findOnSystem);
	if (file !== undefined) return file;
	throw new Error(
		`The browser journeys need Chromium, and none was found. Install it (${hasApt() ? installCommand : 'npx playwright install chromium'}) or set CHROMIUM_PATH.`,
	);
}
