/**
 * Checks that the time of an answer does not reveal whether an address has an account. Compares requests with known and
 * unknown addresses at the sign-in, the password reset and the checkout, and requests with unknown usernames and wrong
 * states at the credentials lookup. Each round sends one request of each kind. The median of the time differences
 * within a round is at most 10 ms, and the answers have the same bytes. The order within a round is random, because the
 * background work after one request may slow the next one. If a comparison does not have the expected result, more
 * rounds are measured, because other work on the machine may have disturbed it. All rounds together must then have the
 * expected result.
 * Control: with a server that returns early for one kind of request in each comparison, all four differences must be
 * found.
 *
 * `node scripts/resilience.mjs enumeration [--short]`
 */
import type { BuiltServer } from '../support/services/built-server.ts';
import { finishTest, isShort, printLine } from './support/report.ts';
import { withServer } from './support/server.ts';
import { type Rewrite, withVariant } from './support/server-variant.ts';
import {
	describeTimes,
	emptyOutcome,
	largestMedianDifference,
	type Outcome,
	prepareKnown,
	runRounds,
	type TimingComparison,
	timingComparisons,
} from './support/timing-requests.ts';

const rounds = isShort ? 25 : 200;
const controlRounds = isShort ? 9 : 40;
const maxDifferenceMs = 10;
/** Maximum number of extensions of a comparison; each adds the same number of rounds. */
const moreRounds = 3;

/** Delay that the control adds where it does not return early. */
const earlyReturnMs = 30;

const failures: string[] = [];
const isEqualTime = (difference: number) => difference <= maxDifferenceMs;
const isDifferentTime = (difference: number) => difference > maxDifferenceMs;

for (const { comparison, outcome, count } of await runScenario(rounds, isEqualTime)) {
	const { answers } = outcome;
	const difference = largestMedianDifference(outcome);
	printLine(`${comparison.name}, ${count} rounds: ${describeTimes(outcome)}; difference ${difference.toFixed(1)} ms`);
	if (!isEqualTime(difference)) failures.push(`${comparison.name}: the times differ by ${difference.toFixed(1)} ms`);
	if (answers.size !== 1) failures.push(`${comparison.name}: the answers differ: ${[...answers].join(' | ')}`);
}

const slower = `await new Promise((resolve) => setTimeout(resolve, ${earlyReturnMs}))`;
const earlyReturns: Rewrite[] = [
	{
		file: 'features/accounts/sign-in/sign-in.service.ts',
		find: /const isRight = await verifyPassword\(user\?\.password_hash \?\? null, input\.password\);/u,
		replace: `const isRight = user !== undefined && (${slower}, await verifyPassword(user.password_hash, input.password));`,
	},
	{
		file: 'features/accounts/passwords/password-links.ts',
		find: /await enqueueJob\(deps, deps\.db, passwordResetJob,/u,
		replace: `if ((await queries.findUserByEmailKey(deps.db, emailKey)) === undefined) return;
	${slower};
	await enqueueJob(deps, deps.db, passwordResetJob,`,
	},
	{
		file: 'features/orders/checkout/checkout.service.ts',
		find: /const passwordHash = await hashPassword\(password\);/u,
		replace: `const isKnown = (await findUserByEmailForUpdate(deps.db, buyer.email)) !== undefined;
	const passwordHash = isKnown ? '' : (${slower}, await hashPassword(password));`,
	},
	{
		// Usernames that begin with `none-` are unknown in this test.
		file: 'features/credentials/lookups.ts',
		find: /const row = await queries\.findCredentialByKey\(deps\.db, lookupKeyOf\(deps, wanted\)\);/u,
		replace: `if (wanted.username.startsWith('none-')) return { found: false, data: null };
	${slower};
	const row = await queries.findCredentialByKey(deps.db, lookupKeyOf(deps, wanted));`,
	},
];
const control = await withVariant('early-return', earlyReturns, (dist) =>
	runScenario(controlRounds, isDifferentTime, dist),
);
for (const { comparison, outcome } of control) {
	const difference = largestMedianDifference(outcome);
	printLine(`control, ${comparison.name}: ${describeTimes(outcome)}; difference ${difference.toFixed(1)} ms`);
	if (!isDifferentTime(difference)) failures.push(`the control was not caught: ${comparison.name}`);
}
finishTest(failures);

/** Runs `count` rounds of every comparison, and more rounds while the result is not as expected. */
function runScenario(count: number, isExpected: (difference: number) => boolean, dist?: string) {
	const work = async (server: BuiltServer) => {
		let prepared = 0;
		const outcomes: Array<{ comparison: TimingComparison; outcome: Outcome; count: number }> = [];
		for (const comparison of timingComparisons) {
			const outcome = emptyOutcome(comparison);
			let to = 0;
			do {
				const from = to;
				to += count;
				if (to > prepared) await prepareKnown(server, { from: prepared, to });
				prepared = Math.max(prepared, to);
				await runRounds(server, comparison, { from, to }, outcome);
			} while (!isExpected(largestMedianDifference(outcome)) && to < count * (1 + moreRounds));
			outcomes.push({ comparison, outcome, count: to });
		}
		return outcomes;
	};
	return withServer(dist, work, { RATE_LIMIT_FACTOR: '100000' });
}
