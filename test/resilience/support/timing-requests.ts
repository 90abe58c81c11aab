import { Agent } from 'node:http';
import { checkoutPath } from '#contract/orders/checkout-form.ts';
import { checkoutForm } from '../../support/app/http-client.ts';
import type { BuiltServer } from '../../support/services/built-server.ts';
import { exchange, signInOwner } from '../../support/services/server-client.ts';
import { medianOf } from './report.ts';

interface PreparedRequest {
	path: string;
	headers: Record<string, string>;
	body: Buffer;
}

/** Kinds of requests whose answers must not differ in time or bytes. */
interface TimingComparison {
	name: string;
	kinds: Record<string, (round: number) => PreparedRequest>;
}

const known = (round: number) => `known-${round}@example.com`;
const unknown = (round: number) => `nobody-${round}@example.com`;
const password = 'the same for everybody';

function json(path: string, body: unknown): PreparedRequest {
	return { path, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(body)) };
}

function buy(email: string): PreparedRequest {
	return { path: checkoutPath, ...checkoutForm(email) };
}

export const timingComparisons: readonly TimingComparison[] = [
	{
		name: 'sign-in',
		kinds: {
			known: (round) => json('/api/sign-in', { email: known(round), password: 'wrong' }),
			unknown: (round) => json('/api/sign-in', { email: unknown(round), password: 'wrong' }),
		},
	},
	{
		name: 'reset',
		kinds: {
			known: (round) => json('/api/password/request-reset', { email: known(round) }),
			unknown: (round) => json('/api/password/request-reset', { email: unknown(round) }),
		},
	},
	{
		name: 'purchase',
		kinds: {
			'known without an order': (round) => buy(known(round)),
			'known with an open order': () => buy('regular@example.com'),
			new: (round) => buy(`new-${round}@example.com`),
		},
	},
	{
		name: 'credentials lookup',
		kinds: {
			'wrong state': (round) => json('/api/insta-credentials/search', { username: `user-${round}`, state: 'nowhere' }),
			'unknown username': (round) => json('/api/insta-credentials/search', { username: `none-${round}`, state: 'goa' }),
		},
	},
];

/** Creates the accounts and records of `rounds` rounds. Sends one request of each kind, because the first loads code. */
export async function prepareKnown(server: BuiltServer, rounds: number): Promise<void> {
	const owner = await signInOwner(server.url);
	for (let round = 0; round < rounds; round += 1) {
		await owner.send('POST', '/api/users', { email: known(round), password, role: 'user' });
		const record = { username: `user-${round}`, state: 'goa', id: String(round), password };
		await owner.send('POST', '/api/insta-credentials/add', record);
	}
	for (const { kinds } of timingComparisons)
		for (const prepareRequest of Object.values(kinds)) await send(server, prepareRequest(rounds - 1));
}

/** Runs `count` rounds of a comparison, and as many again while the result is not as expected, at most `most` rounds. */
export async function measureComparison(
	server: BuiltServer,
	{ name, kinds }: TimingComparison,
	{ count, most }: { count: number; most: number },
	isExpected: (differenceMs: number) => boolean,
) {
	const times: Record<string, number[]> = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []]));
	const answers = new Set<string>();
	const agent = new Agent({ keepAlive: true, maxSockets: 1 });
	let rounds = 0;
	do {
		for (const [kind, prepareRequest] of shuffle(Object.entries(kinds))) {
			const { ms, answer } = await send(server, prepareRequest(rounds), agent);
			times[kind]?.push(ms);
			answers.add(answer);
		}
		rounds += 1;
	} while (rounds % count !== 0 || (rounds < most && !isExpected(largestMedianDifference(times))));
	agent.destroy();
	const medians = Object.entries(times).map(([kind, timesMs]) => `${kind} ${medianOf(timesMs).toFixed(1)} ms`);
	const description = `${name}, ${rounds} rounds: ${medians.join(', ')}`;
	return { name, description, answers, differenceMs: largestMedianDifference(times) };
}

/** Returns the largest median of the differences between two kinds within a round. */
function largestMedianDifference(times: Record<string, number[]>): number {
	const all = Object.values(times);
	const pairs = all.flatMap((one, index) => all.slice(index + 1).map((other) => [one, other] as const));
	return Math.max(...pairs.map(([one, other]) => Math.abs(medianOf(one.map((ms, round) => ms - (other[round] ?? 0))))));
}

async function send(server: BuiltServer, { path, headers, body }: PreparedRequest, agent?: Agent) {
	const options = { method: 'POST', headers: { ...headers, 'content-length': body.length }, agent };
	const { status, bytes, ms } = await exchange(server.url + path, options, body);
	// Tokens and codes differ between orders, but have the same length.
	const comparable = String(bytes)
		.replace(/\/order\/[\w-]{43}/u, '/order/…')
		.replace(/"BYE-[\dA-Z]{4}-[\dA-Z]{2}"/u, '"BYE-…"');
	return { ms, answer: `${status} ${comparable}` };
}

function shuffle<T>(items: T[]): T[] {
	return items
		.map((item) => ({ item, at: Math.random() }))
		.sort((a, b) => a.at - b.at)
		.map(({ item }) => item);
}
