/**
 * `node bench/measure/upload-load.mjs '{"host","port","protocol","paths","label","count","connections","sizeBytes","headers"}'`:
 * sends new files of random bytes over keep-alive connections, each of which waits for the answer to one file before the
 * next, and prints the results with the files' hashes as JSON. `protocol`: `tus` to the guest space, or `put`; `paths`:
 * the folders, in turn.
 */
import { createHash, randomBytes } from 'node:crypto';
import { openRawConnection } from './raw-connection.mjs';
import { quantile } from './rounds.mjs';

const task = JSON.parse(process.argv[2]);
const { host, port, connections, sizeBytes } = task;
const requests = Array.from({ length: task.count }, (_, index) => {
	const body = randomBytes(sizeBytes);
	const folder = task.paths[index % task.paths.length];
	const bytes = Buffer.concat([Buffer.from(headOf(folder, `${task.label}-${index}.bin`)), body]);
	return { bytes, sha256: createHash('sha256').update(body).digest('hex') };
});
const times = [];
const lengths = new Set();
let next = 0;
const startedAt = performance.now();
await Promise.all(Array.from({ length: connections }, runConnection));
const elapsedSeconds = (performance.now() - startedAt) / 1000;
console.log(
	JSON.stringify({
		perSecond: times.length / elapsedSeconds,
		p50Ms: quantile(times, 0.5),
		p99Ms: quantile(times, 0.99),
		bodyBytes: [...lengths],
		hashes: requests.map(({ sha256 }) => sha256),
	}),
);

async function runConnection() {
	const connection = await openRawConnection({ host, port, status: 201 });
	while (next < requests.length) {
		const request = requests[next];
		next += 1;
		const sentAt = performance.now();
		const { length } = await connection.request(request.bytes);
		times.push(performance.now() - sentAt);
		lengths.add(length);
	}
	connection.end();
}

function headOf(folder, name) {
	const isTus = task.protocol === 'tus';
	const headers = {
		host: `${host}:${port}`,
		'content-length': sizeBytes,
		...task.headers,
		...(isTus && {
			'tus-resumable': '1.0.0',
			'content-type': 'application/offset+octet-stream',
			'upload-length': sizeBytes,
			'upload-metadata': encodeMetadata({ owner: 'guest', path: folder, filename: name }),
		}),
	};
	const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}\r\n`);
	return `${isTus ? 'POST /api/uploads' : `PUT /${folder}/${name}`} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

function encodeMetadata(values) {
	const pairs = Object.entries(values).map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`);
	return pairs.join(',');
}
