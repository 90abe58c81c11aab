/**
 * 10,000 visits in a minute from 2,000 addresses, on top of a shop that is read: every visit is acknowledged, every page
 * is answered, and after kill -9 at the last answer every visit stands in the owner's figures. How long the answers take
 * meanwhile is a comparison of `npm run bench` (visits).
 * Control: a server that acknowledges before the commit must be seen to lose some.
 *
 * `node scripts/resilience.mjs visits [--short]`: a quarter of a minute at the same rate.
 */
import { Agent } from 'node:http';
import { readPage, readsPerSecond, runAtRate, sendVisit, visitsPerSecond } from '../support/fixtures/visits.ts';
import { type BuiltServer, startBuiltServer } from '../support/services/built-server.ts';
import { signInOwner } from '../support/services/server-client.ts';
import { finishTest, printLine } from './support/report.ts';
import { buildVariant, removeVariant } from './support/server-variant.ts';

const isShort = process.argv.includes('--short');
const loadSeconds = isShort ? 15 : 60;

interface Outcome {
	acknowledged: number;
	refused: number;
	counted: number;
	summed: number;
}

const failures: string[] = [];
const outcome = await runScenario(loadSeconds);
printLine(
	`${outcome.acknowledged} visits told in ${loadSeconds} s, ${outcome.refused} refused; ${outcome.counted} counted after kill -9`,
);
failures.push(...checkOutcome(outcome));

const variant = await buildVariant('acknowledged-early', [
	{
		file: 'features/storefront/visits/visit-recorder.ts',
		find: /queue\.push\((\{ visit: toRecordedVisit\(deps, caller, note\), resolve, reject \})\);/u,
		replace: 'queue.push($1); resolve();',
	},
]);
try {
	const control = await runScenario(3, variant);
	printLine(`control, acknowledged before the commit: ${control.acknowledged} told, ${control.counted} counted`);
	if (checkOutcome(control).length === 0) failures.push('the control was not caught');
} finally {
	await removeVariant(variant);
}
finishTest(failures);

function checkOutcome({ acknowledged: told, refused, counted, summed }: Outcome): string[] {
	const faults: string[] = [];
	if (refused > 0) faults.push(`${refused} visits were refused`);
	if (counted !== told) faults.push(`${told} visits were told, ${counted} are counted`);
	if (summed !== told) faults.push(`the addresses add up to ${summed}`);
	return faults;
}

async function runScenario(seconds: number, dist?: string): Promise<Outcome> {
	const env = { LOG_LEVEL: 'warn', TRUST_PROXY: 'loopback' };
	const server = await startBuiltServer({ env, ...(dist !== undefined && { dist }) });
	// Kept open, as a proxy keeps them.
	const agent = new Agent({ keepAlive: true, maxSockets: 200 });
	try {
		let told = 0;
		let refused = 0;
		const owner = (await signInOwner(server.url)).cookie();
		const run = async (length: number, perSecond: number): Promise<void> => {
			const visit = async (number: number) => {
				if ((await sendVisit(agent, server.url, number)).status === 200) told += 1;
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
		// Warm-up: code is compiled and connections are open afterwards.
		await run(2, visitsPerSecond.few);
		await run(seconds, visitsPerSecond.many);
		await server.kill();
		await server.start();
		return { acknowledged: told, refused, ...(await readFigures(server)) };
	} finally {
		agent.destroy();
		await server.close();
	}
}

/** What the owner sees: the total, and what the table of addresses adds up to. */
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
