/** `npm run build`: builds what `npm start` would serve, without serving it. */
import { build } from './build/dist.mjs';
import { prepare } from './setup/prepare.mjs';

await build(await prepare(import.meta.url));
