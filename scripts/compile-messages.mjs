/** `npm run messages`: compiles the message files after they were edited. */
import { compileMessages } from './messages.mjs';
import { fail } from './processes.mjs';
import { prepare } from './setup.mjs';

const node = await prepare(import.meta.url);
await compileMessages(node).catch((error) => fail(error.message));
