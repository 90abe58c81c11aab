/** `npm start`: installs, builds and serves; what is up to date is skipped. */
import { join } from 'node:path';
import { build } from './dist.mjs';
import { become, root } from './processes.mjs';
import { serverEnv } from './server-env.mjs';
import { prepare } from './setup.mjs';

const node = await prepare(import.meta.url);
await build(node);
await become(node, [join(root, 'dist', 'server', 'main.js')], { env: { ...serverEnv, ...process.env } });
