/**
 * Forked by event-stream-process.mjs, which sends it commands: keeps event streams open over raw sockets, so that
 * receiving takes little CPU time compared with sending, and posts messages into the conversation whose events the
 * streams receive.
 */
import { connect } from 'node:net';
import { openRawConnection } from './raw-connection.mjs';

/** Headers of a browser, so that a server that stores a request's headers uses a realistic amount of memory. */
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
/** A message that has not reached every event stream within this time counts as lost. */
const receiveTimeoutMs = 10_000;

/** Event streams by group: those that receive the messages, and those that must not. */
const groups = new Map();
let poster;
let posted = 0;

const commands = { open, post: postMessages, countOpen: countOpenStreams };

process.on('message', async ({ command, input }) => {
	try {
		process.send({ answer: await commands[command](input) });
	} catch (error) {
		process.send({ error: String(error.stack ?? error) });
	}
});
process.on('disconnect', () => process.exit());

/** Opens an event stream for each token and adds it to the group. @returns number of streams in the group */
async function open({ group, host, port, tokens, localAddress }) {
	const streams = groups.get(group) ?? [];
	groups.set(group, streams);
	const waiting = [...tokens];
	const openNext = async () => {
		for (let token = waiting.pop(); token !== undefined; token = waiting.pop())
			streams.push(await openEventStream({ host, port, token, localAddress }));
	};
	await Promise.all(Array.from({ length: openedAtOnce }, openNext));
	return streams.length;
}

function openEventStream({ host, port, token, localAddress }) {
	return new Promise((resolve, reject) => {
		const socket = connect({ host, port, localAddress, noDelay: true });
		const stream = { text: '', isOpen: true, receive: (text) => text };
		socket.setEncoding('latin1');
		socket.on('connect', () =>
			socket.write(
				`GET /api/events HTTP/1.1\r\nHost: ${host}:${port}\r\n${browserLines}\r\nCookie: folio_session=${token}\r\n\r\n`,
			),
		);
		socket.on('error', reject);
		socket.on('close', () => {
			stream.isOpen = false;
			reject(new Error(`An event stream was not opened: ${stream.text}`));
		});
		const read = (text) => {
			stream.text = stream.receive(stream.text + text);
		};
		socket.on('data', function begin(text) {
			stream.text += text;
			if (!stream.text.includes(opening)) return;
			if (!stream.text.startsWith('HTTP/1.1 200')) return socket.destroy();
			stream.text = '';
			socket.off('data', begin);
			socket.on('data', read);
			resolve(stream);
		});
	});
}

/**
 * Posts messages one by one, each after the previous message was answered and has reached all streams of the group
 * `receivers`. @returns the ms from post to arrival at each stream, and one reply and one event of each length
 * @throws Error when a message is refused, or has not reached every stream within ten seconds
 */
async function postMessages({ host, port, path, token, count, receivers }) {
	poster ??= await openRawConnection({ host, port });
	const streams = groups.get(receivers);
	const timesMs = [];
	const events = new Map();
	const replies = new Map();
	for (let number = 1; number <= count; number += 1) {
		posted += 1;
		const clientId = `of-the-bench-${process.pid}-${posted}`.padEnd(32, '-');
		const body = JSON.stringify({ clientId, message: 'Good morning, is page 12 of the book all there is? '.repeat(2) });
		let left = streams.length;
		let postedAt;
		const { promise: isReceived, resolve, reject } = Promise.withResolvers();
		const timer = setTimeout(
			() => reject(new Error(`${left} of ${streams.length} event streams did not receive message ${number}.`)),
			receiveTimeoutMs,
		);
		isReceived.catch(() => {});
		for (const stream of streams) {
			stream.receive = (text) => {
				const idStart = text.indexOf(clientId);
				const end = idStart === -1 ? -1 : text.indexOf(eventEnd, idStart);
				if (end === -1) return text;
				timesMs.push(performance.now() - postedAt);
				const event = text.slice(text.lastIndexOf(dataStart, idStart) + dataStart.length, end);
				events.set(event.length, event);
				left -= 1;
				if (left === 0) resolve();
				return '';
			};
		}
		postedAt = performance.now();
		const reply = (await poster.request(postRequest({ host, port, path, token }, body))).toString('latin1');
		replies.set(reply.length, reply);
		await isReceived;
		clearTimeout(timer);
	}
	return { timesMs, events: [...events.values()], replies: [...replies.values()] };
}

function postRequest({ host, port, path, token }, body) {
	const head = [
		`POST ${path} HTTP/1.1`,
		`Host: ${host}:${port}`,
		`Cookie: folio_session=${token}`,
		'Content-Type: application/json',
		`Content-Length: ${body.length}`,
	].join('\r\n');
	return `${head}\r\n\r\n${body}`;
}

function countOpenStreams({ group }) {
	const streams = groups.get(group) ?? [];
	return {
		open: streams.filter(({ isOpen }) => isOpen).length,
		hasReceived: streams.some(({ text }) => text.includes('"message"')),
	};
}
