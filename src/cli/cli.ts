import { existsSync } from 'node:fs';
import dotenv from 'dotenv';
import { runCommand } from './commands.ts';

if (existsSync('.env')) dotenv.config({ quiet: true });
process.exit(await runCommand(process.argv.slice(2), process.env));
