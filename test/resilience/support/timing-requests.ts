import { Agent } from 'node:http';
import { checkoutPath } from '#contract/orders/checkout.ts';
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
export interface TimingComparison {
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

/** The calls whose timing could reveal whether an account or a record exists. */
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

export interface RoundRange {
	from: number;
	to: number;
}

export async function prepareKnown(server: BuiltServer, { from, to }: RoundRange): Promise<void> {
	const owner = await signInOwner(server.url);
	for (let round = from; round < to; round += 1) {
		await owner.send('POST', '/api/users', { email: known(round), password, role: 'user' });
		const record = { username: `user-${round}`, state: 'goa', id: String(round), password };
		await owner.send('POST', '/api/insta-credentials/add', record);
	}
	if (from > 0) return;
	const agent = new Agent({ keepAlive: true, maxSockets: 1 });
	// The first request of each kind is not measured, because it loads code.
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
	for (let round = from; round < to; round += 1) {
		for (const [kind, prepareRequest] of shuffle(Object.entries(kinds))) {
			const { ms, answer } = await send(server, agent, prepareRequest(round));
			times[kind]?.push(ms);
			answers.add(answer);
		}
	}
	agent.destroy();
}

/** Returns the largest median of the differences between two kinds within a round. */
export function largestMedianDifference({ times }: Outcome): number {
	const all = Object.values(times);
	const pairs = all.flatMap((one, index) => all.slice(index + 1).map((other) => [one, other] as const));
	return Math.max(...pairs.map(([one, other]) => Math.abs(medianOf(one.map((ms, round) => ms - (other[round] ?? 0))))));
}

export function describeTimes({ times }: Outcome): string {
	return Object.entries(times)
		.map(([kind, timesMs]) => `${kind} ${medianOf(timesMs).toFixed(1)} ms`)
		.join(', ');
}

async function send(server: BuiltServer, agent: Agent, { path, headers, body }: PreparedRequest) {
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
