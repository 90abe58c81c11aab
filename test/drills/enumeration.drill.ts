/**
 * Whether an address has an account cannot be told from the time of an answer: known and unknown ones take turns at the
 * sign-in, the reset and the purchase, unknown usernames and wrong states at the credentials lookup; their medians
 * lie within 10 ms, and their answers are the same to the byte. The order within a turn is left to chance, for what
 * goes on in the background after one request may slow the next.
 * Control: with a server that returns early for what it knows, each of the four must be seen.
 *
 * `node scripts/drill.mjs enumeration [--short]`
 */
import { type BuiltServer, startBuiltServer } from '../support/built-server.ts';
import { type Contest, contests, prepareKnown, runContest } from './support/enumerating.ts';
import { endDrill, say } from './support/report.ts';
import { buildVariant, removeVariant } from './support/variant.ts';

const isShort = process.argv.includes('--short');
const turns = isShort ? 25 : 200;
const controlTurns = isShort ? 9 : 40;
const widestMs = 10;

/** What the control waits where the product does the work that it has to do for everybody. */
const earlyReturnMs = 30;

const wrong: string[] = [];
const held = await drill(turns);
for (const { contest, medians, answers } of held) {
	const spread = Math.max(...Object.values(medians)) - Math.min(...Object.values(medians));
	say(`${contest.name}, ${turns} turns: ${describe(medians)}; apart by ${spread.toFixed(1)} ms`);
	if (spread > widestMs) wrong.push(`${contest.name}: the medians lie ${spread.toFixed(1)} ms apart`);
	if (answers.size !== 1) wrong.push(`${contest.name}: the answers differ: ${[...answers].join(' | ')}`);
}

const slower = `await new Promise((resolve) => setTimeout(resolve, ${earlyReturnMs}))`;
const variant = await buildVariant('early-return', [
	{
		file: 'features/account/account.service.ts',
		find: /const isRight = await verifyPassword\(user\?\.password_hash \?\? null, input\.password\);/u,
		replace: `const isRight = user !== undefined && (${slower}, await verifyPassword(user.password_hash, input.password));`,
	},
	{
		file: 'features/account/account.service.ts',
		find: /await enqueueJob\(deps, deps\.db, resetJob,/u,
		replace: `if ((await queries.findUserByEmailKey(deps.db, emailKey)) === undefined) return;
	${slower};
	await enqueueJob(deps, deps.db, resetJob,`,
	},
	{
		file: 'features/storefront/purchase.service.ts',
		find: /const passwordHash = await hashPassword\(password\);/u,
		replace: `const isKnown = (await findUserByEmailForUpdate(deps.db, buyer.email)) !== undefined;
	const passwordHash = isKnown ? '' : (${slower}, await hashPassword(password));`,
	},
	{
		// The drill's unknown usernames begin so.
		file: 'features/credentials/credentials.lookups.ts',
		find: /const row = await queries\.findByKey\(deps\.db, keyOf\(deps, wanted\)\);/u,
		replace: `if (wanted.username.startsWith('none-')) return { found: false, data: null };
	${slower};
	const row = await queries.findByKey(deps.db, keyOf(deps, wanted));`,
	},
]);
try {
	for (const { contest, medians } of await drill(controlTurns, variant)) {
		const spread = Math.max(...Object.values(medians)) - Math.min(...Object.values(medians));
		say(`control, ${contest.name}: ${describe(medians)}; apart by ${spread.toFixed(1)} ms`);
		const isSeen = spread > widestMs;
		if (!isSeen) wrong.push(`the control was not caught: ${contest.name}`);
	}
} finally {
	await removeVariant(variant);
}
endDrill(wrong);

async function drill(count: number, dist?: string) {
	const env = { RATE_LIMIT_FACTOR: '100000', LOG_LEVEL: 'warn' };
	const server: BuiltServer = await startBuiltServer({ env, ...(dist !== undefined && { dist }) });
	try {
		await prepareKnown(server, count);
		const outcomes: Array<{ contest: Contest } & Awaited<ReturnType<typeof runContest>>> = [];
		for (const contest of contests) outcomes.push({ contest, ...(await runContest(server, contest, count)) });
		return outcomes;
	} finally {
		await server.close();
	}
}

function describe(medians: Record<string, number>): string {
	return Object.entries(medians)
		.map(([what, ms]) => `${what} ${ms.toFixed(1)} ms`)
		.join(', ');
}
