/** `npm run cli -- COMMAND`: the operator's commands, from the same build as the server. */
import { join } from 'node:path';
import { build } from './dist.mjs';
import { become, root } from './processes.mjs';
import { prepare } from './setup.mjs';

const node = await prepare(import.meta.url);
await build(node);
await become(node, [join(root, 'dist', 'server', 'cli.js'), ...process.argv.slice(2)]);
