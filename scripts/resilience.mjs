/**
 * `node scripts/resilience.mjs NAME [--short]`: runs one resilience test of test/resilience against the built product,
 * in its long or its short form; the comment at the top of its file lists further arguments.
 */
import { build } from './build/dist.mjs';
import { prepare } from './setup/prepare.mjs';
import { endProgramsOnSignal, fail } from './setup/processes.mjs';
import { emptyFailureFolder, failureLines, writeOutput } from './suites/failure-report.mjs';
import { listResilienceTests, runResilienceTest } from './suites/suites.mjs';

const node = await prepare(import.meta.url);
const [name, ...args] = process.argv.slice(2);
const names = await listResilienceTests();
if (!names.includes(name)) fail(`Name one of these resilience tests: ${names.join(', ')}`);
endProgramsOnSignal();
await build(node);
const folder = await emptyFailureFolder(`resilience-${name}`);
const result = await runResilienceTest(name, args, { folder, isShown: true });
writeOutput(result, folder);
for (const line of failureLines([result], folder)) console.log(line);
console.log(`${result.name}: ${result.failed === 0 ? 'passed' : result.problem}, ${result.seconds} s`);
process.exit(result.failed);
