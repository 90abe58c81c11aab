import { randomUUID } from 'node:crypto';
import { Agent, get, request } from 'node:http';
import { join } from 'node:path';
import pg from 'pg';
import { startServer } from '../../scripts/services/built-server.mjs';
import { demoEnvironment } from '../../scripts/services/demo-data.mjs';
import { checkoutForm } from '../../test/support/app/http-client.ts';
import { startPostgres } from '../../test/support/services/postgres-server.ts';
import { createLengthCheck } from '../measure/body-differences.mjs';
import { runSeed } from '../measure/seed-and-load.mjs';

/** Target: 495 of 500 changes made on one process are seen on another within this many ms. */
const promisedMs = 100;
const timeoutMs = 10_000;
const dataStart = 'data: ';
const eventEnd = '\n\n';
const kinds = {
	share: 'a share, to its recipient',
	message: "a member's message, to the owner",
	order: 'a new order, to the desk',
	revocation: 'a deactivation, to whom it ends',
};

/**
 * Measures how long a change on one process takes to reach the event streams of another, compared with the streams of
 * the same process, on one PostgreSQL that waits for its disk. Times count from the start of the call that makes the
 * change; for a new order, whose password is hashed and whose screenshot is encoded again, also from its answer.
 *
 * @param {import('../measure/rounds.mjs').Bench} bench @returns {Promise<import('../measure/rounds.mjs').Comparison>}
 */
export async function prepareProcesses({ node, folder, program, form }) {
	const each = { full: 500, short: 100, once: 5 }[form];
	const measures = form === 'full' ? 10 : 2;
	const postgres = await startPostgres({ isDurable: true });
	const client = new pg.Client({ connectionString: postgres.urlOf('postgres') });
	await client.connect();
	await client.query('create database processes');
	await requireSynced(client);
	await client.end();
	const env = {
		...demoEnvironment(join(folder, 'processes')),
		DATABASE_URL: postgres.urlOf('processes'),
		LOG_LEVEL: 'warn',
		RATE_LIMIT_FACTOR: '1000000',
	};
	const seeded = await runSeed(node, 'seed-small.ts', env, 'processes', String(each * measures));
	const servers = [await startServer(node, env, program), await startServer(node, env, program)];
	const [{ url: changed }, { url: other }] = servers;
	const seenOn = { across: other, within: changed };
	const fresh = [...seeded.members];
	const lengths = createLengthCheck();
	return {
		contestants: Object.keys(seenOn),
		rows: [
			...Object.entries(kinds).flatMap(([kind, what]) => [
				[`${what}: p50, ms`, `${kind}P50`, 1],
				[`${what}: p99, ms`, `${kind}P99`, 1],
			]),
			['a new order, from its answer: p99, ms', 'answeredOrderP99', 1],
		],
		facts: { each, promisedMs },
		note: `${each} of each, one after the other; ${each} event streams of members and one of an admin open; promised: p99 within ${promisedMs} ms.`,
		async measure(name) {
			const members = fresh.splice(0, each);
			const desk = await openStream(seenOn[name], seeded.adminToken);
			const lines = new Map();
			for (const { id, token } of members) lines.set(id, await openStream(seenOn[name], token));
			const calls = createCalls(changed, seeded);
			const figures = {};
			for (const kind of Object.keys(kinds)) {
				const times = [];
				const afterAnswers = [];
				for (const member of members) {
					const isOfDesk = kind === 'message' || kind === 'order';
					const line = isOfDesk ? desk : lines.get(member.id);
					const { afterCallMs, afterAnswerMs, event } = await timeUntilSeen(line, () => calls[kind](member));
					lengths.require(`event of ${kind}`, name, event);
					times.push(afterCallMs);
					afterAnswers.push(afterAnswerMs);
				}
				times.sort((a, b) => a - b);
				figures[`${kind}P50`] = times[Math.floor(times.length * 0.5)];
				figures[`${kind}P99`] = times[Math.floor(times.length * 0.99)];
				const answered = afterAnswers.toSorted((a, b) => a - b);
				if (kind === 'order') figures.answeredOrderP99 = answered[Math.floor(answered.length * 0.99)];
			}
			desk.close();
			for (const line of lines.values()) line.close();
			calls.close();
			return figures;
		},
		async close() {
			for (const server of servers) await server.stop();
			await postgres.stop();
		},
	};
}

