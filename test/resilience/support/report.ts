/** An ordinary end runs the exit handlers that end the servers; a signal alone would leave them alive. */
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

/** Prints one line of a resilience test. */
export function printLine(line: string): void {
	console.log(line);
}

/** Ends a resilience test: 0 when nothing was wrong, else each fault on a line and 1. */
export function finishTest(wrong: string[]): never {
	for (const line of wrong.slice(0, 40)) console.log(`WRONG  ${line}`);
	if (wrong.length > 40) console.log(`WRONG  and ${wrong.length - 40} more`);
	console.log(wrong.length === 0 ? 'held' : `${wrong.length} faults`);
	process.exit(wrong.length === 0 ? 0 : 1);
}
