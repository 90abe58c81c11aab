import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from '../../scripts/services/built-server.mjs';
import { demoEnvironment } from '../../scripts/services/demo-data.mjs';
import { root } from '../../scripts/setup/processes.mjs';
import { createLengthCheck } from '../measure/body-differences.mjs';
import { prepareDataSizes } from '../measure/data-sizes.mjs';
import { addressOf, readCpuMs, startEventStreamProcess } from '../measure/event-stream-process.mjs';
import { readMemory } from '../measure/memory.mjs';
import { requireDurability, runSeed } from '../measure/seed-and-load.mjs';

/** Messages sent before the measurement, so that code is compiled and the database's pages are in memory. */
const warmUpMessages = { full: 100, short: 100, once: 2 };
/** Lifts the rate limit, because the benchmark sends more messages a minute than a member may. */
const asMeasured = { LOG_LEVEL: 'warn', RATE_LIMIT_FACTOR: '100000' };
const messagesOfForm = { full: 200, short: 30, once: 5 };

/**
 * Compares a conversation of 100,000 messages with one of 100: the requests of the inbox when it opens the
 * conversation, and the previous page.
 *
 * @param {import('../measure/rounds.mjs').Bench} bench @returns {Promise<import('../measure/rounds.mjs').Comparison>}
 */
export function prepareOpening(bench) {
	const counts = { many: bench.form === 'once' ? 1000 : 100_000, few: 100 };
	const rows = {
		messages: 'newest 50 messages with the state',
		older: '50 messages further up',
		list: "owner's list of 50 conversations",
		unread: 'unread count',
	};
	return prepareDataSizes(bench, {
		area: 'chat',
		counts,
		findPages: async ({ seeded: { talker } }) => ({
			messages: `/api/chats/${talker}/messages?limit=50`,
			older: `/api/chats/${talker}/messages?limit=50&before=99971`,
			list: '/api/chats?limit=50',
			unread: '/api/chat-unread',
		}),
		itemsOf: (page) => (page === 'unread' ? undefined : 50),
		rows: Object.entries(rows).map(([page, what]) => ({ label: `${what}, p50, ms`, page })),
		figure: 'p50Ms',
		connections: 1,
		seconds: { full: 1.5, short: 0.5, once: 0.1 }[bench.form],
		note: `${counts.many} messages beside ${counts.few}`,
	});
}

/**
 * Measures the time from the post of a message to its arrival on each of 50 and of 500 event streams of users who may
 * read it. The baseline sends the same bytes to as many streams after one insert with the same durability.
 *
 * @param {import('../measure/rounds.mjs').Bench} bench @returns {Promise<import('../measure/rounds.mjs').Comparison>}
 */
export async function prepareDelivery({ node, folder, program, form }) {
	const messages = messagesOfForm[form];
	const env = {
		folio: { ...demoEnvironment(join(folder, 'delivery-folio')), ...asMeasured },
		bare: demoEnvironment(join(folder, 'delivery-bare')),
	};
	const seeded = await runSeed(node, 'seed-small.ts', env.folio, 'event-streams', '0');
	await cp(join(folder, 'delivery-folio'), join(folder, 'delivery-bare'), { recursive: true });
	const servers = {
		folio: await startServer(node, env.folio, program),
		bare: await startServer(node, env.bare, join(root, 'bench', 'baselines', 'baseline-event-stream.mjs')),
	};
	const bareDurability = await (await fetch(`${servers.bare.url}/durability`)).json();
	requireDurability({ folio: seeded.durability, bare: bareDurability });
	const lengths = createLengthCheck();
	const lines = form === 'once' ? [10, 50] : [50, 500];
	return {
		contestants: ['folio', 'bare'],
		rows: lines.flatMap((count) => [
			[`to ${count} listeners, p50, ms`, `p50Of${count}`, 2],
			[`to ${count} listeners, p95, ms`, `p95Of${count}`, 2],
			[`to ${count} listeners, processor time a message, ms`, `cpuOf${count}`, 2],
		]),
		facts: { messages, lines },
		note:
			`${messages} messages a row, one after the other; the same bytes to every listener and in every answer; ` +
			'journal_mode=wal, synchronous=2 (FULL) on both.',
		async measure(name) {
			const server = servers[name];
			const listeners = startEventStreamProcess();
			const figures = {};
			for (const count of lines) {
				const more = spread(seeded.readers, count - (figures.lines ?? 0));
				figures.lines = await listeners.open({ group: 'readers', ...addressOf(server.url), tokens: more });
				if (figures.lines !== count) throw new Error(`${figures.lines} lines, not ${count}.`);
				const { p50Ms, p95Ms, cpuMs } = await deliver({
					server,
					side: name,
					listeners,
					seeded,
					messages,
					lengths,
					form,
				});
				Object.assign(figures, { [`p50Of${count}`]: p50Ms, [`p95Of${count}`]: p95Ms, [`cpuOf${count}`]: cpuMs });
			}
			await listeners.end();
			return figures;
		},
		close: () => stopAll(servers),
	};
}

