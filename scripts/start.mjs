/** `npm start`: installs, builds and serves; skips the steps that are up to date. */
import { join } from 'node:path';
import { build } from './build/dist.mjs';
import { prepare } from './setup/prepare.mjs';
import { root, runInPlace } from './setup/processes.mjs';
import { serverEnv } from './setup/server-env.mjs';

const node = await prepare(import.meta.url);
await build(node);
await runInPlace(node, [join(root, 'dist', 'server', 'main.js')], { env: { ...serverEnv, ...process.env } });
