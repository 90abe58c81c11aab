/**
 * `node bench/measure/http-load.mjs '{"host","port","path","headers","connections","seconds"}'`: requests one page over
 * keep-alive connections, each of which waits for its answer before the next request, and prints the results as JSON.
 * Uses raw sockets, so that requesting costs little compared with answering.
 */
import { connect } from 'node:net';

const { host, port, path, headers, connections, seconds } = JSON.parse(process.argv[2]);
const lines = Object.entries({ host: `${host}:${port}`, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
const request = Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
const headEnd = Buffer.from('\r\n\r\n');
const times = [];
const lengths = new Set();
const startedAt = performance.now();
const endsAt = startedAt + seconds * 1000;

await Promise.all(Array.from({ length: connections }, runConnection));
const elapsedSeconds = (performance.now() - startedAt) / 1000;
times.sort((a, b) => a - b);
console.log(
	JSON.stringify({
		requests: times.length,
		perSecond: times.length / elapsedSeconds,
		p50Ms: times[Math.floor(times.length * 0.5)],
		p95Ms: times[Math.floor(times.length * 0.95)],
		p99Ms: times[Math.floor(times.length * 0.99)],
		bodyBytes: [...lengths],
	}),
);

function runConnection() {
	return new Promise((resolve, reject) => {
		const socket = connect({ host, port, noDelay: true });
		let askedAt = 0;
		let received = Buffer.alloc(0);
		const ask = () => {
			askedAt = performance.now();
			socket.write(request);
		};
		socket.on('connect', ask);
		socket.on('error', reject);
		socket.on('close', () => resolve());
		socket.on('data', (chunk) => {
			received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
			const bodyStart = received.indexOf(headEnd) + headEnd.length;
			if (bodyStart < headEnd.length) return;
			const head = received.toString('latin1', 0, bodyStart);
			const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]);
			if (!head.startsWith('HTTP/1.1 200') || Number.isNaN(length)) return socket.destroy(new Error(head));
			if (received.length < bodyStart + length) return;
			times.push(performance.now() - askedAt);
			lengths.add(length);
			received = received.subarray(bodyStart + length);
			if (performance.now() < endsAt) ask();
			else socket.end();
		});
	});
}
