import { once } from 'node:events';
import { connect } from 'node:net';

const headEnd = Buffer.from('\r\n\r\n');

/** Opens a raw keep-alive connection, which takes little CPU time. `request` throws for any other status. */
export async function openRawConnection({ host, port, status = 200 }) {
	const socket = connect({ host, port, noDelay: true });
	let answer = Promise.withResolvers();
	let received = Buffer.alloc(0);
	socket.on('data', (chunk) => {
		received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
		const bodyStart = received.indexOf(headEnd) + headEnd.length;
		if (bodyStart < headEnd.length) return;
		const head = received.toString('latin1', 0, bodyStart);
		const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]);
		if (!head.startsWith(`HTTP/1.1 ${status}`) || Number.isNaN(length)) return answer.reject(new Error(head));
		if (received.length < bodyStart + length) return;
		const body = received.subarray(bodyStart, bodyStart + length);
		received = received.subarray(bodyStart + length);
		answer.resolve(body);
	});
	await once(socket, 'connect');
	for (const event of ['error', 'close']) socket.on(event, (error) => answer.reject(error || new Error('closed')));
	return {
		request(bytes) {
			answer = Promise.withResolvers();
			socket.write(bytes);
			return answer.promise;
		},
		end: () => socket.end(),
	};
}
