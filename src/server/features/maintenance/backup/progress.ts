/** What long work says while it goes on, and what has come out of it. */
export type ReportProgress = (line: string) => void;

const everyMs = 5000;

/** Says a line now and then; most are never made. */
export function throttleProgress(say: ReportProgress): (line: () => string) => void {
	let saidAt = performance.now();
	return (line) => {
		if (performance.now() - saidAt < everyMs) return;
		saidAt = performance.now();
		say(line());
	};
}

/** A number for people, as 1,234,567. */
export function formatCount(count: number): string {
	return count.toLocaleString('en');
}

/** Bytes for people. */
export function formatBytes(bytes: number): string {
	if (bytes < 1e6) return `${formatCount(Math.ceil(bytes / 1000))} KB`;
	return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}

/** The work cannot be done as asked; the message says why and what to do. What was there before is as it was. */
export class PreconditionError extends Error {
	override name = 'RefusedError';
}