/** Checks that the database waits for its disk at each commit. @throws Error when it does not */
async function requireSynced(client) {
	const { rows } = await client.query(
		`select current_setting('fsync') as fsync, current_setting('synchronous_commit') as "synchronousCommit"`,
	);
	const { fsync, synchronousCommit } = rows[0];
	if (fsync !== 'on' || synchronousCommit !== 'on')
		throw new Error(`The database does not wait for its disk: ${JSON.stringify(rows[0])}`);
}

/** Creates the calls to measure; each returns the pattern of the event by which its change is seen. */
function createCalls(url, { adminToken, fileId }) {
	const agent = new Agent({ keepAlive: true, maxSockets: 1 });
	const call = (path, token, body, headers = { 'content-type': 'application/json' }) =>
		new Promise((resolve, reject) => {
			const cookie = token === undefined ? {} : { cookie: `folio_session=${token}` };
			const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
			const sending = request(`${url}${path}`, {
				method: 'POST',
				agent,
				headers: { ...headers, ...cookie, accept: 'application/json', 'content-length': bytes.length },
			});
			sending.on('error', reject);
			sending.on('response', (answer) => {
				const chunks = [];
				answer.on('data', (chunk) => chunks.push(chunk));
				answer.on('end', () => {
					if (answer.statusCode < 300) resolve();
					else reject(new Error(`${path}: ${answer.statusCode} ${Buffer.concat(chunks)}`));
				});
			});
			sending.end(bytes);
		});
	return {
		share: ({ email }) => ({
			seenBy: /"topic":"shares"/u,
			done: call('/api/shares', adminToken, { nodeId: fileId, email }),
		}),
		message: ({ id, token }) => {
			const clientId = randomUUID();
			const body = { clientId, authorId: id, message: 'Which chapter is the homework of this week?' };
			return { seenBy: new RegExp(clientId, 'u'), done: call(`/api/chats/${id}/messages`, token, body) };
		},
		order: ({ id }) => {
			const form = checkoutForm(`${id}@bench.example`);
			return { seenBy: /"topic":"orders"/u, done: call('/purchase', undefined, form.body, form.headers) };
		},
		revocation: ({ id }) => ({
			seenBy: /"topic":"ended"/u,
			done: call(`/api/users/${id}/active`, adminToken, { active: false }),
		}),
		close: () => agent.destroy(),
	};
}

/** Times a change from its call, and from its answer, to its event; an event before the answer counts as 0.1 ms. */
async function timeUntilSeen(line, begin) {
	const startedAt = performance.now();
	const { seenBy, done } = begin();
	const answered = done.then(() => performance.now());
	const [{ seenAt, event }, answeredAt] = await Promise.all([line.seen(seenBy), answered]);
	return { event, afterCallMs: seenAt - startedAt, afterAnswerMs: Math.max(seenAt - answeredAt, 0.1) };
}

/** Opens an event stream; `seen` waits for an event, and ignores those received before it was called. */
async function openStream(url, token) {
	const asked = get(`${url}/api/events`, { agent: false, headers: { cookie: `folio_session=${token}` } });
	const response = await new Promise((resolve, reject) => asked.on('response', resolve).on('error', reject));
	if (response.statusCode !== 200) throw new Error(`An event stream was answered with ${response.statusCode}.`);
	let text = '';
	let hear = () => {};
	response.setEncoding('utf8');
	response.on('data', (more) => {
		text += more;
		hear();
	});
	response.on('error', () => {});
	return {
		seen(wanted) {
			text = '';
			return new Promise((resolve, reject) => {
				const timer = setTimeout(() => reject(new Error(`${wanted} was not seen within ${timeoutMs} ms.`)), timeoutMs);
				hear = () => {
					const event = text
						.split(eventEnd)
						.slice(0, -1)
						.find((each) => wanted.test(each));
					if (event === undefined) return;
					clearTimeout(timer);
					hear = () => {};
					resolve({ seenAt: performance.now(), event: event.slice(event.indexOf(dataStart) + dataStart.length) });
				};
			});
		},
		close: () => asked.destroy(),
	};
}
