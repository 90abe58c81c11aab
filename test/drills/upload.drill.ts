/**
 * Uploads while the server is killed (-9): one killed in the middle three times, and many killed right at the finish.
 * The bytes are whole, the file stands there once, fsck finds nothing; what was told of can always be resumed.
 * Control: without the repair of a finish that was cut off, the same judge must find fault.
 *
 * `node scripts/drill.mjs upload [--short] [--s3]`: with `--s3` the files are in a real S3 store.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BuiltServer } from '../support/built-server.ts';
import { signInOwner } from '../support/client.ts';
import { endDrill, say } from './support/report.ts';
import { checkFiles, withServer } from './support/server.ts';
import { openDrillStore } from './support/store.ts';
import { createUpload, findFault, makeSample, resumeUpload, sendFrom, uploadPatiently } from './support/uploading.ts';
import { buildVariant, type Rewrite, removeVariant } from './support/variant.ts';

const isShort = process.argv.includes('--short');
const mebibyte = 1024 * 1024;
const sizeBytes = (isShort ? 48 : 300) * mebibyte;
const finishes = isShort ? 12 : 100;
const pauseAtFinishMs = 2500;
const printedWithinMs = 60_000;
const bytesInPlace = 'the bytes are in their place';

const slowFinish: Rewrite = {
	file: 'features/uploads/uploads.service.ts',
	find: /const contentType = await sniffStored\(/u,
	replace: `console.log('${bytesInPlace}'); await new Promise((resolve) => setTimeout(resolve, ${pauseAtFinishMs})); const contentType = await sniffStored(`,
};
const noRepair: Rewrite[] = [
	{
		file: 'features/uploads/uploads.routes.ts',
		find: /\(await service\.countArrivedBytes\(deps, upload\)\) === upload\.size_bytes/u,
		replace: 'false',
	},
	{
		file: 'features/upkeep/upkeep.service.ts',
		find: /await repairUploads\(deps\);(\s*await tidyScratch\(deps\);)/u,
		replace: '$1',
	},
];

const wrong: string[] = [];
const store = await openDrillStore();
await withServer(
	undefined,
	async (server) => {
		wrong.push(...(await killInTheMiddle(server)));
		wrong.push(...(await killAtTheFinish(server, finishes, () => sleep(Math.random() * 40))));
		wrong.push(...(await checkFiles(server)));
	},
	await store.environment(),
);
wrong.push(...(await killBetweenBytesAndRow('slow-finish', [slowFinish])));
const faults = await killBetweenBytesAndRow('slow-finish-without-repair', [slowFinish, ...noRepair]);
say(`control, no repair of a finish that was cut off: the judge found ${faults.length} faults`);
// On a store the bytes are still told of, and nothing ever makes a file of them.
if (!faults.some((fault) => /is gone|stands there 0 times/u.test(fault)))
	wrong.push(`the control was not caught: ${faults.join('; ')}`);
await store.stop();
endDrill(wrong);

async function killInTheMiddle(server: BuiltServer): Promise<string[]> {
	const owner = await signInOwner(server.url);
	const sample = makeSample('killed in the middle.bin', sizeBytes);
	const killAt = [0.2, 0.5, 0.8].map((part) => part * sizeBytes);
	const reached: number[] = [];
	let restarting = Promise.resolve();
	const file = join(server.dataDir, 'to be sent.bin');
	await writeFile(file, sample.bytes);
	const { retries } = await uploadPatiently(owner, sample.name, file, (sentBytes) => {
		const due = killAt[0];
		if (due === undefined || sentBytes < due || !server.isRunning()) return;
		killAt.shift();
		reached.push(Math.round((sentBytes / sizeBytes) * 100));
		restarting = restarting.then(() => server.kill()).then(() => server.start());
	});
	await restarting;
	say(`${sizeBytes / mebibyte} MiB killed at ${reached.join(', ')} %; ${retries} tries more, then whole`);
	const fault = await findFault(owner, sample);
	return [
		...(fault === null ? [] : [fault]),
		...(reached.length === 3 ? [] : [`the server was killed ${reached.length} times, not 3`]),
	];
}

/** Kills at a moment after all bytes have left: before, in or after the finish. */
async function killAtTheFinish(server: BuiltServer, count: number, moment: () => Promise<unknown>): Promise<string[]> {
	const owner = await signInOwner(server.url);
	const found: string[] = [];
	let answered = 0;
	for (let number = 1; number <= count; number += 1) {
		const sample = makeSample(`at the finish ${number}.bin`, mebibyte);
		const location = await createUpload(owner, sample);
		const sending = sendFrom(owner, location, sample, 0);
		await moment();
		await server.kill();
		if ((await sending) === 204) answered += 1;
		await server.start();
		const fault = (await resumeUpload(owner, location, sample)) ?? (await findFault(owner, sample));
		if (fault !== null) found.push(fault);
	}
	say(
		`${count} killed at the finish, ${answered} of them after their answer: ${found.length} faults ${found.join('; ')}`,
	);
	return found;
}

/** Waits until the server has printed this line once more. @throws Error after {@link printedWithinMs} */
async function untilPrinted({ printed }: BuiltServer, line: string): Promise<void> {
	const known = printed.length;
	const startedAt = performance.now();
	while (!printed.slice(known).includes(line)) {
		if (performance.now() - startedAt > printedWithinMs)
			throw new Error(`the server did not print '${line}' within ${printedWithinMs / 1000} s`);
		await sleep(5);
	}
}

/** In these variants the bytes lie in place for a while before their row is written: each kill falls between the two. */
async function killBetweenBytesAndRow(name: string, rewrites: Rewrite[]): Promise<string[]> {
	const dist = await buildVariant(name, rewrites);
	try {
		return await withServer(
			dist,
			async (server) => [
				...(await killAtTheFinish(server, 2, () => untilPrinted(server, bytesInPlace))),
				...(await checkFiles(server)),
			],
			await store.environment(),
		);
	} finally {
		await removeVariant(dist);
	}
}
