import { setTimeout as sleep } from 'node:timers/promises';
import { addUser, memberPassword } from '../../support/browser/seeding.ts';
import type { BuiltServer } from '../../support/services/built-server.ts';
import { type Client, createClient, signInOwner } from '../../support/services/server-client.ts';
import { findDifferences, makeSample, type Sample, uploadWithRetries } from './uploads.ts';

const uploadClients = 3;
const signInClients = 4;
const memberCount = 20;
const smallestBytes = 200_000;
const largestBytes = 3_000_000;

/** Starts uploads and sign-ins of several clients, which retry after a lost connection like browsers. */
export async function startParallelLoad(server: BuiltServer, plan: { uploads: number; signIns: number }) {
	const owner = await signInOwner(server.url);
	const emails = Array.from({ length: memberCount }, (_, number) => `member-${number + 1}@example.com`);
	for (const email of emails) await addUser(owner, email);
	const uploaded: Sample[] = [];
	const loadFaults: string[] = [];
	const signIns: Array<{ email: string; client: Client }> = [];
	const pending = { uploads: 0, signIns: 0 };
	const counts = { cutOff: 0, retries: 0, lastMs: 0 };
	const startedAt = performance.now();

	async function uploadAll(client: number): Promise<void> {
		for (let number = client; number < plan.uploads; number += uploadClients) {
			const size = smallestBytes + Math.floor(Math.random() * (largestBytes - smallestBytes));
			const sample = makeSample(`load ${number + 1}.bin`, size);
			pending.uploads += 1;
			try {
				counts.retries += (await uploadWithRetries(owner, sample.name, sample.bytes)).retries;
				uploaded.push(sample);
			} catch (error) {
				loadFaults.push(`${sample.name} was not uploaded: ${error}`);
			} finally {
				pending.uploads -= 1;
			}
		}
	}

	async function signInAll(first: number): Promise<void> {
		for (let number = first; number < plan.signIns; number += signInClients) {
			const email = emails[number % memberCount] ?? '';
			const client = createClient(server.url);
			for (let isDone = false; !isDone; ) {
				pending.signIns += 1;
				// Counts a lost connection as 502, like nginx.
				const status = await client.signIn(email, memberPassword).catch(() => 502);
				pending.signIns -= 1;
				isDone = status !== 502 && status !== 504;
				if (status === 200) signIns.push({ email, client });
				else if (isDone) loadFaults.push(`the sign-in of ${email} was answered with ${status}`);
				else {
					counts.cutOff += 1;
					await sleep(20);
				}
			}
		}
	}

	const done = Promise.all([
		...Array.from({ length: uploadClients }, (_, client) => uploadAll(client)),
		...Array.from({ length: signInClients }, (_, client) => signInAll(client)),
	]).then(() => {
		counts.lastMs = performance.now() - startedAt;
	});

	return {
		done,
		pending: () => ({ ...pending }),
		async check(processes: readonly BuiltServer[]) {
			const faults = [...loadFaults];
			if (signIns.length !== plan.signIns)
				faults.push(`${signIns.length} of ${plan.signIns} sign-ins were acknowledged`);
			if (uploaded.length !== plan.uploads)
				faults.push(`${uploaded.length} of ${plan.uploads} uploads were acknowledged`);
			faults.push(...(await findDifferences(owner, uploaded)));
			// The sessions are checked on every process in turn, because each process must know all of them.
			for (const [number, { email, client }] of signIns.entries()) {
				const { url } = processes[number % processes.length] ?? server;
				const answer = await fetch(`${url}/api/me`, { headers: { cookie: client.cookie() } });
				await answer.arrayBuffer();
				if (answer.status !== 200)
					faults.push(`a session of ${email} that was acknowledged is gone (${answer.status})`);
			}
			return faults;
		},
		members: emails,
		describe: () =>
			`${uploaded.length} uploads (resumed ${counts.retries} times), ${signIns.length} sign-ins (${counts.cutOff} retries after a lost connection) in ${(counts.lastMs / 1000).toFixed(1)} s`,
	};
}
