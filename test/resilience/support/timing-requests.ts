import { Agent, request } from 'node:http';
import { checkoutPath } from '#contract/orders/checkout.ts';
import { checkoutForm } from '../../support/app/http-client.ts';
import type { BuiltServer } from '../../support/services/built-server.ts';
import { signInOwner } from '../../support/services/server-client.ts';
import { medianOf } from './report.ts';

/** A request that is ready to be sent. */
interface PreparedRequest {
	path: string;
	headers: Record<string, string>;
	body: Buffer;
}

/** Kinds of requests whose answers must not be distinguishable from outside. */
export interface TimingComparison {
	name: string;
	/** Returns the request of each kind for a round. */
	kinds: Record<string, (turn: number) => PreparedRequest>;
}

const known = (turn: number) => `known-${turn}@example.com`;
const unknown = (turn: number) => `nobody-${turn}@example.com`;
const password = 'the same for everybody';

function json(path: string, body: unknown): PreparedRequest {
	return { path, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(body)) };
}

function buy(email: string): PreparedRequest {
	return { path: checkoutPath, ...checkoutForm(email) };
}

/** The calls whose timing could reveal what is known. */
export const timingComparisons: readonly TimingComparison[] = [
	{
		name: 'sign-in',
		kinds: {
			known: (turn) => json('/api/sign-in', { email: known(turn), password: 'wrong' }),
			unknown: (turn) => json('/api/sign-in', { email: unknown(turn), password: 'wrong' }),
		},
	},
	{
		name: 'reset',
		kinds: {
			known: (turn) => json('/api/password/request-reset', { email: known(turn) }),
			unknown: (turn) => json('/api/password/request-reset', { email: unknown(turn) }),
		},
	},
	{
		name: 'purchase',
		kinds: {
			'known without an order': (turn) => buy(known(turn)),
			'known with an open order': () => buy('regular@example.com'),
			new: (turn) => buy(`new-${turn}@example.com`),
		},
	},
	{
		name: 'credentials lookup',
		kinds: {
			'wrong state': (turn) => json('/api/insta-credentials/search', { username: `user-${turn}`, state: 'nowhere' }),
			'unknown username': (turn) => json('/api/insta-credentials/search', { username: `none-${turn}`, state: 'goa' }),
		},
	},
];

/** The rounds `from` to `to`, without the last. */
export interface RoundRange {
	from: number;
	to: number;
}

/** Creates the users and the credentials that are known in these rounds. */
export async function prepareKnown(server: BuiltServer, { from, to }: RoundRange): Promise<void> {
	const owner = await signInOwner(server.url);
	for (let turn = from; turn < to; turn += 1) {
		await owner.send('POST', '/api/users', { email: known(turn), password, role: 'user' });
		const record = { username: `user-${turn}`, state: 'goa', id: String(turn), password };
		await owner.send('POST', '/api/insta-credentials/add', record);
	}
	if (from > 0) return;
	const agent = new Agent({ keepAlive: true, maxSockets: 1 });
	// The first request of each kind loads code, so it is not measured.
	for (const comparison of timingComparisons)
		for (const prepareRequest of Object.values(comparison.kinds)) await send(server, agent, prepareRequest(to - 1));
	agent.destroy();
}

/** The measurements: milliseconds by kind and round, and the distinct answers. */
export interface Outcome {
	times: Record<string, number[]>;
	answers: Set<string>;
}

export function emptyOutcome({ kinds }: TimingComparison): Outcome {
	return { times: Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []])), answers: new Set() };
}

/** Sends one request of each kind per round in random order, and adds the measurements to the outcome. */
export async function runRounds(
	server: BuiltServer,
	{ kinds }: TimingComparison,
	{ from, to }: RoundRange,
	{ times, answers }: Outcome,
): Promise<void> {
	const agent = new Agent({ keepAlive: true, maxSockets: 1 });
	for (let turn = from; turn < to; turn += 1) {
		for (const [kind, prepareRequest] of shuffle(Object.entries(kinds))) {
			const { ms, answer } = await send(server, agent, prepareRequest(turn));
			times[kind]?.push(ms);
			answers.add(answer);
		}
	}
	agent.destroy();
}

/** Returns the largest difference of any two kinds: the median of their differences within a round. */
export function largestMedianDifference({ times }: Outcome): number {
	const all = Object.values(times);
	const pairs = all.flatMap((one, index) => all.slice(index + 1).map((other) => [one, other] as const));
	return Math.max(...pairs.map(([one, other]) => Math.abs(medianOf(one.map((ms, turn) => ms - (other[turn] ?? 0))))));
}

/** Describes the medians in words. */
export function describeTimes({ times }: Outcome): string {
	return Object.entries(times)
		.map(([kind, each]) => `${kind} ${medianOf(each).toFixed(1)} ms`)
		.join(', ');
}

function send(
	server: BuiltServer,
	agent: Agent,
	{ path, headers, body }: PreparedRequest,
): Promise<{ ms: number; answer: string }> {
	return new Promise((resolve, reject) => {
		const startedAt = performance.now();
		const sending = request(`${server.url}${path}`, {
			method: 'POST',
			headers: { ...headers, 'content-length': body.length },
			agent,
		});
		sending.once('error', reject);
		sending.once('response', (response) => {
			const chunks: Buffer[] = [];
			response.on('data', (chunk: Buffer) => chunks.push(chunk));
			response.once('error', reject);
			response.once('end', () => {
				const said = Buffer.concat(chunks).toString('utf8');
				// The secrets differ between orders, but have the same length.
				const answer = `${response.statusCode} ${said.replace(/\/order\/[\w-]{43}/u, '/order/…').replace(/"BYE-[\dA-Z]{4}-[\dA-Z]{2}"/u, '"BYE-…"')}`;
				resolve({ ms: performance.now() - startedAt, answer });
			});
		});
		sending.end(body);
	});
}

function shuffle<T>(items: T[]): T[] {
	return items
		.map((item) => ({ item, at: Math.random() }))
		.sort((a, b) => a.at - b.at)
		.map(({ item }) => item);
}
