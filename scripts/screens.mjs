/**
 * `npm run screens`: photographs every built screen with the demo's data into `./screens`, named
 * SCREEN-WIDTH-THEME-LANGUAGE.png, at 390 and 1440 px, light and dark, in English and Hindi. Fails when a page logs
 * an error, asks a third party for anything, or is wider than its window. `-- --only TEXT,TEXT` takes the screens whose
 * name contains one of the texts, `-- --width 390`, `-- --theme dark`, `-- --lang hi` one variant.
 */
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build/dist.mjs';
import { copyBuild, startServer } from './services/built-server.mjs';
import { requireChromium } from './services/chromium.mjs';
import { chromiumFlags } from './services/chromium-flags.mjs';
import { demoEnvironment, seedDemo } from './services/demo-data.mjs';
import { prepare } from './setup/prepare.mjs';
import { endTogether, fail, root, secondsSince } from './setup/processes.mjs';

const node = await prepare(import.meta.url);
const { values: asked } = parseArgs({
	options: { only: { type: 'string' }, width: { type: 'string' }, theme: { type: 'string' }, lang: { type: 'string' } },
});
const { listScreens } = await import('./screens/screens.mjs');
const { photographAll } = await import('./screens/photograph.mjs');
const { readLabels } = await import('./screens/labels.mjs');
const { chromium } = await import('@playwright/test');

const startedAt = performance.now();
endTogether();
await build(node);
const executablePath = await requireChromium().catch((error) => fail(error.message));
const folder = join(root, 'screens');
const data = await mkdtemp(join(tmpdir(), 'folio-screens-'));
console.error('Making sample data …');
const signIns = await seedDemo(node, data);
const password = /password (\S+) for everybody/u.exec(signIns)?.[1];
const built = await copyBuild();
const env = { ...demoEnvironment(data), LOG_LEVEL: 'warn', RATE_LIMIT_FACTOR: '1000' };
const server = await startServer(node, env, built.program);
const browser = await chromium.launch({ executablePath, args: chromiumFlags });

/** The user agent that the list of devices shows as `Chrome 142 on Android`. */
const userAgent =
	'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';

let faults = [];
let count = 0;
try {
	if (Object.keys(asked).length === 0) await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	const wanted = (asked.only ?? '').split(',');
	const links = {
		statement: join(data, 'statement.csv'),
		setPassword: await findMailedLink('arjun.patil', /\/set-password\?lang=\w+#token=[\w-]+/u),
		orderPending: await findMailedLink('kavita.rao', /\/order\/[\w-]+/u, 'We need another screenshot'),
		orderReceipt: await findMailedLink('asha.verma', /\/order\/[\w-]+\/receipt/u),
	};
	const screens = listScreens(links).filter(({ name }) => wanted.some((text) => name.includes(text)));
	const turns = [];
	for (const variant of listVariants()) {
		for (const group of Map.groupBy(screens, contextOf).values()) {
			const [{ who }] = group;
			const fitting = group.filter((screen) => !(screen.isAlwaysLight && variant.theme === 'dark'));
			count += fitting.length;
			turns.push({ who, variant, screens: fitting });
		}
	}
	const cookies = new Map();
	for (const who of new Set(turns.map((turn) => turn.who))) cookies.set(who, await signIn(who));
	const alone = turns.filter((turn) => turn.screens.some(({ isAlone }) => isAlone));
	const others = turns.filter((turn) => !alone.includes(turn));
	const takeTurns = async (queue) => {
		for (let turn = queue.shift(); turn !== undefined; turn = queue.shift()) {
			const { variant, who } = turn;
			const setting = {
				url: server.url,
				folder,
				variant,
				cookies: cookies.get(who),
				say: readLabels(variant.language),
			};
			faults.push(...(await photographAll(browser, turn.screens, setting)));
		}
	};
	// Two at a time, for two cores.
	await Promise.all([takeTurns(others), takeTurns(others)]);
	await takeTurns(alone);
} finally {
	await browser.close();
	await server.stop();
	await built.remove();
	await rm(data, { recursive: true, force: true });
}

faults = [...new Set(faults)].sort();
for (const fault of faults) console.log(fault);
console.log(`${count} pictures in ${folder}, ${faults.length} faults, ${secondsSince(startedAt)} s`);
process.exit(faults.length === 0 ? 0 : 1);

function* listVariants() {
	for (const width of [1440, 390]) {
		for (const theme of ['light', 'dark']) {
			for (const language of ['en', 'hi']) {
				const isAsked =
					[undefined, String(width)].includes(asked.width) &&
					[undefined, theme].includes(asked.theme) &&
					[undefined, language].includes(asked.lang);
				if (isAsked) yield { width, theme, language };
			}
		}
	}
}

/** Returns the key by which screens share a browser context; a screen with `isAlone` gets its own, and runs alone. */
function contextOf({ name, who, isAlone }) {
	return isAlone ? name : who;
}

/** @returns the session's cookies; empty for a visitor who is not signed in */
async function signIn(email) {
	if (email === undefined) return [];
	const response = await fetch(`${server.url}/api/sign-in`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'user-agent': userAgent },
		body: JSON.stringify({ email, password }),
	});
	if (!response.ok) throw new Error(`${email} cannot sign in: ${response.status} ${await response.text()}`);
	const [pair = ''] = response.headers.getSetCookie();
	const [name, value] = pair.split(';')[0].split('=');
	return [{ name, value, url: server.url }];
}

/** Finds a link in a mail to a buyer of the demo, without origin and language; the mail contains `words`. */
async function findMailedLink(mailbox, form, words = '') {
	const mails = join(data, 'mail');
	for (const name of await readdir(mails)) {
		const text = (await readFile(join(mails, name), 'utf8')).replace(/=\r?\n/gu, '').replaceAll('=3D', '=');
		const link = form.exec(text)?.[0];
		if (text.includes(`To: ${mailbox}@example.com`) && text.includes(words) && link !== undefined)
			return link.replace(/\?lang=\w+/u, '');
	}
	throw new Error(`No mail to ${mailbox} with such a link was found.`);
}