/**
 * Compares the delivery to 50 event streams with and without 500 idle event streams of members without access to the
 * conversation. No idle stream may receive anything.
 *
 * @param {import('../measure/rounds.mjs').Bench} bench @returns {Promise<import('../measure/rounds.mjs').Comparison>}
 */
export async function prepareWithIdleClients({ node, folder, program, form }) {
	const messages = messagesOfForm[form];
	const bystanders = { beside: form === 'once' ? 50 : 500, alone: 0 };
	const servers = {};
	const seeded = {};
	for (const name of Object.keys(bystanders)) {
		const env = { ...demoEnvironment(join(folder, `bystanders-${name}`)), ...asMeasured };
		seeded[name] = await runSeed(node, 'seed-small.ts', env, 'event-streams', String(bystanders.beside));
		servers[name] = await startServer(node, env, program);
	}
	const lengths = createLengthCheck();
	return {
		contestants: Object.keys(bystanders),
		rows: [
			['to 50 listeners, p50, ms', 'p50Ms', 2],
			['to 50 listeners, p95, ms', 'p95Ms', 2],
			['processor time a message, ms', 'cpuMs', 2],
		],
		facts: { messages, bystanders },
		note: `${bystanders.beside} lines of other members beside none; ${messages} messages a row, one after the other.`,
		async measure(name) {
			const server = servers[name];
			const listeners = startEventStreamProcess();
			const address = addressOf(server.url);
			const { readers, others } = seeded[name];
			await listeners.open({ group: 'others', ...address, tokens: others.slice(0, bystanders[name]) });
			await listeners.open({ group: 'readers', ...address, tokens: spread(readers, 50) });
			const figures = await deliver({ server, side: name, listeners, seeded: seeded[name], messages, lengths, form });
			const { open, hasHeard } = await listeners.look({ group: 'others' });
			if (open !== bystanders[name] || hasHeard) throw new Error(`${open} others listen; one has heard: ${hasHeard}.`);
			await listeners.end();
			return figures;
		},
		close: () => stopAll(servers),
	};
}

/**
 * Compares the memory of an idle event stream, of 10,000 users with a session each, with the baseline's. The clients
 * are processes of their own with an address each.
 *
 * @param {import('../measure/rounds.mjs').Bench} bench @returns {Promise<import('../measure/rounds.mjs').Comparison>}
 */
