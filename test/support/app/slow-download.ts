import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { HttpClient } from './http-client.ts';

/** Begins a download and pauses it while most bytes are still on the server. */
export async function downloadSlowly(
	url: string,
	person: HttpClient,
	path: string,
	headers: Record<string, string> = {},
) {
	const sent = get(`${url}${path}`, { headers: { cookie: person.cookie(), ...headers } });
	const [response] = (await once(sent, 'response')) as [IncomingMessage];
	let received = 0;
	let isWhole = false;
	response.on('error', () => {});
	response.once('end', () => {
		isWhole = true;
	});
	const over = new Promise<void>((resolve) => response.once('close', () => resolve()));
	response.on('data', (chunk: Buffer) => {
		received += chunk.length;
	});
	// A zip download begins with the names of its folders; after 100 kB, a file is being sent.
	while (received < 100_000) await once(response, 'data');
	response.pause();
	return {
		status: response.statusCode,
		/** Reads the rest at full speed. @returns whether the download was complete */
		async finish(): Promise<boolean> {
			response.resume();
			await over;
			return isWhole;
		},
		received: () => received,
	};
}
