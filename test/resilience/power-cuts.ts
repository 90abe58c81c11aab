/**
 * Cuts the power of the disk 50 times (`--short`: 4) while small files and large uploads arrive: every acknowledged file
 * exists once with the sent bytes, and an upload that was cut off can be resumed or started again.
 * Control: without syncs, the same checks must find faults.
 * Needs root and a loop device, and runs by name only.
 */

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Node, uploadsPath } from '#contract/files/files.ts';
import { addFolder, createUpload, tusHeaders } from '../support/browser/seeding.ts';
import type { BuiltServer } from '../support/services/built-server.ts';
import { type Client, exchange, signInOwner } from '../support/services/server-client.ts';
import { mountCutDisk } from './support/cut-disk.ts';
import { finishTest, isShort, printLine, waitUntil } from './support/report.ts';
import { openServer } from './support/server.ts';
import { type Rewrite, runControl } from './support/server-variant.ts';
import { makeSample, resumeUpload, type Sample } from './support/uploads.ts';

const mebibyte = 1024 * 1024;
const diskBytes = 3072 * mebibyte;
const cuts = isShort ? 4 : 50;
const smallBytes = 20 * 1024;
const smallAtOnce = 8;
const chunkType = 'application/offset+octet-stream';
const largeBytes = 12 * mebibyte;
const chunkBytes = 4 * mebibyte;
const cutAfterMaxMs = 1500;
const readMaxMs = 10_000;

const withoutSync: Rewrite[] = [
	{
		file: 'platform/storage/disk/disk-storage.ts',
		find: /await handle\.sync\(\)\.finally\(\(\) => handle\.close\(\)\);/u,
		replace: 'await handle.close();',
	},
	{ file: 'platform/storage/disk/durable-files.ts', find: /await file\.datasync\(\);/u, replace: '' },
];

interface Load {
	/** Where the files are. */
	folder: Node;
	acknowledged: Sample[];
	/** Large uploads that were begun, with their addresses. */
	unfinished: Map<string, Sample>;
	isCut: boolean;
}

const failures = await cutOften(undefined, cuts);
const controlCut = (dist: string) => cutOften(dist, 3, hasLargeFile);
failures.push(...(await runControl('without-sync', withoutSync, controlCut, /exists 0 times|other bytes/u)));

finishTest(failures);

function hasLargeFile({ acknowledged }: Load): boolean {
	return acknowledged.some(({ bytes }) => bytes.length === largeBytes);
}

/** Cuts the power `count` times: each time after a random wait, as soon as `isReady` is true. */
async function cutOften(
	dist: string | undefined,
	count: number,
	isReady: (load: Load) => boolean = () => true,
): Promise<string[]> {
	using disk = mountCutDisk(diskBytes);
	await using server = await openServer(dist, { DATA_DIR: join(disk.folder, 'data') });
	const faults: string[] = [];
	const totals = { small: 0, large: 0, resumed: 0, restarted: 0 };
	for (let cut = 1; cut <= count; cut += 1) {
		const owner = await signInOwner(server.url);
		const load: Load = {
			folder: await addFolder(owner, 'guest', `Cut ${cut}`),
			acknowledged: [],
			unfinished: new Map(),
			isCut: false,
		};
		const sending = [
			...Array.from({ length: smallAtOnce }, (_, index) => sendSmall(owner, load, index)),
			sendLarge(owner, load),
		];
		await sleep(Math.random() * cutAfterMaxMs);
		await waitUntil(() => isReady(load), 'no large file was acknowledged');
		disk.cutPower();
		load.isCut = true;
		await server.kill();
		await Promise.all(sending);
		disk.mountAgain();
		await server.start();
		totals.small += load.acknowledged.filter(({ bytes }) => bytes.length === smallBytes).length;
		totals.large += load.acknowledged.filter(({ bytes }) => bytes.length === largeBytes).length;
		faults.push(...(await checkCut(server, load, totals)).map((fault) => `cut ${cut}: ${fault}`));
	}
	printLine(
		`${count} power cuts: ${totals.small} small and ${totals.large} large files acknowledged, ` +
			`${totals.resumed} uploads resumed, ${totals.restarted} started again: ${faults.length} faults`,
	);
	const fsck = await server.cli('fsck');
	if (/bytes-(?:missing|differ)/u.test(fsck.output)) faults.push(`fsck: ${fsck.output.trim()}`);
	return faults;
}

