import { setTimeout as sleep } from 'node:timers/promises';

/** On a signal, exits normally, because only a normal exit runs the handlers that stop the servers. */
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

export const isShort = process.argv.includes('--short');

export function printLine(line: string): void {
	console.log(line);
}

/** Checks that a control has found an expected fault. @returns a fault if it has not */
export function checkControl(faults: string[], expected: RegExp): string[] {
	const isCaught = faults.some((fault) => expected.test(fault));
	return isCaught ? [] : [`the control did not find the expected fault, but ${faults.join('; ') || 'none'}`];
}

/** Ends a resilience test: with code 0 without faults, otherwise with code 1 after printing the first 40 faults. */
export function finishTest(faults: string[]): never {
	for (const line of faults.slice(0, 40)) console.log(`WRONG  ${line}`);
	if (faults.length > 40) console.log(`WRONG  and ${faults.length - 40} more`);
	console.log(faults.length === 0 ? 'passed' : `${faults.length} faults`);
	process.exit(faults.length === 0 ? 0 : 1);
}

type Condition = () => boolean | Promise<boolean>;

/** Waits until a condition is true. @throws Error with this message when it takes too long */
export async function waitUntil(isTrue: Condition, message: string, timeoutMs = 60_000): Promise<void> {
	if (!(await becomesTrue(isTrue, timeoutMs))) throw new Error(message);
}

/** Waits until a condition is true. @returns false after the timeout */
export async function becomesTrue(isTrue: Condition, timeoutMs: number, intervalMs = 5): Promise<boolean> {
	const giveUpAt = performance.now() + timeoutMs;
	while (!(await isTrue())) {
		if (performance.now() > giveUpAt) return false;
		await sleep(intervalMs);
	}
	return true;
}

export function medianOf(values: readonly number[]): number {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
