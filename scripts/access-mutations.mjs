/**
 * `node scripts/access-mutations.mjs [WORD]`: removes each access check from the product, one at a time, and checks
 * that a test fails. WORD selects the mutations whose file or text contains it. The last line is the number of
 * mutations for which a test failed. The exit code is 1 if some mutation let all tests pass, or if a test fails without
 * a mutation.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createVitest } from 'vitest/node';
import { root } from './setup/processes.mjs';

process.chdir(root);
process.env.NODE_ENV = 'test';
const { listMutations } = await import(pathToFileURL(join(root, 'test/access/mutations.ts')).href);
const [word = ''] = process.argv.slice(2);
const mutations = listMutations().filter(({ file, from }) => `${file} ${from}`.includes(word));

// One Vitest for all runs, so that modules without a mutation are transformed once.
const options = { config: 'test/access/mutations.config.ts', watch: false, bail: 1, reporters: [{}] };
const vitest = await createVitest('test', options);

/** Runs the tests of a file that match `names` with the mutation, which mutations.config.ts applies; null: without one. */
async function run(mutation, testFile, names = /(?:)/u) {
	globalThis.accessMutation = mutation;
	vitest.setGlobalTestNamePattern(names);
	const invalidate = () => mutation !== null && vitest.invalidateFile(join(root, mutation.file));
	invalidate();
	const { testModules } = await vitest.runTestSpecifications(await vitest.globTestSpecifications([testFile]));
	invalidate();
	// Vitest also returns the failed modules of earlier runs.
	const own = testModules.filter(({ moduleId }) => moduleId.endsWith(testFile));
	const results = own.flatMap(({ children }) => [...children.allTests()]).map((test) => test.result());
	const count = (state) => results.filter((result) => result.state === state).length;
	return { failed: count('failed'), passed: count('passed') };
}

/** Returns a pattern of the tests of the endpoint that the mutation makes public; null when its text names none. */
function findNamesOfTests({ file, from, at }) {
	if (!from.startsWith('endpoint(')) return null;
	const route = /'([A-Z]+ \/[^']*)'/u.exec(readFileSync(file, 'utf8').split(from)[at + 1])?.[1];
	return route === undefined
		? null
		: new RegExp(`${route.replaceAll(/\{(\w+)\}/gu, ':$1').replaceAll('.', '\\.')}(?![\\w/:.-])`, 'u');
}

/** Runs the tests of the endpoint first, because the whole file takes a minute. */
async function isFound(mutation) {
	const names = findNamesOfTests(mutation);
	if (names !== null && (await run(mutation, mutation.killedBy, names)).failed > 0) return true;
	return (await run(mutation, mutation.killedBy)).failed > 0;
}

const checkedFiles = new Set();
let killed = 0;
for (const mutation of mutations) {
	const { file, from, to, at, killedBy } = mutation;
	if (!checkedFiles.has(killedBy)) {
		checkedFiles.add(killedBy);
		// Control: without a mutation, the test file passes.
		const { failed, passed } = await run(null, killedBy);
		console.log(`control  ${killedBy}: ${passed} passed`);
		if (failed > 0 || passed === 0) {
			console.error(`${killedBy} fails without any mutation.`);
			process.exit(1);
		}
	}
	// Only failed tests count: if a mutation breaks the product's imports, every file fails, but no test does.
	const isKilled = await isFound(mutation);
	if (isKilled) killed += 1;
	const which = from.startsWith('access:') ? ` (${at + 1})` : '';
	console.log(`${isKilled ? 'killed  ' : 'SURVIVED'} ${file}: ${from}${which} → ${to}`);
}
console.log(`access mutations: ${killed}/${mutations.length} killed`);
process.exit(killed === mutations.length ? 0 : 1);
