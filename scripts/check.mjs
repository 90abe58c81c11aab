/** `npm run check`: format, lint, messages, import rules, types, unit tests and a core of the HTTP tests on SQLite. */
import { prepare } from './setup.mjs';

await prepare(import.meta.url);
const { endTogether, secondsSince } = await import('./processes.mjs');
const { closingLine } = await import('./suites.mjs');
const { runChecks } = await import('./checks.mjs');

endTogether();
const startedAt = performance.now();
const results = await runChecks();
console.log(`check took ${secondsSince(startedAt)} s`);
console.log(closingLine(results));
process.exit(results.some(({ failed }) => failed > 0) ? 1 : 0);
