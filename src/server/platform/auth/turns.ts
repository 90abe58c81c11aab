/** Lets at most `max` pieces of work with the same key run at once on this process; the others wait their turn. */
export interface Turns {
	run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function createTurns(max: number): Turns {
	const lines = new Map<string, { running: number; waiting: Array<() => void> }>();
	return {
		async run(key, work) {
			const line = lines.get(key) ?? { running: 0, waiting: [] };
			lines.set(key, line);
			if (line.running >= max) await new Promise<void>((resolve) => line.waiting.push(resolve));
			else line.running += 1;
			try {
				return await work();
			} finally {
				const next = line.waiting.shift();
				// Whoever waits takes over the place; only without anybody does it become free.
				if (next !== undefined) next();
				else if (--line.running === 0) lines.delete(key);
			}
		},
	};
}
