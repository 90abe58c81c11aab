/** `node scripts/drill.mjs NAME [--short] [--scaled]`: one drill of test/drills against the built product; what it takes stands at its head. */
import { build } from './dist.mjs';
import { emptyFailureFolder, failureLines, writeOutput } from './failures.mjs';
import { endTogether, fail } from './processes.mjs';
import { prepare } from './setup.mjs';
import { listDrills, runDrill } from './suites.mjs';

const node = await prepare(import.meta.url);
const [name, ...args] = process.argv.slice(2);
const names = await listDrills();
if (!names.includes(name)) fail(`Which drill? ${names.length === 0 ? 'There is none yet.' : names.join(', ')}`);
endTogether();
await build(node);
const folder = await emptyFailureFolder(`drill-${name}`);
const result = await runDrill(name, args, { folder, isShown: true });
writeOutput(result, folder);
for (const line of failureLines([result], folder)) console.log(line);
console.log(`${result.name}: ${result.failed === 0 ? 'held' : result.problem}, ${result.seconds} s`);
process.exit(result.failed);
