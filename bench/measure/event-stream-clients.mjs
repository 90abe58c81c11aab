/**
 * Forked by event-stream-process.mjs: holds event streams open over raw sockets, so that receiving costs little
 * compared with sending, and posts messages into a conversation whose events they receive. The two processes
 * communicate by messages.
 */
import { connect } from 'node:net';

/** Headers of a browser, so that a server that keeps a request's headers needs a realistic amount of memory. */
const browserLines = [
	'Connection: keep-alive',
	'Accept: text/event-stream',
	'Cache-Control: no-cache',
	'User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
	'Accept-Language: en-IN,en;q=0.9,hi;q=0.8',
	'Sec-Fetch-Site: same-origin',
	'Sec-Fetch-Mode: cors',
	'Sec-Fetch-Dest: empty',
].join('\r\n');
/** The first bytes that a server writes into a stream. */
const opening = 'retry: 1000\n\n';
const dataStart = 'data: ';
const eventEnd = '\n\n';
const openedAtOnce = 100;
/** A message that has not reached every event stream by then counts as lost. */
const receiveTimeoutMs = 10_000;

/** Event streams by group: those that receive the messages, and those that must not. */
const groups = new Map();
let poster;
let said = 0;

const answers = { open, say: postMessages, look: countOpenStreams };

process.on('message', async ({ ask, input }) => {
	try {
		process.send({ answer: await answers[ask](input) });
	} catch (error) {
		process.send({ error: String(error.stack ?? error) });
	}
});
process.on('disconnect', () => process.exit());

/** Opens an event stream for each token and adds it to the group. @returns number of streams in the group */
async function open({ group, host, port, tokens, localAddress }) {
	const lines = groups.get(group) ?? [];
	groups.set(group, lines);
	const waiting = [...tokens];
	const openNext = async () => {
		for (let token = waiting.pop(); token !== undefined; token = waiting.pop())
			lines.push(await openEventStream({ host, port, token, localAddress }));
	};
	await Promise.all(Array.from({ length: openedAtOnce }, openNext));
	return lines.length;
}

function openEventStream({ host, port, token, localAddress }) {
	return new Promise((resolve, reject) => {
		const socket = connect({ host, port, localAddress, noDelay: true });
		const line = { text: '', isOpen: true, hear: (text) => text };
		socket.setEncoding('latin1');
		socket.on('connect', () =>
			socket.write(
				`GET /api/events HTTP/1.1\r\nHost: ${host}:${port}\r\n${browserLines}\r\nCookie: folio_session=${token}\r\n\r\n`,
			),
		);
		socket.on('error', reject);
		socket.on('close', () => {
			line.isOpen = false;
			reject(new Error(`A line was not opened: ${line.text}`));
		});
		const read = (text) => {
			line.text = line.hear(line.text + text);
		};
		socket.on('data', function begin(text) {
			line.text += text;
			if (!line.text.includes(opening)) return;
			if (!line.text.startsWith('HTTP/1.1 200')) return socket.destroy();
			line.text = '';
			socket.off('data', begin);
			socket.on('data', read);
			resolve(line);
		});
	});
}

/**
 * Posts messages one after the other, each once the previous one has been answered and has reached every event stream
 * of the group `heardBy`. @returns the ms from post to arrival at each stream, and one reply and one event of each
 * length @throws Error when a message is refused, or has not reached every stream within ten seconds
 */
async function postMessages({ host, port, path, token, count, heardBy }) {
	poster ??= await openPoster({ host, port });
	const lines = groups.get(heardBy);
	const timesMs = [];
	const events = new Map();
	const replies = new Map();
	for (let number = 1; number <= count; number += 1) {
		said += 1;
		const clientId = `of-the-bench-${process.pid}-${said}`.padEnd(32, '-');
		const body = JSON.stringify({ clientId, message: 'Good morning, is page 12 of the book all there is? '.repeat(2) });
		let left = lines.length;
		let askedAt;
		const { promise: heard, resolve, reject } = Promise.withResolvers();
		const timer = setTimeout(
			() => reject(new Error(`${left} of ${lines.length} lines did not hear message ${number}.`)),
			receiveTimeoutMs,
		);
		heard.catch(() => {});
		for (const line of lines) {
			line.hear = (text) => {
				const named = text.indexOf(clientId);
				const end = named === -1 ? -1 : text.indexOf(eventEnd, named);
				if (end === -1) return text;
				timesMs.push(performance.now() - askedAt);
				const event = text.slice(text.lastIndexOf(dataStart, named) + dataStart.length, end);
				events.set(event.length, event);
				left -= 1;
				if (left === 0) resolve();
				return '';
			};
		}
		askedAt = performance.now();
		const reply = await poster.post(path, token, body);
		replies.set(reply.length, reply);
		await heard;
		clearTimeout(timer);
	}
	timesMs.sort((a, b) => a - b);
	return { timesMs, events: [...events.values()], replies: [...replies.values()] };
}

/** Opens a keep-alive connection with a function that posts and returns the answer's body. */
function openPoster({ host, port }) {
	return new Promise((resolve, reject) => {
		const socket = connect({ host, port, noDelay: true });
		socket.setEncoding('latin1');
		socket.on('error', reject);
		let take;
		let received = '';
		socket.on('data', (text) => {
			received += text;
			const bodyStart = received.indexOf('\r\n\r\n') + 4;
			if (bodyStart < 4) return;
			const length = Number(/\r\ncontent-length: (\d+)/iu.exec(received)?.[1]);
			if (received.length < bodyStart + length) return;
			const answer = received;
			received = '';
			take(answer.startsWith('HTTP/1.1 200') ? answer.slice(bodyStart) : Promise.reject(new Error(answer)));
		});
		const post = (path, token, body) => {
			const head = [
				`POST ${path} HTTP/1.1`,
				`Host: ${host}:${port}`,
				`Cookie: folio_session=${token}`,
				'Content-Type: application/json',
				`Content-Length: ${body.length}`,
			].join('\r\n');
			socket.write(`${head}\r\n\r\n${body}`);
			return new Promise((then) => {
				take = then;
			});
		};
		socket.on('connect', () => resolve({ post }));
	});
}

/** Counts the open event streams of a group, and says whether one of them has received a message. */
function countOpenStreams({ group }) {
	const lines = groups.get(group) ?? [];
	return {
		open: lines.filter(({ isOpen }) => isOpen).length,
		hasHeard: lines.some(({ text }) => text.includes('"message"')),
	};
}
