/**
 * `node bench/baselines/sharp-alone.mjs SOURCE TARGET`: makes a thumbnail of each picture in SOURCE with sharp alone, as
 * many at a time as there are processors, and writes them to the folder TARGET. Prints the seconds that this took.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';

const [source, target] = process.argv.slice(2);
sharp.cache(false);
await mkdir(target, { recursive: true });
const names = await readdir(source);
const startedAt = performance.now();
await Promise.all(Array.from({ length: availableParallelism() }, makeThumbnails));
console.log((performance.now() - startedAt) / 1000);

async function makeThumbnails() {
	for (let name = names.pop(); name !== undefined; name = names.pop()) {
		const picture = sharp(await readFile(join(source, name)), { failOn: 'error' }).autoOrient();
		const sized = picture.resize({ width: 400, height: 400, fit: 'inside', withoutEnlargement: true });
		const bytes = await sized.webp({ quality: 85, effort: 2 }).toBuffer();
		await writeFile(join(target, name), bytes, { flush: true });
	}
}