export async function prepareIdle({ node, folder, program, form }) {
	const lines = { full: 10_000, short: 2000, once: 100 }[form];
	// Opened and closed before the memory of the server without streams is measured.
	const warmUpLines = form === 'once' ? 20 : 500;
	// Time for a server to finish pending work.
	const settleMs = form === 'once' ? 100 : 2000;
	const clients = ['127.0.0.2', '127.0.0.3'];
	const collecting = `--expose-gc --import ${join(root, 'bench', 'measure', 'gc-on-signal.mjs')}`;
	const env = {
		folio: { ...demoEnvironment(join(folder, 'idle-folio')), LOG_LEVEL: 'warn', NODE_OPTIONS: collecting },
		bare: { ...demoEnvironment(join(folder, 'idle-bare')), NODE_OPTIONS: collecting },
	};
	const programs = { folio: program, bare: join(root, 'bench', 'baselines', 'baseline-event-stream.mjs') };
	const seedEnv = { ...env.folio, NODE_OPTIONS: '' };
	const { others } = await runSeed(node, 'seed-small.ts', seedEnv, 'event-streams', String(lines));
	await cp(join(folder, 'idle-folio'), join(folder, 'idle-bare'), { recursive: true });
	/** Opens event streams of `count` users. @returns a function that closes them @throws Error when one has been lost */
	const hold = async (url, count) => {
		const held = clients.map((localAddress, index) => {
			const tokens = others.slice(0, count).filter((_token, number) => number % clients.length === index);
			return { listeners: startEventStreamProcess(), tokens, localAddress };
		});
		await Promise.all(
			held.map(({ listeners, ...rest }) => listeners.open({ group: 'idle', ...addressOf(url), ...rest })),
		);
		return async () => {
			const looks = await Promise.all(held.map(({ listeners }) => listeners.look({ group: 'idle' })));
			const standing = looks.reduce((sum, { open }) => sum + open, 0);
			if (standing !== count) throw new Error(`${standing} lines stand, not ${count}.`);
			for (const { listeners } of held) await listeners.end();
		};
	};
	return {
		contestants: ['folio', 'bare'],
		rows: [
			['memory (RSS) of a listener, KB', 'perLineKb', 2],
			['the same before the garbage is collected, KB', 'perLineBeforeKb', 2],
			['memory (RSS) without a listener, MB', 'emptyMb', 1],
			[`memory (RSS) with ${lines}, MB`, 'fullMb', 1],
		],
		facts: { lines },
		note: `${lines} lines, a session of somebody else's each; both servers' garbage collected before each look.`,
		async measure(name) {
			const server = await startServer(node, env[name], programs[name]);
			try {
				const leaveWarmUp = await hold(server.url, warmUpLines);
				await leaveWarmUp();
				await sleep(settleMs);
				const emptyMb = await collectedMemory(server.pid, settleMs);
				const leave = await hold(server.url, lines);
				await sleep(settleMs);
				const beforeMb = await readMemory(server.pid);
				const fullMb = await collectedMemory(server.pid, settleMs);
				await leave();
				const perLine = (mb) => ((mb - emptyMb) * 1024) / lines;
				return { emptyMb, fullMb, perLineKb: perLine(fullMb), perLineBeforeKb: perLine(beforeMb) };
			} finally {
				await server.stop();
			}
		},
		close: async () => {},
	};
}

async function collectedMemory(pid, settleMs) {
	process.kill(pid, 'SIGUSR2');
	await sleep(settleMs);
	return readMemory(pid);
}

async function deliver({ server, side, listeners, seeded, messages, lengths, form }) {
	const path = `/api/chats/${seeded.memberId}/messages`;
	const task = { ...addressOf(server.url), path, token: seeded.readers[0], heardBy: 'readers' };
	await listeners.say({ ...task, count: warmUpMessages[form] });
	const cpuBeforeMs = await readCpuMs(server.pid);
	const { timesMs, events, replies } = await listeners.say({ ...task, count: messages });
	const cpuMs = ((await readCpuMs(server.pid)) - cpuBeforeMs) / messages;
	for (const event of events) lengths.require('event', side, event);
	for (const reply of replies) lengths.require('reply', side, reply);
	const at = (share) => timesMs[Math.floor(timesMs.length * share)];
	return { p50Ms: at(0.5), p95Ms: at(0.95), cpuMs };
}

/** Repeats the readers' tokens in turn, because the number of event streams per user is limited. */
function spread(tokens, count) {
	return Array.from({ length: count }, (_, i) => tokens[i % tokens.length]);
}

async function stopAll(servers) {
	for (const server of Object.values(servers)) await server.stop();
}