/** @returns the answer, whose body is read; null when the connection was lost */
async function send(owner: Client, path: string, init: RequestInit): Promise<Response | null> {
	try {
		const answer = await owner.request(path, init);
		await answer.arrayBuffer();
		return answer;
	} catch {
		return null;
	}
}

/** Sends small files, each with its creation request, until the cut. */
async function sendSmall(owner: Client, load: Load, worker: number): Promise<void> {
	for (let number = 1; !load.isCut; number += 1) {
		const sample = makeSample(`small ${worker} ${number}.bin`, smallBytes);
		const metadata = Object.entries({ owner: 'guest', path: load.folder.realPath ?? '', filename: sample.name })
			.map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
			.join(',');
		const headers = {
			...tusHeaders,
			'upload-length': String(smallBytes),
			'upload-metadata': metadata,
			'content-type': chunkType,
		};
		const body = new Uint8Array(sample.bytes);
		const answer = await send(owner, uploadsPath, { method: 'POST', headers, body });
		if (answer?.status === 201 && answer.headers.get('upload-offset') === String(smallBytes))
			load.acknowledged.push(sample);
	}
}

/** Sends large files in chunks until the cut. */
async function sendLarge(owner: Client, load: Load): Promise<void> {
	for (let number = 1; !load.isCut; number += 1) {
		const sample = makeSample(`large ${number}.bin`, largeBytes);
		const path = load.folder.realPath ?? '';
		const location = await createUpload(owner, sample, 'guest', path).catch(() => null);
		if (location === null) return;
		load.unfinished.set(location, sample);
		for (let offset = 0; offset < largeBytes; offset += chunkBytes) {
			const headers = { ...tusHeaders, 'upload-offset': String(offset), 'content-type': chunkType };
			const body = new Uint8Array(sample.bytes.subarray(offset, offset + chunkBytes));
			if ((await send(owner, location, { method: 'PATCH', headers, body }))?.status !== 204) return;
		}
		load.acknowledged.push(sample);
		load.unfinished.delete(location);
	}
}

async function checkCut(
	server: BuiltServer,
	{ folder, acknowledged, unfinished }: Load,
	totals: { resumed: number; restarted: number },
): Promise<string[]> {
	const owner = await signInOwner(server.url);
	const expected = [...acknowledged];
	for (const [location, sample] of unfinished) {
		// If the first bytes of the upload were lost, a client would start it again.
		const problem = await resumeUpload(owner, location, sample);
		if (problem === null) expected.push(sample);
		totals[problem === null ? 'resumed' : 'restarted'] += 1;
	}
	const path = encodeURIComponent(folder.realPath ?? '');
	const listing = owner.get<{ items: Node[] }>(`/api/spaces/guest/nodes?path=${path}&limit=1000`);
	// In the control, the folder may be lost.
	const { items } = await listing.catch(() => ({ items: [] }));
	const faults: string[] = [];
	for (const sample of expected) {
		const matches = items.filter(({ name }) => name === sample.name);
		const url = matches[0]?.url;
		if (matches.length !== 1 || url == null) {
			faults.push(`${sample.name} exists ${matches.length} times`);
			continue;
		}
		const options = { headers: { cookie: owner.cookie() }, signal: AbortSignal.timeout(readMaxMs) };
		// In the control, the download of a file that is too short does not end.
		const answer = await exchange(`${owner.url}${url}?download=1`, options).catch(() => null);
		const sha256 = createHash('sha256')
			.update(answer?.bytes ?? '')
			.digest('hex');
		if (sha256 !== sample.sha256) return [...faults, `${sample.name} has other bytes than were sent`];
	}
	return faults;
}
