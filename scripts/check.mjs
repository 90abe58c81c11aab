/** `npm run check`: format, lint, messages, import rules, types, unit tests and the fast HTTP tests on SQLite. */
import { prepare } from './setup/prepare.mjs';

await prepare(import.meta.url);
const { endProgramsOnSignal, secondsSince } = await import('./setup/processes.mjs');
const { closingLine } = await import('./suites/suites.mjs');
const { runChecks } = await import('./suites/checks.mjs');
const { emptyFailureFolder, failureLines, writeOutput } = await import('./suites/failure-report.mjs');

endProgramsOnSignal();
const startedAt = performance.now();
const folder = await emptyFailureFolder('check');
const results = await runChecks();
for (const result of results) writeOutput(result, folder);
console.log(`check took ${secondsSince(startedAt)} s`);
for (const line of failureLines(results, folder)) console.log(line);
console.log(closingLine(results));
process.exit(results.some(({ failed }) => failed > 0) ? 1 : 0);
