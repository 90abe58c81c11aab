/**
 * Kills the server (-9) three times during one upload, and at the finish of many uploads. The bytes are complete, the
 * file exists once, fsck finds no problem, and an acknowledged upload can always be resumed.
 * Control: without the repair of an interrupted finish, the same checks must find faults.
 *
 * `node scripts/resilience.mjs upload [--short] [--s3]`: with `--s3` the files are in a real S3 store.
 */
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bucketEnvironment, createBucket, startSwift } from '../../scripts/services/swift.mjs';
import { createUpload, sendFrom } from '../support/browser/seeding.ts';
import type { BuiltServer } from '../support/services/built-server.ts';
import { signInOwner } from '../support/services/server-client.ts';
import { finishTest, isShort, printLine } from './support/report.ts';
import { checkFiles, openServer, waitForPrinted } from './support/server.ts';
import { type Rewrite, runControl, withVariant } from './support/server-variant.ts';
import { findDifferences, makeSample, resumeUpload, uploadWithRetries } from './support/uploads.ts';

const mebibyte = 1024 * 1024;
const sizeBytes = (isShort ? 48 : 300) * mebibyte;
const finishes = isShort ? 12 : 100;
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

const failures: string[] = [];
/** With `--s3` a real S3 store, otherwise null for disk storage. */
const store = process.argv.includes('--s3') ? await startSwift() : null;
const newBucket = async () => (store === null ? {} : bucketEnvironment(await createBucket(store.settings)));
{
	await using server = await openServer(undefined, await newBucket());
	failures.push(...(await killDuringUpload(server)));
	failures.push(...(await killAtTheFinish(server, finishes, () => sleep(Math.random() * 40))));
	failures.push(...(await checkFiles(server)));
}
failures.push(...(await withVariant('slow-finish', [slowFinish], killBetweenBytesAndRow)));
const withoutRepair = [slowFinish, ...noRepair];
// On an S3 store, the control's upload still exists, but never becomes a file.
const expected = /is gone|exists 0 times/u;
failures.push(...(await runControl('slow-finish-without-repair', withoutRepair, killBetweenBytesAndRow, expected)));
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
