/**
 * Kills the server (-9) three times during one upload, at the finish of many uploads, and at random moments while
 * batches of small files and a large file arrive. The bytes are complete, each file exists once, fsck finds no problem,
 * and an acknowledged upload can always be resumed.
 * Controls: without the repair of an interrupted finish, and with small files acknowledged before their rows are
 * committed, the same checks must find faults.
 *
 * `node scripts/resilience.mjs upload [--short] [--s3]`: with `--s3` the files are in a real S3 store.
 */
import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { uploadsPath } from '#contract/files/files.ts';
import { bucketEnvironment, createBucket, startSwift } from '../../scripts/services/swift.mjs';
import { createUpload, sendFrom, tusHeaders } from '../support/browser/seeding.ts';
import type { BuiltServer } from '../support/services/built-server.ts';
import { type Client, signInOwner } from '../support/services/server-client.ts';
import { finishTest, isShort, printLine } from './support/report.ts';
import { checkFiles, openServer, waitForPrinted } from './support/server.ts';
import { type Rewrite, runControl, withVariant } from './support/server-variant.ts';
import {
	findDifferences,
	makeSample,
	resumeUpload,
	type Sample,
	sendWhole,
	uploadWithRetries,
} from './support/uploads.ts';

const mebibyte = 1024 * 1024;
const sizeBytes = (isShort ? 48 : 300) * mebibyte;
const finishes = isShort ? 12 : 100;
const kills = isShort ? 6 : 300;
const senders = 8;
const pauseAtFinishMs = 2500;
const bytesStored = 'the bytes are stored, their row is not';

