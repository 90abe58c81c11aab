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
 */
import { finishTest, isShort, printLine } from './support/report.ts';
import { openServer } from './support/server.ts';
import { type Rewrite, withVariant } from './support/server-variant.ts';
import { measureComparison, prepareKnown, timingComparisons } from './support/timing-requests.ts';

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

for (const { name, description, answers, differenceMs } of await runScenario(rounds, isEqualTime)) {
	printLine(`${description}; difference ${differenceMs.toFixed(1)} ms`);
	if (!isEqualTime(differenceMs)) failures.push(`${name}: the times differ by ${differenceMs.toFixed(1)} ms`);
	if (answers.size !== 1) failures.push(`${name}: the answers differ: ${[...answers].join(' | ')}`);
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
for (const { name, description, differenceMs } of control) {
	printLine(`control, ${description}; difference ${differenceMs.toFixed(1)} ms`);
	if (!isDifferentTime(differenceMs)) failures.push(`the control was not caught: ${name}`);
}
finishTest(failures);

async function runScenario(count: number, isExpected: (differenceMs: number) => boolean, dist?: string) {
	await using server = await openServer(dist, { RATE_LIMIT_FACTOR: '100000' });
	const most = count * (1 + moreRounds);
	await prepareKnown(server, most);
	const outcomes = [];
	for (const comparison of timingComparisons)
		outcomes.push(await measureComparison(server, comparison, { count, most }, isExpected));
	return outcomes;
}
