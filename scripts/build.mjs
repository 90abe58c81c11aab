/** `npm run build`: what `npm start` would serve, without serving it. */
import { build } from './dist.mjs';
import { prepare } from './setup.mjs';

await build(await prepare(import.meta.url));
