import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { limits } from '#contract/core/limits.ts';
import { fileField } from '../../support/browser/file-manager-page.ts';
import { expectText, hostJourneys, test, waitForUploadedBytes } from '../../support/browser/journey.ts';
import { listNodes } from '../../support/browser/seeding.ts';

const mebibyte = 1024 * 1024;
/** Larger than 31.75 MiB, after which chunks have their full size. With `--long`, the file is larger. */
const sizeBytes = (process.env.FOLIO_UPLOAD_LONG === '1' ? 300 : 80) * mebibyte;

// With this log level, the server logs each chunk, and the test reads these lines.
const product = hostJourneys(() => ({ LOG_LEVEL: 'info' }));

test('an upload continues automatically after the server was killed', async ({ enter }) => {
	const name = 'a long film.bin';
	const file = test.info().outputPath(name);
	const bytes = randomBytes(sizeBytes);
	await writeFile(file, bytes);
	const page = await enter({ signedInAs: 'owner', at: '/user/guest' });
	await fileField(page).first().setInputFiles(file);
	const arrivedBytes = await waitForUploadedBytes(page, sizeBytes / 2);
	await product.server.kill();
	expect(arrivedBytes).toBeLessThan(sizeBytes);
	await expectText(page, 'No connection, trying again');
	await product.server.start();

	await expectText(page, 'Uploads finished');
	await rm(file);
	await expect(page.getByRole('button', { name: `Delete ${name}` })).toHaveCount(1);
	const [node, ...others] = await listNodes(product.owner, 'guest');
	expect(others).toEqual([]);
	const stored = await product.owner.request(`${node?.url}?download=1`);
	expect(Buffer.from(await stored.arrayBuffer()).equals(bytes)).toBe(true);
	expect(await product.server.cli('fsck')).toMatchObject({ code: 0, output: expect.stringMatching(/ 0 problems/u) });

	// The chunk size doubles from 256 KiB to 32 MiB. After the kill, the upload continues at the stored offset.
	const chunks = product.server.log
		.filter(({ msg }) => msg === 'upload chunk')
		.map(({ offset, chunkBytes }) => ({ offset: Number(offset), chunkBytes: Number(chunkBytes) }));
	const doubled = Array.from({ length: 8 }, (_, index) => limits.uploadFirstChunkBytes * 2 ** index);
	expect(doubled.at(-1)).toBe(limits.uploadLargestChunkBytes);
	expect(chunks.slice(0, 8).map(({ chunkBytes }) => chunkBytes)).toEqual(doubled);
	for (const { offset, chunkBytes } of chunks.slice(8))
		expect(chunkBytes).toBe(Math.min(limits.uploadLargestChunkBytes, sizeBytes - offset));
	expect(chunks[8]?.offset).toBeGreaterThanOrEqual(arrivedBytes);
});
