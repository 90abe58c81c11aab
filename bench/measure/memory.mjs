import { capture } from '../../scripts/setup/processes.mjs';

/** Returns the resident memory (RSS) of a process in megabytes, from `ps`. */
export async function readMemory(pid) {
	const { code, output } = await capture('ps', ['-o', 'rss=', '-p', String(pid)]);
	if (code !== 0) throw new Error(`ps does not tell the memory of process ${pid}.`);
	return Number(output.trim()) / 1024;
}
