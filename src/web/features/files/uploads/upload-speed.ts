/** A moving average of the speed of one upload or of all uploads. `lastAt` is in milliseconds. */
export interface Speed {
	bytesPerSecond: number;
	/** Null before the first byte count. */
	lastBytes: number | null;
	lastAt: number;
}

const windowMs = 400;
const weightOfNew = 0.3;

/** Returns the initial speed. The first byte count adds no speed, because its bytes may be from before a resume. */
export function startSpeed(now: number): Speed {
	return { bytesPerSecond: 0, lastBytes: null, lastAt: now };
}

/** Ignores byte counts within 400 ms of the last used count. After a lower count the measurement starts again. */
export function nextSpeed(speed: Speed, bytes: number, now: number): Speed {
	if (speed.lastBytes === null || bytes < speed.lastBytes) return { ...speed, lastBytes: bytes, lastAt: now };
	const elapsed = now - speed.lastAt;
	if (elapsed < windowMs) return speed;
	const sample = ((bytes - speed.lastBytes) * 1000) / elapsed;
	const bytesPerSecond =
		speed.bytesPerSecond === 0 ? sample : speed.bytesPerSecond * (1 - weightOfNew) + sample * weightOfNew;
	return { bytesPerSecond, lastBytes: bytes, lastAt: now };
}

export function secondsLeft(remainingBytes: number, bytesPerSecond: number): number | null {
	return bytesPerSecond > 0 ? Math.ceil(remainingBytes / bytesPerSecond) : null;
}

export function createBatchSpeed(now: () => number) {
	let totalBytes = 0;
	let speed = startSpeed(0);
	return {
		/** Restarts the measurement. Call this when an upload starts while no other upload is running. */
		start: () => {
			speed = { ...startSpeed(now()), lastBytes: totalBytes };
		},
		addBytes: (bytes: number) => {
			totalBytes += bytes;
			speed = nextSpeed(speed, totalBytes, now());
		},
		get: () => speed.bytesPerSecond,
	};
}
