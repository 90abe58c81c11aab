/** `node scripts/journeys.mjs [NAME…] [--long]`: journeys of test/e2e against the built product; `--long`: their long forms. */
import { build } from './dist.mjs';
import { endTogether } from './processes.mjs';
import { prepare } from './setup.mjs';
import { closingLine, runJourneys } from './suites.mjs';

const node = await prepare(import.meta.url);
const args = process.argv.slice(2);
endTogether();
await build(node);
if (args.includes('--long')) Object.assign(process.env, { FOLIO_UPLOAD_LONG: '1', FOLIO_UPLOAD_MB: '300' });
const result = await runJourneys(args.filter((arg) => arg !== '--long').map((name) => `/${name}.spec.ts`));
console.log(result.output, result.problem ?? '');
for (const figure of result.figures ?? []) console.log(figure);
console.log(`${closingLine([result])} in ${result.seconds} s`);
process.exitCode = result.failed > 0 ? 1 : 0;
