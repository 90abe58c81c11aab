/** `npm run cli -- COMMAND`: runs an operator's command from the same build as the server. */
import { join } from 'node:path';
import { build } from './build/dist.mjs';
import { prepare } from './setup/prepare.mjs';
import { root, runInPlace } from './setup/processes.mjs';

const node = await prepare(import.meta.url);
await build(node);
await runInPlace(node, [join(root, 'dist', 'server', 'cli.js'), ...process.argv.slice(2)]);
