/**
 * `npm run demo`: serves an installation with sample users, files, orders and a small book, recreated in
 * `./data-demo` at each run. `-- --dir FOLDER` uses another folder, `-- --seed-only` only creates the data.
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build/dist.mjs';
import { demoEnvironment, seedDemo } from './services/demo-data.mjs';
import { freePort } from './services/free-port.mjs';
import { prepare } from './setup/prepare.mjs';
import { fail, root, runInPlace } from './setup/processes.mjs';
import { serverEnv } from './setup/server-env.mjs';

const node = await prepare(import.meta.url);
const { values: options } = parseArgs({ options: { dir: { type: 'string' }, 'seed-only': { type: 'boolean' } } });
const folder = resolve(root, options.dir ?? 'data-demo');

const host = process.env.HOST || '127.0.0.1';
// Uses another port if a real installation runs on the usual port.
const port = process.env.PORT || String(await freePort(host, 3000));
// Set before the mails are written, because their links contain the port.
Object.assign(process.env, { HOST: host, PORT: port });

console.error(`Making sample data in ${folder} …`);
console.log(await seedDemo(node, folder).catch((error) => fail(error.message)));

if (!options['seed-only']) {
	await build(node);
	console.log(`\nStorefront  http://${host}:${port}/\nSign in     http://${host}:${port}/login\n`);
	const env = { ...demoEnvironment(folder), LOG_LEVEL: process.env.LOG_LEVEL || 'warn' };
	await runInPlace(node, [join(root, 'dist', 'server', 'main.js')], { env: { ...serverEnv, ...env } });
}
