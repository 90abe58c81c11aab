import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { HttpClient } from './http-client.ts';

/** Starts a download and pauses it while most bytes are still on the server. */
export async function downloadSlowly(
	url: string,
	client: HttpClient,
	path: string,
	headers: Record<string, string> = {},
) {
	const request = get(`${url}${path}`, { headers: { cookie: client.cookie(), ...headers } });
	const [response] = (await once(request, 'response')) as [IncomingMessage];
	let received = 0;
	let isComplete = false;
	response.on('error', () => {});
	response.once('end', () => {
		isComplete = true;
	});
	const closed = new Promise<void>((resolve) => response.once('close', () => resolve()));
	response.on('data', (chunk: Buffer) => {
		received += chunk.length;
	});
	// A ZIP starts with its folder entries; after 100 kB, the server is sending the bytes of a file.
	while (received < 100_000) await once(response, 'data');
	response.pause();
	return {
		status: response.statusCode,
		/** Reads the rest at full speed. @returns whether the download was complete */
		async finish(): Promise<boolean> {
			response.resume();
			await closed;
			return isComplete;
		},
		received: () => received,
	};
}
