/**
 * Deletes a member with 5,000 files and kills the server (-9) repeatedly during the deletion. After the last restart
 * only the member's order and audit entry are left, other members have all their files, and fsck finds no
 * problem.
 * Control: if the server keeps the pending work in memory instead of the database, the same checks must find faults.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { addUser, buy, createUpload } from '../support/browser/seeding.ts';
import type { BuiltServer } from '../support/services/built-server.ts';
import { signInOwner } from '../support/services/server-client.ts';
import { checkDeletion, fillSpace, type MemberWithFiles } from './support/deletion-data.ts';
import { finishTest, isShort, printLine } from './support/report.ts';
import { openServer } from './support/server.ts';
import { type Rewrite, runControl } from './support/server-variant.ts';
import { makeSample } from './support/uploads.ts';

const fileCount = 5000;
const kills = isShort ? 4 : 10;
const rounds = isShort ? 1 : 5;
const timeoutMs = 20_000;

const deletionFile = 'features/accounts/deletion/deletion.service.ts';
const keepWorkInMemory: Rewrite[] = [
	{
		file: deletionFile,
		find: /export const accountDeletionJob = 'person-removal';/u,
		replace: `export const accountDeletionJob = 'person-removal';
			let workInMemory: AccountDeletionWork;
			async function deleteFromMemory(deps: Deps) {
				const { continueAccountDeletion } = await import('./deletion.jobs.ts');
				for (let hasMore = true; hasMore; ) {
					hasMore = false;
					await continueAccountDeletion(deps, workInMemory, {
						savePayload: async (_tx, work) => { workInMemory = work as AccountDeletionWork; },
						reschedule: () => { hasMore = true; },
					});
				}
			}`,
	},
	{
		file: deletionFile,
		find: /await enqueueJob\(deps, tx, accountDeletionJob, work\);/u,
		replace: 'workInMemory = work;',
	},
	{
		file: deletionFile,
		find: /deps\.wakeWorkers\(\);/u,
		replace: 'void deleteFromMemory(deps);',
	},
];

const failures: string[] = [];
for (let round = 1; round <= rounds; round += 1) {
	const { faults, reached } = await runScenario(kills);
	printLine(
		`round ${round}: ${fileCount} files, killed ${reached.length} times at ${reached.join(', ')} deleted files; ${faults.length} faults`,
	);
	failures.push(...faults);
	if (reached.length < 3) failures.push(`only ${reached.length} kills happened during the deletion`);
}
const control = async (dist: string) => (await runScenario(1, dist)).faults;
failures.push(...(await runControl('deletion-in-memory', keepWorkInMemory, control, / nodes are left$/u, /^fsck/u)));
finishTest(failures);

async function runScenario(times: number, dist?: string): Promise<{ faults: string[]; reached: number[] }> {
	await using server = await openServer(dist, { LOG_LEVEL: 'info' });
	const { gone, stays } = await createMembers(server);
	const reached = await deleteUnderKills(server, gone, times);
	return { faults: await checkDeletion(server, gone, stays), reached };
}

/** Creates the member to delete, with an order and an unfinished upload, and a member who is not deleted. */
async function createMembers(server: BuiltServer): Promise<Record<'gone' | 'stays', MemberWithFiles>> {
	const owner = await signInOwner(server.url);
	const addMember = async (email: string, count: number) => ({ ...(await addUser(owner, email)), fileCount: count });
	const gone = await addMember('goes@example.com', fileCount);
	const stays = await addMember('stays@example.com', 60);
	for (const member of [gone, stays]) await fillSpace(server, member);
	await buy(server.url, { name: 'Somebody Gone', email: gone.email });
	await createUpload(owner, makeSample('unfinished.bin', 1000), gone.email);
	return { gone, stays };
}

/** Deletes the member and kills the server after every second step. @returns the number of deleted files at each kill */
async function deleteUnderKills(server: BuiltServer, gone: MemberWithFiles, times: number): Promise<number[]> {
	const owner = await signInOwner(server.url);
	const reached: number[] = [];
	let seen = server.log.length;
	const answer = owner.send<{ success: boolean }>('POST', '/delete-user-all', { uid: gone.id }).catch(() => null);
	for (let kill = 1; kill <= times; kill += 1) {
		const removed = await waitForSteps(server, seen, 2);
		if (removed === null) break;
		// The random delay makes the kill also happen between the deletion of rows and of bytes.
		await sleep(Math.random() * 6);
		await server.kill();
		reached.push(removed);
		seen = server.log.length;
		await server.start();
	}
	if ((await answer)?.success !== true) throw new Error('the deletion was not answered before the first kill');
	return reached;
}

/** Waits for `steps` log lines after line `since`. @returns the number of deleted files; null for all or a timeout */
async function waitForSteps(server: BuiltServer, since: number, steps: number): Promise<number | null> {
	const giveUpAt = performance.now() + timeoutMs;
	while (performance.now() < giveUpAt) {
		const lines = server.log.slice(since).filter((line) => line.msg === 'files removed');
		const removed = Number(lines[steps - 1]?.removed ?? Number.NaN);
		if (removed >= fileCount) return null;
		if (!Number.isNaN(removed)) return removed;
		await sleep(1);
	}
	return null;
}
