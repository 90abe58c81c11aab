import { existsSync } from 'node:fs';
import dotenv from 'dotenv';
import { runCommand } from './commands.ts';

if (existsSync('.env')) dotenv.config({ quiet: true });
// Not `await`, because the build is CommonJS.
void runCommand(process.argv.slice(2), process.env).then((code) => process.exit(code));
