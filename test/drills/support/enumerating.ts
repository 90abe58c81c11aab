import { Agent, request } from 'node:http';
import { purchasePath } from '#contract/storefront/storefront.ts';
import type { BuiltServer } from '../../support/built-server.ts';
import { signInOwner } from '../../support/client.ts';
import { multipart } from '../../support/http.ts';
import { smallPng } from './purchasing.ts';

/** One request, ready to be sent. */
interface Shot {
	path: string;
	headers: Record<string, string>;
	body: Buffer;
}

/** Kinds of request that must look alike from outside. */
export interface Contest {
	name: string;
	/** What each kind sends at its turn. */
	kinds: Record<string, (turn: number) => Shot>;
}

const known = (turn: number) => `known-${turn}@example.com`;
const unknown = (turn: number) => `nobody-${turn}@example.com`;
const password = 'the same for everybody';

function json(path: string, body: unknown): Shot {
	return { path, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(body)) };
}

function buy(email: string): Shot {
	const fields = { name: 'Asha Rao', phone: '98230 55512', email, upiId: 'buyer@examplebank' };
	const form = multipart(fields, { field: 'screenshot', name: 'paid.png', type: 'image/png', bytes: smallPng });
	return { path: purchasePath, headers: { ...form.headers, accept: 'application/json' }, body: form.body };
}

/** Where somebody could try to learn what is known. */
export const contests: readonly Contest[] = [
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

/** Makes the people and the credentials that are known. */
export async function prepareKnown(server: BuiltServer, count: number): Promise<void> {
	const owner = await signInOwner(server.url);
	for (let turn = 0; turn < count; turn += 1) {
		await owner.send('POST', '/api/users', { email: known(turn), password, role: 'user' });
		const record = { username: `user-${turn}`, state: 'goa', id: String(turn), password };
		await owner.send('POST', '/api/insta-credentials/add', record);
	}
	const agent = new Agent({ keepAlive: true, maxSockets: 1 });
	// The first of everything pays for code that is not loaded yet.
	for (const contest of contests)
		for (const shot of Object.values(contest.kinds)) await send(server, agent, shot(count - 1));
	agent.destroy();
}

/** Sends each kind once a turn, in an order left to chance. @returns medians in ms by kind, and the answers that differ */
export async function runContest(
	server: BuiltServer,
	{ kinds }: Contest,
	turns: number,
): Promise<{ medians: Record<string, number>; answers: Set<string> }> {
	const agent = new Agent({ keepAlive: true, maxSockets: 1 });
	const times = new Map(Object.keys(kinds).map((kind) => [kind, [] as number[]]));
	const answers = new Set<string>();
	for (let turn = 0; turn < turns; turn += 1) {
		for (const [kind, shot] of shuffle(Object.entries(kinds))) {
			const { ms, answer } = await send(server, agent, shot(turn));
			times.get(kind)?.push(ms);
			answers.add(answer);
		}
	}
	agent.destroy();
	return { medians: Object.fromEntries([...times].map(([kind, each]) => [kind, medianOf(each)])), answers };
}

function send(
	server: BuiltServer,
	agent: Agent,
	{ path, headers, body }: Shot,
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
				resolve({ ms: performance.now() - startedAt, answer: `${response.statusCode} ${said}` });
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

function medianOf(values: number[]): number {
	return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