const slowFinish: Rewrite = {
	file: 'features/files/uploads/uploads.service.ts',
	find: /const contentType = await detectStoredContentType\(/u,
	replace: `console.log('${bytesStored}'); await new Promise((resolve) => setTimeout(resolve, ${pauseAtFinishMs})); const contentType = await detectStoredContentType(`,
};
const noRepair: Rewrite[] = [
	{
		file: 'features/files/uploads/uploads.routes.ts',
		find: /\(await service\.countArrivedBytes\(deps, upload\)\) === upload\.size_bytes/u,
		replace: 'false',
	},
	{
		file: 'features/maintenance/tasks/tasks.service.ts',
		find: /await resumeOrDiscardUploads\(deps\);(\s*await removeStaleTemporaryFolders\(deps\);)/u,
		replace: '$1',
	},
];

const earlyAnswer: Rewrite = {
	file: 'features/files/uploads/whole-uploads.ts',
	find: /const failed = await storeRows\(deps, stored\);/u,
	replace:
		'const failed = new Map<StoredFile, unknown>(); setTimeout(() => void storeRows(deps, stored).catch(() => {}), 50);',
};

const failures: string[] = [];
/** With `--s3` a real S3 store, otherwise null for disk storage. */
const store = process.argv.includes('--s3') ? await startSwift() : null;
const newBucket = async () => (store === null ? {} : bucketEnvironment(await createBucket(store.settings)));
{
	await using server = await openServer(undefined, await newBucket());
	failures.push(...(await killDuringUpload(server)));
	failures.push(...(await killAtTheFinish(server, finishes, () => sleep(Math.random() * 40))));
	failures.push(...(await killDuringBatches(server, kills)));
	failures.push(...(await checkFiles(server)));
}
failures.push(...(await withVariant('slow-finish', [slowFinish], killBetweenBytesAndRow)));
const withoutRepair = [slowFinish, ...noRepair];
// On an S3 store, the control's upload still exists, but never becomes a file.
const expected = /is gone|exists 0 times/u;
failures.push(...(await runControl('slow-finish-without-repair', withoutRepair, killBetweenBytesAndRow, expected)));
const killEarlyAnswers = async (dist: string) => {
	await using server = await openServer(dist, await newBucket());
	return await killDuringBatches(server, 4);
};
failures.push(...(await runControl('answer-before-commit', [earlyAnswer], killEarlyAnswers, /exists 0 times/u)));
await store?.stop();
finishTest(failures);

async function killDuringUpload(server: BuiltServer): Promise<string[]> {
	const owner = await signInOwner(server.url);
	const sample = makeSample('killed during the upload.bin', sizeBytes);
	const killAt = [0.2, 0.5, 0.8].map((fraction) => fraction * sizeBytes);
	const reached: number[] = [];
	let restarting = Promise.resolve();
	const file = join(server.dataDir, 'to be sent.bin');
	await writeFile(file, sample.bytes);
	const { retries } = await uploadWithRetries(owner, sample.name, createReadStream(file), (sentBytes) => {
		const due = killAt[0];
		if (due === undefined || sentBytes < due || !server.isRunning()) return;
		killAt.shift();
		reached.push(Math.round((sentBytes / sizeBytes) * 100));
		restarting = restarting.then(() => server.kill()).then(() => server.start());
	});
	await restarting;
	printLine(`${sizeBytes / mebibyte} MiB killed at ${reached.join(', ')} %; complete after ${retries} retries`);
	return [
		...(await findDifferences(owner, [sample])),
		...(reached.length === 3 ? [] : [`the server was killed ${reached.length} times, not 3`]),
	];
}

/** Sends all bytes, and kills the server when `waitToKill` resolves: before, during or after the finish. */
async function killAtTheFinish(
	server: BuiltServer,
	count: number,
	waitToKill: () => Promise<unknown>,
): Promise<string[]> {
	const owner = await signInOwner(server.url);
	const faults: string[] = [];
	let answered = 0;
	for (let number = 1; number <= count; number += 1) {
		const sample = makeSample(`at the finish ${number}.bin`, mebibyte);
		const location = await createUpload(owner, sample);
		const sending = sendFrom(owner, location, sample.bytes);
		await waitToKill();
		await server.kill();
		if ((await sending) === 204) answered += 1;
		await server.start();
		const fault = await resumeUpload(owner, location, sample);
		faults.push(...(fault === null ? await findDifferences(owner, [sample]) : [fault]));
	}
	printLine(
		`${count} killed at the finish, ${answered} of them after their answer: ${faults.length} faults ${faults.join('; ')}`,
	);
	return faults;
}

/** Kills a variant several times between storing the bytes and writing the row, which this variant does late. */
async function killBetweenBytesAndRow(dist: string): Promise<string[]> {
	await using server = await openServer(dist, await newBucket());
	const faults = await killAtTheFinish(server, 2, () => waitForPrinted(server, bytesStored));
	return [...faults, ...(await checkFiles(server))];
}

/**
 * Repeats `count` times: sends small files in parallel and one large file in chunks, and kills the server at a random
 * moment. After the restart, all acknowledged files must exist. Files without an answer are sent again, unless the
 * server has them.
 */
async function killDuringBatches(server: BuiltServer, count: number): Promise<string[]> {
	const owner = await signInOwner(server.url);
	const faults: string[] = [];
	let acknowledged = 0;
	for (let round = 1; round <= count; round += 1) {
		const large = makeSample(`large ${round}.bin`, 4 * mebibyte);
		const location = await createUpload(owner, large);
		const sent: Array<{ id: string; sample: Sample; status: number | null }> = [];
		const sendSmall = async (sender: number) => {
			for (let number = 1; server.isRunning(); number += 1) {
				const sample = makeSample(`small ${round}-${sender}-${number}.bin`, 20 * 1024);
				const id = randomBytes(16).toString('base64url');
				sent.push({ id, sample, status: await sendWhole(owner, id, sample) });
			}
		};
		const sending = [sendInChunks(owner, location, large), ...Array.from({ length: senders }, (_, i) => sendSmall(i))];
		await sleep(20 + Math.random() * 200);
		await server.kill();
		const [storedBytes = 0] = await Promise.all(sending);
		await server.start();
		const answered = sent.filter(({ status }) => status === 201).map(({ sample }) => sample);
		acknowledged += answered.length;
		faults.push(...(await findDifferences(owner, answered)));
		for (const { id, sample } of sent.filter(({ status }) => status === null))
			faults.push(...(await sendAgain(owner, id, sample)));
		const refused = sent.filter(({ status }) => status !== null && status !== 201);
		faults.push(...refused.map(({ sample, status }) => `${sample.name} was answered with ${status}`));
		const offset = await findOffset(owner, location);
		if (offset < storedBytes)
			faults.push(`${large.name} continues at ${offset}, before the acknowledged ${storedBytes}`);
		const fault = await resumeUpload(owner, location, large);
		faults.push(...(fault === null ? await findDifferences(owner, [large]) : [fault]));
	}
	printLine(
		`${count} killed during batches, ${acknowledged} small files acknowledged: ${faults.length} faults ${faults.slice(0, 9).join('; ')}`,
	);
	return faults;
}

/** @returns the number of acknowledged bytes when the connection is lost */
async function sendInChunks(owner: Client, location: string, { bytes }: Sample): Promise<number> {
	const chunkBytes = mebibyte / 2;
	for (let offset = 0; ; offset += chunkBytes) {
		const isSent = (await sendFrom(owner, location, bytes.subarray(0, offset + chunkBytes), offset)) === 204;
		if (!isSent || offset + chunkBytes >= bytes.length) return isSent ? bytes.length : offset;
	}
}

async function findOffset(owner: Client, location: string): Promise<number> {
	const { headers } = await owner.request(location, { method: 'HEAD', headers: tusHeaders });
	return Number(headers.get('upload-offset') ?? 0);
}

/** Repeats an upload whose answer was lost, like the browser: unless the server has it already. */
async function sendAgain(owner: Client, id: string, sample: Sample): Promise<string[]> {
	if ((await findOffset(owner, `${uploadsPath}/${id}`)) === 0) {
		const status = await sendWhole(owner, id, sample);
		if (status !== 201) return [`${sample.name} sent again was answered with ${status}`];
	}
	return findDifferences(owner, [sample]);
}
