import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from '../../scripts/services/built-server.mjs';
import { root } from '../../scripts/setup/processes.mjs';
import { serverEnv } from '../../scripts/setup/server-env.mjs';
import { addressOf, readCpuMs, startEventStreamProcess } from '../measure/event-stream-process.mjs';
import { quantile } from '../measure/rounds.mjs';
import {
	createLengthCheck,
	readMemory,
	requireDurability,
	seedForBaseline,
	serveSeeded,
	stopAll,
} from '../measure/seed-and-load.mjs';

/** Messages sent before the measurement, so that code is compiled and the database's pages are in memory. */
const warmUpMessages = { full: 100, short: 100, once: 2 };
/** Raises the rate limit, because the benchmark sends more messages a minute than a member may. */
const measuredSettings = { LOG_LEVEL: 'warn', RATE_LIMIT_FACTOR: '100000' };
const baselineProgram = join(root, 'bench', 'baselines', 'baseline-event-stream.mjs');
const messagesOfForm = { full: 200, short: 30, once: 5 };

/**
 * Measures the time from the post of a message to its arrival on each of 50 and of 500 event streams of users who may
 * read it. The baseline sends the same bytes to as many streams after one insert with the same durability.
 */
export async function prepareDelivery(bench) {
	const { node, program, form } = bench;
	const messages = messagesOfForm[form];
	const { seeded, env } = await seedForBaseline(bench, 'delivery', ['event-streams', 0], measuredSettings);
	const servers = {
		folio: await startServer(node, env.folio, program),
		baseline: await startServer(node, env.baseline, baselineProgram),
	};
	await requireDurability(seeded.durability, servers.baseline.url);
	const lengths = createLengthCheck();
	const streamCounts = form === 'once' ? [10, 50] : [50, 500];
	return {
		contestants: ['folio', 'baseline'],
		rows: streamCounts.flatMap((count) => [
			[`to ${count} event streams, p50, ms`, `p50Of${count}`, 2],
			[`to ${count} event streams, p95, ms`, `p95Of${count}`, 2],
			[`to ${count} event streams, processor time a message, ms`, `cpuOf${count}`, 2],
		]),
		note:
			`${messages} messages a row, one after the other; the same bytes on every stream and in every answer; ` +
			'journal_mode=wal, synchronous=2 (FULL) on both.',
		async measure(name) {
			const server = servers[name];
			const clients = startEventStreamProcess();
			const figures = {};
			let openStreams = 0;
			for (const count of streamCounts) {
				const tokens = spread(seeded.readers, count - openStreams);
				openStreams = await clients.open({ group: 'readers', ...addressOf(server.url), tokens });
				if (openStreams !== count) throw new Error(`${openStreams} event streams are open, not ${count}.`);
				const { p50Ms, p95Ms, cpuMs } = await deliver(server, name, { clients, seeded, messages, lengths, form });
				Object.assign(figures, { [`p50Of${count}`]: p50Ms, [`p95Of${count}`]: p95Ms, [`cpuOf${count}`]: cpuMs });
			}
			await clients.end();
			return figures;
		},
		close: () => stopAll(servers),
	};
}

/** Compares the delivery to 50 event streams with and without 500 idle event streams, which must receive nothing. */
export async function prepareWithIdleClients(bench) {
	const { form } = bench;
	const messages = messagesOfForm[form];
	const idleClients = { beside: form === 'once' ? 50 : 500, alone: 0 };
	const servers = {};
	const seeded = {};
	for (const name of Object.keys(idleClients)) {
		const seeding = ['seed-small.ts', 'event-streams', idleClients.beside];
		const side = await serveSeeded(bench, `idleClients-${name}`, seeding, measuredSettings);
		[seeded[name], servers[name]] = [side.seeded, side.server];
	}
	const lengths = createLengthCheck();
	return {
		contestants: Object.keys(idleClients),
		rows: [
			['to 50 event streams, p50, ms', 'p50Ms', 2],
			['to 50 event streams, p95, ms', 'p95Ms', 2],
			['processor time a message, ms', 'cpuMs', 2],
		],
		note: `${idleClients.beside} idle event streams of other members compared with none; ${messages} messages a row, one after the other.`,
		async measure(name) {
			const server = servers[name];
			const clients = startEventStreamProcess();
			const address = addressOf(server.url);
			const { readers, others } = seeded[name];
			await clients.open({ group: 'others', ...address, tokens: others.slice(0, idleClients[name]) });
			await clients.open({ group: 'readers', ...address, tokens: spread(readers, 50) });
			const figures = await deliver(server, name, { clients, seeded: seeded[name], messages, lengths, form });
			const { open, hasReceived } = await clients.countOpen({ group: 'others' });
			if (open !== idleClients[name] || hasReceived)
				throw new Error(`${open} idle event streams are open; one has received a message: ${hasReceived}.`);
			await clients.end();
			return figures;
		},
		close: () => stopAll(servers),
	};
}

