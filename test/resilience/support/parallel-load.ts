import { setTimeout as sleep } from 'node:timers/promises';
import { Upload } from 'tus-js-client';
import { limits } from '#contract/core/limits.ts';
import { uploadsPath } from '#contract/files/files.ts';
import { addUser, memberPassword } from '../../support/browser/seeding.ts';
import type { BuiltServer } from '../../support/services/built-server.ts';
import { type Client, createClient, signInOwner } from '../../support/services/server-client.ts';
import { findDifference, makeSample, type Sample } from './uploads.ts';

/** Uploads and sign-ins that run beside the checkouts, with the answers that the clients got, for the checks. */
export interface ParallelLoad {
	/** Resolves when all uploads and sign-ins are done. */
	done: Promise<void>;
	/** Counts the uploads and sign-ins that are not answered yet. */
	pending(): { uploads: number; signIns: number };
	/** Returns the faults in what the clients were told. */
	check(processes: readonly BuiltServer[]): Promise<string[]>;
	/** Email addresses of the members who sign in. */
	members: string[];
	/** Describes the load in words. */
	describe(): string;
}

export interface ParallelLoadPlan {
	uploads: number;
	signIns: number;
}

const uploadClients = 3;
const signInClients = 4;
const memberCount = 20;
const smallestBytes = 200_000;
const largestBytes = 3_000_000;

interface SignIn {
	email: string;
	client: Client;
}

/** Starts uploads and sign-ins of several clients at once, which continue after a lost connection as browsers do. */
export async function startParallelLoad(server: BuiltServer, plan: ParallelLoadPlan): Promise<ParallelLoad> {
	const owner = await signInOwner(server.url);
	const emails = Array.from({ length: memberCount }, (_, number) => `member-${number + 1}@example.com`);
	for (const email of emails) await addUser(owner, email);
	const uploaded: Sample[] = [];
	const faults: string[] = [];
	const signIns: SignIn[] = [];
	const air = { uploads: 0, signIns: 0 };
	const counts = { cutOff: 0, retries: 0, refused: 0, lastMs: 0 };
	const startedAt = performance.now();

	async function uploadAll(client: number): Promise<void> {
		for (let number = client; number < plan.uploads; number += uploadClients) {
			const size = smallestBytes + Math.floor(Math.random() * (largestBytes - smallestBytes));
			const sample = makeSample(`rush ${number + 1}.bin`, size);
			air.uploads += 1;
			try {
				counts.retries += await upload(owner, sample);
				uploaded.push(sample);
			} catch (error) {
				faults.push(`${sample.name} was not uploaded: ${error}`);
			} finally {
				air.uploads -= 1;
			}
		}
	}

	async function signInAll(first: number): Promise<void> {
		for (let number = first; number < plan.signIns; number += signInClients) {
			const email = emails[number % memberCount] ?? '';
			const client = createClient(server.url);
			for (let isDone = false; !isDone; ) {
				air.signIns += 1;
				// The connection was lost, or nginx reports that its own was lost. The client has no answer in either case.
				const status = await client.signIn(email, memberPassword).catch(() => 502);
				air.signIns -= 1;
				isDone = status !== 502 && status !== 504;
				if (status === 200) signIns.push({ email, client });
				else if (isDone) faults.push(`the sign-in of ${email} was answered with ${status}`);
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
		pending: () => ({ ...air }),
		async check(processes) {
			const wrong = [...faults];
			if (signIns.length !== plan.signIns) wrong.push(`${signIns.length} of ${plan.signIns} sign-ins were told`);
			if (uploaded.length !== plan.uploads) wrong.push(`${uploaded.length} of ${plan.uploads} uploads were told`);
			for (const sample of uploaded) {
				const fault = await findDifference(owner, sample);
				if (fault !== null) wrong.push(fault);
			}
			// The sessions are checked on every process in turn, because each process must know all of them.
			for (const [number, { email, client }] of signIns.entries()) {
				const { url } = processes[number % processes.length] ?? server;
				const answer = await fetch(`${url}/api/me`, { headers: { cookie: client.cookie() } });
				await answer.arrayBuffer();
				if (answer.status !== 200) wrong.push(`a session of ${email} that was told is gone (${answer.status})`);
			}
			return wrong;
		},
		members: emails,
		describe: () =>
			`${uploaded.length} uploads (${counts.retries} taken up again), ${signIns.length} sign-ins (${counts.cutOff} cut off and tried again) in ${(counts.lastMs / 1000).toFixed(1)} s`,
	};
}

/** Uploads a sample in chunks and resumes after each lost connection. @returns the number of retries */
function upload(owner: Client, sample: Sample): Promise<number> {
	return new Promise((resolve, reject) => {
		let retries = 0;
		const sending = new Upload(sample.bytes, {
			endpoint: `${owner.url}${uploadsPath}`,
			headers: { cookie: owner.cookie() },
			metadata: { owner: 'guest', path: '', filename: sample.name },
			chunkSize: limits.uploadFirstChunkBytes,
			retryDelays: Array<number>(100).fill(100),
			onShouldRetry: () => {
				retries += 1;
				return true;
			},
			onError: reject,
			onSuccess: () => resolve(retries),
		});
		sending.start();
	});
}
