/**
 * Sends 10,000 visits a minute from 2,000 addresses to a storefront that is read at the same time. Every visit is
 * acknowledged and every page is answered, and after a kill (-9) at the last answer the owner's figures include
 * every visit. The duration of the answers is measured by `npm run bench` (visits).
 * Control: with a server that acknowledges before the commit, the checks must find lost visits.
 *
 * `node scripts/resilience.mjs visits [--short]`: with `--short`, a quarter of a minute at the same rate.
 */
import { Agent } from 'node:http';
import { readPage, readsPerSecond, runAtRate, sendVisit, visitsPerSecond } from '../support/fixtures/visits.ts';
import type { BuiltServer } from '../support/services/built-server.ts';
import { signInOwner } from '../support/services/server-client.ts';
import { finishTest, isShort, printLine } from './support/report.ts';
import { openServer } from './support/server.ts';
import { type Rewrite, runControl } from './support/server-variant.ts';

const loadSeconds = isShort ? 15 : 60;

const failures: string[] = [];
const outcome = await runScenario(loadSeconds);
printLine(
	`${outcome.acknowledged} visits acknowledged in ${loadSeconds} s, ${outcome.refused} refused; ${outcome.counted} counted after kill -9`,
);
failures.push(...checkOutcome(outcome));

const acknowledgedEarly: Rewrite = {
	file: 'features/storefront/visits/visit-recorder.ts',
	find: /queue\.push\((\{ visit: toRecordedVisit\(deps, caller, note\), resolve, reject \})\);/u,
	replace: 'queue.push($1); resolve();',
};
const control = async (dist: string) => checkOutcome(await runScenario(3, dist));
failures.push(...(await runControl('acknowledged-early', [acknowledgedEarly], control, /./u)));
finishTest(failures);

function checkOutcome({ acknowledged, refused, counted, summed }: Awaited<ReturnType<typeof runScenario>>): string[] {
	const faults: string[] = [];
	if (refused > 0) faults.push(`${refused} visits were refused`);
	if (counted !== acknowledged) faults.push(`${acknowledged} visits were acknowledged, ${counted} are counted`);
	if (summed !== acknowledged) faults.push(`the visits of all addresses add up to ${summed}, not to ${acknowledged}`);
	return faults;
}

async function runScenario(seconds: number, dist?: string) {
	await using server = await openServer(dist, { RATE_LIMIT_FACTOR: '1', TRUST_PROXY: 'loopback' });
	const agent = new Agent({ keepAlive: true, maxSockets: 200 });
	let acknowledged = 0;
	let refused = 0;
	const owner = (await signInOwner(server.url)).cookie();
	const run = async (length: number, perSecond: number): Promise<void> => {
		const visit = async (number: number) => {
			if ((await sendVisit(agent, server.url, number)).status === 200) acknowledged += 1;
			else refused += 1;
		};
		const read = async (path: string, cookie?: string) => {
			const { status } = await readPage(agent, server.url, path, cookie);
			if (status !== 200) throw new Error(`${path}: ${status}`);
		};
		await Promise.all([
			runAtRate(length, perSecond, visit),
			runAtRate(length, readsPerSecond, () => read('/')),
			runAtRate(length, readsPerSecond, () => read('/login')),
			runAtRate(length, 1, () => read('/api/visits-summary?days=90', owner)),
		]);
	};
	// Warm-up: compiles code and opens connections.
	await run(2, visitsPerSecond.few);
	await run(seconds, visitsPerSecond.many);
	agent.destroy();
	await server.kill();
	await server.start();
	return { acknowledged, refused, ...(await readFigures(server)) };
}

async function readFigures(server: BuiltServer): Promise<{ counted: number; summed: number }> {
	const owner = await signInOwner(server.url);
	const { totalVisits } = await owner.get<{ totalVisits: number }>('/api/visits-summary');
	let summed = 0;
	for (let cursor: string | null = ''; cursor !== null; ) {
		const page: { items: { visits: number }[]; nextCursor: string | null } = await owner.get(
			`/api/visit-addresses?limit=1000&cursor=${cursor}`,
		);
		summed += page.items.reduce((sum, { visits }) => sum + visits, 0);
		cursor = page.nextCursor;
	}
	return { counted: totalVisits, summed };
}
