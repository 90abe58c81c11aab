import { capture } from '../../scripts/setup/processes.mjs';

/** Resident memory of a process in megabytes, as `ps` tells it. */
export async function readMemory(pid) {
	const { code, output } = await capture('ps', ['-o', 'rss=', '-p', String(pid)]);
	if (code !== 0) throw new Error(`ps does not tell the memory of process ${pid}.`);
	return Number(output.trim()) / 1024;
}
