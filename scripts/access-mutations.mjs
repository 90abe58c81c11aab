/**
 * `node scripts/access-mutations.mjs [WORD]`: removes each access check from the product, one at a time, and checks
 * that a test fails. WORD selects the mutations whose file or text contains it. The last line is the number of
 * mutations for which a test failed. The exit code is 1 if some mutation let all tests pass.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './setup/processes.mjs';
import { makeTemporaryFolder } from './setup/temporary-folder.mjs';

process.chdir(root);
const { listMutations } = await import(pathToFileURL(join(root, 'test/access/mutations.ts')).href);
const [word = ''] = process.argv.slice(2);
const mutations = listMutations().filter(({ file, from }) => `${file} ${from}`.includes(word));

const reportFile = join(makeTemporaryFolder('folio-mutations-'), 'report.json');

function run(mutation, testFile) {
	rmSync(reportFile, { force: true });
	const args = [
		join(root, 'node_modules/vitest/vitest.mjs'),
		...['run', '--config', 'test/access/mutations.config.ts', '--bail=1'],
		...['--reporter=json', `--outputFile.json=${reportFile}`, testFile],
	];
	const env = { ...process.env, FOLIO_MUTATION: JSON.stringify(mutation), NO_COLOR: '1', NODE_ENV: 'test' };
	const { status } = spawnSync(process.execPath, args, { env });
	const report = existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, 'utf8')) : {};
	return { status, failed: report.numFailedTests ?? 0, passed: report.numPassedTests ?? 0 };
}

// Control: without a mutation, every test file passes.
for (const testFile of new Set(mutations.map(({ killedBy }) => killedBy))) {
	const { status, passed } = run(null, testFile);
	console.log(`control  ${testFile}: ${passed} passed`);
	if (status !== 0 || passed === 0) {
		console.error(`${testFile} fails without any mutation.`);
		process.exit(1);
	}
}

let killed = 0;
for (const mutation of mutations) {
	const { failed } = run(mutation, mutation.killedBy);
	// Only failed tests count: if a mutation breaks the product's imports, every file fails, but no test does.
	const isKilled = failed > 0;
	if (isKilled) killed += 1;
	const which = mutation.from.startsWith('access:') ? ` (${mutation.at + 1})` : '';
	console.log(`${isKilled ? 'killed  ' : 'SURVIVED'} ${mutation.file}: ${mutation.from}${which} → ${mutation.to}`);
}
console.log(`access mutations: ${killed}/${mutations.length} killed`);
process.exit(killed === mutations.length ? 0 : 1);
