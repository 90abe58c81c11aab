import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders = [];
process.once('exit', () => {
	for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Creates a folder that is removed when this process exits. */
export function makeTemporaryFolder(prefix) {
	const folder = mkdtempSync(join(tmpdir(), prefix));
	folders.push(folder);
	return folder;
}
