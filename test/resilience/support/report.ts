/** An ordinary exit runs the handlers that stop the servers; after a signal alone, the servers would keep running. */
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

/** Prints one line of a resilience test. */
export function printLine(line: string): void {
	console.log(line);
}

/**
 * Ends a resilience test with code 0 when there are no faults, else prints each fault on a line and ends with code 1.
 */
export function finishTest(wrong: string[]): never {
	for (const line of wrong.slice(0, 40)) console.log(`WRONG  ${line}`);
	if (wrong.length > 40) console.log(`WRONG  and ${wrong.length - 40} more`);
	console.log(wrong.length === 0 ? 'held' : `${wrong.length} faults`);
	process.exit(wrong.length === 0 ? 0 : 1);
}
