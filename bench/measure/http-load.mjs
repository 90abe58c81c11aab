/**
 * `node bench/measure/http-load.mjs '{"host","port","path","headers","connections","seconds"}'`: requests one page over
 * keep-alive connections, each of which waits for its answer before the next request, and prints the results as JSON.
 */
import { openRawConnection } from './raw-connection.mjs';

const { host, port, path, headers, connections, seconds } = JSON.parse(process.argv[2]);
const lines = Object.entries({ host: `${host}:${port}`, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
const request = Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
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

async function runConnection() {
	const connection = await openRawConnection({ host, port });
	do {
		const sentAt = performance.now();
		const { length } = await connection.request(request);
		times.push(performance.now() - sentAt);
		lengths.add(length);
	} while (performance.now() < endsAt);
	connection.end();
}
