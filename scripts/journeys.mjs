/**
 * `node scripts/journeys.mjs [NAME…] [--long] [--scaled]`: runs the journeys of test/e2e, or only the named
 * files, against the built product; `--long` runs their long forms, `--scaled` uses two processes on PostgreSQL and S3
 * behind nginx.
 */
import { build } from './build/dist.mjs';
import { requireNginx } from './services/nginx.mjs';
import { prepare } from './setup/prepare.mjs';
import { endProgramsOnSignal } from './setup/processes.mjs';
import { emptyFailureFolder, failureLines, writeOutput } from './suites/failure-report.mjs';
import { closingLine, runJourneys } from './suites/suites.mjs';

const node = await prepare(import.meta.url);
const args = process.argv.slice(2);
endProgramsOnSignal();
await build(node);
if (args.includes('--long')) process.env.FOLIO_UPLOAD_LONG = '1';
if (args.includes('--scaled')) {
	await requireNginx();
	process.env.FOLIO_TEST_SHAPE = 'scaled';
}
const folder = await emptyFailureFolder('journeys');
const filters = args.filter((arg) => !arg.startsWith('--')).map((name) => `/${name}.spec.ts`);
const result = await runJourneys(filters, { folder });
writeOutput(result, folder);
console.log(result.output, result.problem ?? '');
for (const figure of result.figures ?? []) console.log(figure);
for (const line of failureLines([result], folder)) console.log(line);
console.log(`${closingLine([result])} in ${result.seconds} s`);
process.exitCode = result.failed > 0 ? 1 : 0;
