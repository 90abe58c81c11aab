import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect } from '@playwright/test';
import { limits } from '#contract/core/limits.ts';
import { fileField } from '../../support/browser/file-manager-page.ts';
import { expectText, hostJourneys, test, waitForUploadedBytes } from '../../support/browser/journey.ts';
import { listNodes } from '../../support/browser/seeding.ts';

const mebibyte = 1024 * 1024;
/** More than the 31.75 MiB that are sent before the first chunk of full size; with `--long` a larger file. */
const sizeBytes = Number(process.env.FOLIO_UPLOAD_MB ?? 80) * mebibyte;

// At this level the server logs each chunk that it receives, which this journey reads.
const product = hostJourneys(() => ({ LOG_LEVEL: 'info' }));

interface Sample {
	file: string;
	name: string;
	sha256: string;
}

test('an upload resumes by itself after the server was killed during the upload', async ({ enter }) => {
	const folder = await mkdtemp(join(tmpdir(), 'folio-upload-'));
	try {
		const sample = await writeSample(join(folder, 'a long film.bin'));
		const page = await enter({ signedInAs: 'owner', at: '/user/guest' });
		await fileField(page).first().setInputFiles(sample.file);
		const arrived = await waitForUploadedBytes(page, sizeBytes / 2);
		await product.server.kill();
		expect(arrived).toBeLessThan(sizeBytes);
		await expectText(page, 'No connection, trying again');
		await product.server.start();

		await expectText(page, 'Uploads finished');
		await expect(page.getByRole('button', { name: `Delete ${sample.name}` })).toHaveCount(1);
		expect(await readBack(sample.name)).toEqual({ rows: 1, sha256: sample.sha256 });
		expect(await product.server.cli('fsck')).toMatchObject({ code: 0, output: expect.stringMatching(/ 0 problems/u) });
		expectGrowingChunks(arrived);
		await page.reload();
		await expect(page.getByRole('button', { name: `Delete ${sample.name}` })).toHaveCount(1);
		const sizes = chunks().map(({ chunkBytes }) => chunkBytes / 1024);
		const description = `${sizeBytes / mebibyte} MiB, killed at ${Math.round(arrived / mebibyte)} MiB; chunks in KiB: ${sizes.join(', ')}`;
		test.info().annotations.push({ type: 'upload', description });
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
});

async function writeSample(file: string): Promise<Sample> {
	const hash = createHash('sha256');
	const handle = await open(file, 'w');
	for (let written = 0; written < sizeBytes; written += mebibyte) {
		const part = randomBytes(mebibyte);
		hash.update(part);
		await handle.write(part);
	}
	await handle.close();
	return { file, name: basename(file), sha256: hash.digest('hex') };
}

async function readBack(name: string): Promise<{ rows: number; sha256: string }> {
	const items = await listNodes(product.owner, 'guest');
	const rows = items.filter((node) => node.name === name);
	const hash = createHash('sha256');
	const { body } = await product.owner.request(`${rows[0]?.url}?download=1`);
	for await (const chunk of body ?? []) hash.update(chunk);
	return { rows: rows.length, sha256: hash.digest('hex') };
}

function chunks(): Array<{ offset: number; chunkBytes: number }> {
	return product.server.log
		.filter(({ msg }) => msg === 'upload chunk')
		.map(({ offset, chunkBytes }) => ({ offset: Number(offset), chunkBytes: Number(chunkBytes) }));
}

/** Expects chunks that double from 256 KiB to 32 MiB, and a resumption after the stored bytes. */
function expectGrowingChunks(arrivedBytes: number): void {
	const all = chunks();
	const doubled = Array.from({ length: 8 }, (_, index) => limits.uploadFirstChunkBytes * 2 ** index);
	expect(doubled.at(-1)).toBe(limits.uploadLargestChunkBytes);
	expect(all.slice(0, 8).map(({ chunkBytes }) => chunkBytes)).toEqual(doubled);
	for (const { offset, chunkBytes } of all.slice(8)) {
		expect(chunkBytes).toBe(Math.min(limits.uploadLargestChunkBytes, sizeBytes - offset));
	}
	const [resumed] = all.slice(8);
	expect(resumed?.offset).toBeGreaterThanOrEqual(arrivedBytes);
}