/** Compares the memory that an idle event stream uses in the product and in the baseline, at 10,000 event streams. */
export async function prepareIdle(bench) {
	const { node, program, form } = bench;
	const streamCount = { full: 10_000, short: 2000, once: 100 }[form];
	// These streams are opened and closed before the first measurement of memory.
	const warmUpStreams = form === 'once' ? 20 : 500;
	// Time for a server to finish pending work.
	const settleMs = form === 'once' ? 100 : 2000;
	const clientAddresses = ['127.0.0.2', '127.0.0.3'];
	const collecting = `--expose-gc --import ${join(root, 'bench', 'measure', 'gc-on-signal.mjs')}`;
	const programs = { folio: program, baseline: baselineProgram };
	const settings = { LOG_LEVEL: 'warn', NODE_OPTIONS: `${serverEnv.NODE_OPTIONS} ${collecting}` };
	const { seeded, env } = await seedForBaseline(bench, 'idle', ['event-streams', streamCount], settings);
	/** Opens event streams of `count` users. @returns a function that closes them and throws when one has been lost */
	const openStreams = async (url, count) => {
		const processes = clientAddresses.map((localAddress, index) => {
			const tokens = seeded.others
				.slice(0, count)
				.filter((_token, number) => number % clientAddresses.length === index);
			return { clients: startEventStreamProcess(), tokens, localAddress };
		});
		await Promise.all(
			processes.map(({ clients, ...rest }) => clients.open({ group: 'idle', ...addressOf(url), ...rest })),
		);
		return async () => {
			const counts = await Promise.all(processes.map(({ clients }) => clients.countOpen({ group: 'idle' })));
			const stillOpen = counts.reduce((sum, { open }) => sum + open, 0);
			if (stillOpen !== count) throw new Error(`${stillOpen} event streams are open, not ${count}.`);
			for (const { clients } of processes) await clients.end();
		};
	};
	return {
		contestants: ['folio', 'baseline'],
		rows: [
			['memory (RSS) of an event stream, KB', 'perStreamKb', 2],
			['the same before garbage collection, KB', 'perStreamBeforeKb', 2],
			['memory (RSS) without event streams, MB', 'emptyMb', 1],
			[`memory (RSS) with ${streamCount} event streams, MB`, 'fullMb', 1],
		],
		note: `${streamCount} event streams, each of another user; both servers collect garbage before each measurement.`,
		async measure(name) {
			await using server = await startServer(node, env[name], programs[name]);
			const closeWarmUp = await openStreams(server.url, warmUpStreams);
			await closeWarmUp();
			await sleep(settleMs);
			const emptyMb = await collectedMemory(server.pid, settleMs);
			const closeStreams = await openStreams(server.url, streamCount);
			await sleep(settleMs);
			const beforeMb = await readMemory(server.pid);
			const fullMb = await collectedMemory(server.pid, settleMs);
			await closeStreams();
			const perStream = (mb) => ((mb - emptyMb) * 1024) / streamCount;
			return { emptyMb, fullMb, perStreamKb: perStream(fullMb), perStreamBeforeKb: perStream(beforeMb) };
		},
		close: async () => {},
	};
}

async function collectedMemory(pid, settleMs) {
	process.kill(pid, 'SIGUSR2');
	await sleep(settleMs);
	return readMemory(pid);
}

async function deliver(server, side, { clients, seeded, messages, lengths, form }) {
	const path = `/api/chats/${seeded.memberId}/messages`;
	const task = { ...addressOf(server.url), path, token: seeded.readers[0], receivers: 'readers' };
	await clients.post({ ...task, count: warmUpMessages[form] });
	const cpuBeforeMs = await readCpuMs(server.pid);
	const { timesMs, events, replies } = await clients.post({ ...task, count: messages });
	const cpuMs = ((await readCpuMs(server.pid)) - cpuBeforeMs) / messages;
	for (const event of events) lengths.require('event', side, event);
	for (const reply of replies) lengths.require('reply', side, reply);
	return { p50Ms: quantile(timesMs, 0.5), p95Ms: quantile(timesMs, 0.95), cpuMs };
}

/** Repeats the readers' tokens in turn, because the number of event streams per user is limited. */
function spread(tokens, count) {
	return Array.from({ length: count }, (_, i) => tokens[i % tokens.length]);
}
