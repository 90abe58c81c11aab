import { findExecutable, hasApt, installAsRoot, isExecutable } from './debian-packages.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const headlessShell = 'chromium-headless-shell';
// The shell may fail to install, because not every distribution has it.
const installCommand = `apt-get update && apt-get install -y chromium && (apt-get install -y ${headlessShell} || true)`;

/**
 * Finds the browser for journeys and screenshots: `CHROMIUM_PATH`, the system's Chromium, or Playwright's.
 * Otherwise installs Chromium if this process is root and has apt. Requires the pinned Node and the installed packages.
 * @param {{ isShellEnough?: boolean }} options `isShellEnough`: prefers Debian's `chromium-headless-shell`, which has the
 *   same engine but no browser windows and no PDF viewer, and takes a quarter less time
 * @throws Error with the installation command when there is none
 */
export async function requireChromium({ isShellEnough = false } = {}) {
	const configuredPath = process.env.CHROMIUM_PATH;
	if (configuredPath) {
		if (isExecutable(configuredPath)) return configuredPath;
		throw new Error(`CHROMIUM_PATH names ${configuredPath}, which cannot be run.`);
	}
	const shell = isShellEnough ? findExecutable(headlessShell) : undefined;
	return shell ?? findOnSystem() ?? (await findPlaywrightChromium()) ?? (await install());
}

function findOnSystem() {
	return names.map(findExecutable).find(Boolean);
}

async function findPlaywrightChromium() {
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
