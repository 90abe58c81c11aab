import { randomUUID } from 'node:crypto';
import { on, once } from 'node:events';
import { get } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startServer } from '../../scripts/services/built-server.mjs';
import { demoEnvironment } from '../../scripts/services/demo-data.mjs';
import { checkoutForm } from '../../test/support/app/http-client.ts';
import { quantile } from '../measure/rounds.mjs';
import { createLengthCheck, createServiceSettings, runSeed, stopAll } from '../measure/seed-and-load.mjs';

/** Target: 495 of 500 changes made on one process are seen on another within this many ms. */
const promisedMs = 100;
const timeoutMs = 10_000;
const dataStart = 'data: ';
const kinds = {
	share: 'a share, to its recipient',
	message: "a member's message, to the owner",
	order: 'a new order, to the owner',
	revocation: 'a deactivation, to the deactivated user',
};

/**
 * Measures how long a change on one process takes to reach the event streams of another process, compared with the
 * streams of the same process, on one PostgreSQL that waits for its disk. The time starts with the call that makes the
 * change. For a new order, a second time starts with the response, because the call also hashes a password and encodes
 * the screenshot again.
 */
export async function prepareProcesses({ node, folder, program, form }) {
	const changesPerKind = { full: 500, short: 100, once: 5 }[form];
	const measures = form === 'full' ? 10 : 2;
	const env = {
		...demoEnvironment(join(folder, 'processes')),
		...(await createServiceSettings('postgres')),
		LOG_LEVEL: 'warn',
		RATE_LIMIT_FACTOR: '1000000',
	};
	const seeded = await runSeed(node, 'seed-small.ts', env, 'processes', String(changesPerKind * measures));
	const servers = [await startServer(node, env, program), await startServer(node, env, program)];
	const [{ url: changedUrl }, { url: otherUrl }] = servers;
	const seenOn = { across: otherUrl, within: changedUrl };
	const unusedMembers = [...seeded.members];
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
		note: `${changesPerKind} changes of each kind, one after the other; ${changesPerKind} event streams of members and one of an admin open; target: p99 within ${promisedMs} ms.`,
		async measure(name) {
			const members = unusedMembers.splice(0, changesPerKind);
			const adminStream = await openStream(seenOn[name], seeded.adminToken);
			const memberStreams = new Map();
			for (const { id, token } of members) memberStreams.set(id, await openStream(seenOn[name], token));
			const calls = createCalls(changedUrl, seeded);
			const figures = {};
			for (const kind of Object.keys(kinds)) {
				const times = [];
				const afterAnswers = [];
				for (const member of members) {
					const isSeenByAdmin = kind === 'message' || kind === 'order';
					const stream = isSeenByAdmin ? adminStream : memberStreams.get(member.id);
					const { afterCallMs, afterAnswerMs, event } = await timeUntilSeen(stream, () => calls[kind](member));
					lengths.require(`event of ${kind}`, name, event);
					times.push(afterCallMs);
					afterAnswers.push(afterAnswerMs);
				}
				figures[`${kind}P50`] = quantile(times, 0.5);
				figures[`${kind}P99`] = quantile(times, 0.99);
				if (kind === 'order') figures.answeredOrderP99 = quantile(afterAnswers, 0.99);
			}
			adminStream.close();
			for (const stream of memberStreams.values()) stream.close();
			return figures;
		},
		close: () => stopAll(servers),
	};
}

/** Creates the calls to measure. Each returns its promise (`done`) and the pattern of the event that it causes. */
function createCalls(url, { adminToken, fileId }) {
	const send = async (path, body, headers) => {
		const answer = await fetch(url + path, {
			method: 'POST',
			body,
			headers: { ...headers, accept: 'application/json' },
		});
		const text = await answer.text();
		if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
	};
	const call = (path, token, body) =>
		send(path, JSON.stringify(body), { 'content-type': 'application/json', cookie: `folio_session=${token}` });
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
			return { seenBy: /"topic":"orders"/u, done: send('/purchase', form.body, form.headers) };
		},
		revocation: ({ id }) => ({
			seenBy: /"topic":"ended"/u,
			done: call(`/api/users/${id}/active`, adminToken, { active: false }),
		}),
	};
}

/** Measures the time from a change's call, and from its answer, to its event: 0.1 ms if the event precedes the answer. */
async function timeUntilSeen(stream, makeChange) {
	const startedAt = performance.now();
	const { seenBy, done } = makeChange();
	const answered = done.then(() => performance.now());
	const [{ seenAt, event }, answeredAt] = await Promise.all([stream.waitForEvent(seenBy), answered]);
	return { event, afterCallMs: seenAt - startedAt, afterAnswerMs: Math.max(seenAt - answeredAt, 0.1) };
}

/** Opens an event stream; `waitForEvent` waits for an event that matches, and ignores those received before. */
async function openStream(url, token) {
	const sending = get(`${url}/api/events`, { agent: false, headers: { cookie: `folio_session=${token}` } });
	const [response] = await once(sending, 'response');
	if (response.statusCode !== 200) throw new Error(`An event stream was answered with ${response.statusCode}.`);
	const lines = createInterface({ input: response });
	lines.on('error', () => {});
	return {
		async waitForEvent(pattern) {
			for await (const [line] of on(lines, 'line', { signal: AbortSignal.timeout(timeoutMs) })) {
				const seenAt = performance.now();
				if (pattern.test(line)) return { seenAt, event: line.slice(dataStart.length) };
			}
			throw new Error(`The event stream ended before ${pattern}.`);
		},
		close: () => sending.destroy(),
	};
}
