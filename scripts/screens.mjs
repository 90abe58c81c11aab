/**
 * `npm run screens`: takes screenshots of every screen, with the demo's data. The variants are 390 and 1440 px, light and
 * dark, English and Hindi; the files are `./screens/SCREEN-WIDTH-THEME-LANGUAGE.png`. Fails when a page logs an error,
 * sends a request to another host, or is wider than its window. `-- --only TEXT,TEXT` selects the screens whose name
 * contains one of the texts; `-- --width 390`, `-- --theme dark` and `-- --lang hi` select variants.
 */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build/dist.mjs';
import { copyBuild, startServer } from './services/built-server.mjs';
import { requireChromium } from './services/chromium.mjs';
import { chromiumFlags } from './services/chromium-flags.mjs';
import { demoEnvironment, seedDemo } from './services/demo-data.mjs';
import { prepare } from './setup/prepare.mjs';
import { endProgramsOnSignal, fail, root, secondsSince } from './setup/processes.mjs';
import { makeTemporaryFolder } from './setup/temporary-folder.mjs';

const node = await prepare(import.meta.url);
const { values: options } = parseArgs({
	options: { only: { type: 'string' }, width: { type: 'string' }, theme: { type: 'string' }, lang: { type: 'string' } },
});
const { listScreens } = await import('./screens/screens.mjs');
const { photographAll } = await import('./screens/photograph.mjs');
const { demoPassword, readLabels } = await import('./screens/common.mjs');
const { chromium } = await import('@playwright/test');

const startedAt = performance.now();
endProgramsOnSignal();
await build(node);
const executablePath = await requireChromium().catch((error) => fail(error.message));
const folder = join(root, 'screens');
const data = makeTemporaryFolder('folio-screens-');
console.error('Making sample data …');
await seedDemo(node, data);
const { program } = await copyBuild();
const env = { ...demoEnvironment(data), LOG_LEVEL: 'warn', RATE_LIMIT_FACTOR: '1000' };
const server = await startServer(node, env, program);
const browser = await chromium.launch({ executablePath, args: chromiumFlags });

/** The user agent that the list of devices shows as `Chrome 142 on Android`. */
const userAgent =
	'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';

if (Object.keys(options).length === 0) await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const nameParts = (options.only ?? '').split(',');
const links = {
	statement: join(data, 'statement.csv'),
	setPassword: await findMailedLink('arjun.patil', /\/set-password\?lang=\w+#token=[\w-]+/u),
	orderPending: await findMailedLink('kavita.rao', /\/order\/[\w-]+/u, 'We need another screenshot'),
	orderReceipt: await findMailedLink('asha.verma', /\/order\/[\w-]+\/receipt/u),
};
const screens = listScreens(links).filter(({ name }) => nameParts.some((text) => name.includes(text)));
const cookies = new Map();
for (const who of new Set(screens.map((screen) => screen.who))) cookies.set(who, await signIn(who));
// The screens of one account share a browser context; a screen with `isAlone` has its own.
const groups = [...Map.groupBy(screens, ({ name, who, isAlone }) => (isAlone ? name : who)).values()];
const batches = [...listVariants()].flatMap((variant) =>
	groups.map((group) => ({
		variant,
		who: group[0].who,
		isAlone: group[0].isAlone,
		screens: group.filter(({ isAlwaysLight }) => !(isAlwaysLight && variant.theme === 'dark')),
	})),
);
const faults = new Set();
const runBatches = async (queue) => {
	for (let batch = queue.shift(); batch !== undefined; batch = queue.shift()) {
		const { variant, who } = batch;
		const setting = { url: server.url, folder, variant, cookies: cookies.get(who), t: readLabels(variant.language) };
		for (const fault of await photographAll(browser, batch.screens, setting)) faults.add(fault);
	}
};
const parallel = batches.filter(({ isAlone }) => !isAlone);
// Two batches run at a time, for two cores.
await Promise.all([runBatches(parallel), runBatches(parallel)]);
await runBatches(batches.filter(({ isAlone }) => isAlone));
await browser.close();
await server.stop();

for (const fault of [...faults].sort()) console.log(fault);
const count = batches.reduce((sum, batch) => sum + batch.screens.length, 0);
console.log(`${count} pictures in ${folder}, ${faults.size} faults, ${secondsSince(startedAt)} s`);
process.exit(faults.size === 0 ? 0 : 1);

function* listVariants() {
	const isSelected = (option, value) => option === undefined || option === String(value);
	for (const width of [1440, 390].filter((value) => isSelected(options.width, value)))
		for (const theme of ['light', 'dark'].filter((value) => isSelected(options.theme, value)))
			for (const language of ['en', 'hi'].filter((value) => isSelected(options.lang, value)))
				yield { width, theme, language };
}

async function signIn(email) {
	if (email === undefined) return [];
	const response = await fetch(`${server.url}/api/sign-in`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'user-agent': userAgent },
		body: JSON.stringify({ email, password: demoPassword }),
	});
	if (!response.ok) throw new Error(`${email} cannot sign in: ${response.status} ${await response.text()}`);
	const [pair = ''] = response.headers.getSetCookie();
	const [name, value] = pair.split(';')[0].split('=');
	return [{ name, value, url: server.url }];
}

/** Finds the link that matches `form` in a demo mail whose text contains `words`. @returns its path, without `lang` */
async function findMailedLink(mailbox, form, words = '') {
	const mails = join(data, 'mail');
	for (const name of await readdir(mails)) {
		const text = (await readFile(join(mails, name), 'utf8')).replace(/=\r?\n/gu, '').replaceAll('=3D', '=');
		const link = form.exec(text)?.[0];
		if (text.includes(`To: ${mailbox}@example.com`) && text.includes(words) && link !== undefined)
			return link.replace(/\?lang=\w+/u, '');
	}
	throw new Error(`No mail to ${mailbox} with this link was found.`);
}
