/**
 * `node bench/measure/byte-load.mjs '{"host","port","path","cookie","sizeBytes","rangeBytes","connections","seconds"}'`:
 * requests a file, or with `rangeBytes` a random range of it, over keep-alive connections, each of which waits for its
 * answer before the next request. Discards the bytes, so that this process is not the limit. Prints the results as JSON.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { quantile } from './rounds.mjs';

const { host, port, path, cookie, sizeBytes, rangeBytes, connections, seconds } = JSON.parse(process.argv[2]);
const expectedStatus = rangeBytes === undefined ? '200' : '206';
/** One buffer for all connections, because each callback is done with its bytes when it returns. */
const buffer = Buffer.alloc(512 * 1024);
const times = [];
const startedAt = performance.now();
const endsAt = startedAt + seconds * 1000;

await Promise.all(Array.from({ length: connections }, runConnection));
const elapsedSeconds = (performance.now() - startedAt) / 1000;
const bytes = times.length * (rangeBytes ?? sizeBytes);
console.log(
	JSON.stringify({
		requests: times.length,
		perSecond: times.length / elapsedSeconds,
		megabytesPerSecond: bytes / 1e6 / elapsedSeconds,
		p50Ms: quantile(times, 0.5),
		p99Ms: quantile(times, 0.99),
	}),
);

async function runConnection() {
	let connection = await openConnection();
	do {
		// nginx closes a connection after 1,000 requests.
		if (connection.isClosing()) connection = await openConnection();
		const sentAt = performance.now();
		await connection.request(rangeBytes === undefined ? '' : `range: ${randomRange()}\r\n`);
		times.push(performance.now() - sentAt);
	} while (performance.now() < endsAt);
	connection.end();
}

function randomRange() {
	const start = Math.floor(Math.random() * (sizeBytes - rangeBytes));
	return `bytes=${start}-${start + rangeBytes - 1}`;
}

/** `request` resolves when the whole body was received, and rejects for a wrong status or length. */
async function openConnection() {
	let answer = Promise.withResolvers();
	let head = '';
	/** Bytes of the body that are still to come; null before the end of the head. */
	let missing = null;

	function receive(count) {
		if (missing !== null) missing -= count;
		else {
			const known = head.length;
			head += buffer.toString('latin1', 0, Math.min(count, 8192));
			const end = head.indexOf('\r\n\r\n');
			if (end < 0) return true;
			const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]);
			if (!head.startsWith(`HTTP/1.1 ${expectedStatus}`) || length !== (rangeBytes ?? sizeBytes))
				answer.reject(new Error(head.slice(0, end)));
			missing = length - (count - (end + 4 - known));
		}
		if (missing < 0) answer.reject(new Error('More bytes than announced.'));
		if (missing === 0) answer.resolve();
		return true;
	}

	const socket = connect({ host, port, noDelay: true, onread: { buffer, callback: receive } });
	for (const event of ['error', 'close']) socket.on(event, (error) => answer.reject(error || new Error('closed')));
	await once(socket, 'connect');
	return {
		request(line) {
			answer = Promise.withResolvers();
			head = '';
			missing = null;
			socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}:${port}\r\ncookie: ${cookie}\r\n${line}\r\n`);
			return answer.promise;
		},
		isClosing: () => /\r\nconnection: close\r/i.test(head),
		end: () => socket.end(),
	};
}
