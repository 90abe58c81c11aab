/** `npm run messages`: compiles the message files after they were edited. */
import { compileMessages } from './build/messages.mjs';
import { prepare } from './setup/prepare.mjs';
import { fail } from './setup/processes.mjs';

const node = await prepare(import.meta.url);
await compileMessages(node).catch((error) => fail(error.message));
