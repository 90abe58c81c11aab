export type ReportProgress = (line: string) => void;

const everyMs = 5000;

/** Limits progress reports to one every five seconds. `line` is called only for a line that is reported. */
export function throttleProgress(say: ReportProgress): (line: () => string) => void {
	let saidAt = performance.now();
	return (line) => {
		if (performance.now() - saidAt < everyMs) return;
		saidAt = performance.now();
		say(line());
	};
}

export function formatCount(count: number): string {
	return count.toLocaleString('en');
}

export function formatBytes(bytes: number): string {
	if (bytes < 1e6) return `${formatCount(Math.ceil(bytes / 1000))} KB`;
	return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}

/** Ends a command that cannot do its work. The message contains the reason and what the operator has to do. */
export class PreconditionError extends Error {
	override name = 'PreconditionError';
}
