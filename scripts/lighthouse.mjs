/**
 * `npm run lighthouse`: runs Lighthouse in its mobile preset, five times for each language, on the landing page of the
 * built product: of the demo, and of a cookbook with its own texts, colours and pictures of 24 megapixels. Prints the
 * medians; fails when a category's median is below 98, or the layout shifts by more than 0.02. The first run installs
 * Lighthouse into bench/lighthouse. `-- --short` measures once.
 */
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from '../bench/measure/rounds.mjs';
import { build } from './build/dist.mjs';
import { copyBuild, startServer } from './services/built-server.mjs';
import { requireChromium } from './services/chromium.mjs';
import { chromiumFlags } from './services/chromium-flags.mjs';
import { demoEnvironment, seedDemo } from './services/demo-data.mjs';
import { prepare } from './setup/prepare.mjs';
import { capture, endProgramsOnSignal, fail, root, runInTerminal } from './setup/processes.mjs';

const categories = ['performance', 'accessibility', 'best-practices', 'seo'];
const minScore = 98;
const maxShift = 0.02;
/** Figures printed besides the categories: Lighthouse's audit ID, our label, number of decimals. */
const figures = [
	['cumulative-layout-shift', 'layout shift', 4],
	['first-contentful-paint', 'first contentful paint, ms', 0],
	['largest-contentful-paint', 'largest contentful paint, ms', 0],
	['total-blocking-time', 'total blocking time, ms', 0],
	['total-byte-weight', 'bytes transferred', 0],
];
const owner = { ADMIN_EMAIL: 'owner@example.com', ADMIN_PASSWORD: 'the owner signs in' };
const pages = { English: '/?lang=en', Hindi: '/?lang=hi' };

const node = await prepare(import.meta.url);
const { values: options } = parseArgs({ options: { short: { type: 'boolean' } } });
const runs = options.short ? 1 : 5;
endProgramsOnSignal();
await build(node);
const chromePath = await requireChromium().catch((error) => fail(error.message));
const { lighthouse, launch } = await loadLighthouse();
const built = await copyBuild();
const faults = [];
try {
	await withInstallation(async (folder) => {
		await seedDemo(node, folder);
		await withServer(demoEnvironment(folder), (url) => measurePages('the demo', url));
	});
	await withInstallation((folder) =>
		withServer({ ...demoEnvironment(folder), ...owner }, async (url) => {
			await publishCookbook(url);
			await measurePages('a cookbook', url);
		}),
	);
} finally {
	await built.remove();
}
for (const fault of faults) console.log(fault);
process.exit(faults.length === 0 ? 0 : 1);

async function withInstallation(use) {
	const folder = await mkdtemp(join(tmpdir(), 'folio-lighthouse-'));
	try {
		await use(folder);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

async function withServer(env, use) {
	const server = await startServer(node, { ...env, LOG_LEVEL: 'warn' }, built.program);
	try {
		await use(server.url);
	} finally {
		await server.stop();
	}
}

async function publishCookbook(url) {
	const seed = join(root, 'bench', 'seeds', 'seed-cookbook.ts');
	const { code, output } = await capture(node, [seed, url, owner.ADMIN_EMAIL, owner.ADMIN_PASSWORD]);
	if (code !== 0) throw new Error(`The cookbook could not be published.\n${output}`);
}

/** Measures the landing page in each language, prints the medians, and adds to `faults`. */
async function measurePages(storefront, url) {
	for (const [language, path] of Object.entries(pages)) {
		const measured = [];
		for (let run = 0; run < runs; run += 1) measured.push(await measure(`${url}${path}`));
		console.log(`\nLanding page of ${storefront} in ${language}: medians of ${runs}`);
		const medianOf = (key) => median(measured.map((figuresOfRun) => figuresOfRun[key]));
		for (const category of categories) {
			const score = medianOf(category);
			console.log(`${category.padEnd(32)}${score.toFixed(0).padStart(8)}`);
			if (score < minScore) faults.push(`${storefront}, ${language}: ${category} ${score}, not ${minScore}`);
		}
		for (const [id, name, digits] of figures)
			console.log(`${name.padEnd(32)}${medianOf(id).toFixed(digits).padStart(8)}`);
		const shift = medianOf('cumulative-layout-shift');
		if (shift > maxShift)
			faults.push(`${storefront}, ${language}: the layout shifts by ${shift}, more than ${maxShift}`);
	}
}

/** Runs Lighthouse once in a new browser, as on a first visit. */
async function measure(url) {
	const chrome = await launch({ chromePath, chromeFlags: ['--headless=new', ...chromiumFlags] });
	try {
		const { lhr } = await lighthouse(url, { port: chrome.port, onlyCategories: categories, logLevel: 'error' });
		if (lhr.runtimeError) throw new Error(`Lighthouse: ${lhr.runtimeError.message}`);
		for (const { id, score, title, explanation = '' } of Object.values(lhr.audits))
			if (score === 0) console.error(`${new URL(url).search} ${id}: ${title} ${explanation}`);
		return {
			...Object.fromEntries(categories.map((id) => [id, Math.round(lhr.categories[id].score * 100)])),
			...Object.fromEntries(figures.map(([id]) => [id, lhr.audits[id].numericValue])),
		};
	} finally {
		chrome.kill();
	}
}

/** Loads Lighthouse and its browser launcher; installs them from their own lockfile if needed. */
async function loadLighthouse() {
	const home = join(root, 'bench', 'lighthouse');
	const { dependencies } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
	const packageFile = join(home, 'node_modules', 'lighthouse', 'package.json');
	const isInstalled =
		existsSync(packageFile) && JSON.parse(readFileSync(packageFile, 'utf8')).version === dependencies.lighthouse;
	if (!isInstalled) {
		console.error('Installing Lighthouse …');
		const code = await runInTerminal('npm', ['ci', '--loglevel=error'], {
			cwd: home,
			shell: process.platform === 'win32',
		});
		if (code !== 0) fail(`npm ci in ${home} failed (exit code ${code}).`);
	}
	const { resolve } = createRequire(join(home, 'package.json'));
	const load = (name) => import(pathToFileURL(resolve(name)).href);
	const [{ default: lighthouse }, { launch }] = await Promise.all([load('lighthouse'), load('chrome-launcher')]);
	return { lighthouse, launch };
}
