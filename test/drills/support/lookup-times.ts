import { type Client, createClient } from '../../support/client.ts';

const rounds = 200;
const warmUp = 20;

/** How long answers took, in milliseconds, by what was asked for. */
export interface LookupTimes {
	unknownUsername: number[];
	wrongState: number[];
}

/**
 * Asks the credentials lookup in turn for unknown usernames and for known ones with a wrong state. The server needs
 * RATE_LIMIT_FACTOR=1000.
 * @throws Error when an answer is not 'not found', or tells the two apart
 */
export async function timeLookups(owner: Client): Promise<LookupTimes> {
	const rows = Array.from({ length: rounds }, (_, i) => `known${i},goa,GA-${i},secret ${i}`);
	const csv = ['username,state,id,password', ...rows].join('\n');
	await owner.send('POST', '/api/credentials-import', { csv });
	const visitor = createClient(owner.url);
	const ask = async (username: string, state: string) => {
		const startedAt = performance.now();
		const answer = await visitor.send('POST', '/api/insta-credentials/search', { username, state });
		const ms = performance.now() - startedAt;
		if (JSON.stringify(answer) !== '{"found":false,"data":null}')
			throw new Error(`${username}, ${state} was answered with ${JSON.stringify(answer)}`);
		return ms;
	};
	for (let i = 0; i < warmUp; i += 1) await ask('warm up', 'goa');
	const times: LookupTimes = { unknownUsername: [], wrongState: [] };
	for (let i = 0; i < rounds; i += 1) {
		times.unknownUsername.push(await ask(`other${i}`, 'goa'));
		times.wrongState.push(await ask(`known${i}`, 'kerala'));
	}
	return times;
}
