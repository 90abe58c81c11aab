/** A moving picture of one upload's speed. Times in milliseconds, speed in bytes per second. */
export interface Speed {
	bytesPerSecond: number;
	/** Null until the first number is heard. */
	lastBytes: number | null;
	lastAt: number;
}

const windowMs = 400;
const weightOfNew = 0.3;

/** Speed before anything was sent. Counting begins at the first number heard: what the server has already was not sent now. */
export function startSpeed(now: number): Speed {
	return { bytesPerSecond: 0, lastBytes: null, lastAt: now };
}

/** Takes in a new byte count; samples closer than 400 ms are gathered, and a step back (a repeated chunk) starts afresh. */
export function nextSpeed(speed: Speed, bytes: number, now: number): Speed {
	if (speed.lastBytes === null || bytes < speed.lastBytes) return { ...speed, lastBytes: bytes, lastAt: now };
	const elapsed = now - speed.lastAt;
	if (elapsed < windowMs) return speed;
	const sample = ((bytes - speed.lastBytes) * 1000) / elapsed;
	const bytesPerSecond =
		speed.bytesPerSecond === 0 ? sample : speed.bytesPerSecond * (1 - weightOfNew) + sample * weightOfNew;
	return { bytesPerSecond, lastBytes: bytes, lastAt: now };
}

/** Seconds until the rest is sent, or null while nothing moves. */
export function secondsLeft(remainingBytes: number, bytesPerSecond: number): number | null {
	return bytesPerSecond > 0 ? Math.ceil(remainingBytes / bytesPerSecond) : null;
}

/** The speed of several uploads together. */
export interface BatchSpeed {
	/** The first of them begins: what was before does not count. */
	start: () => void;
	/** So many bytes more have been sent. */
	addBytes: (bytes: number) => void;
	/** Bytes per second. */
	get: () => number;
}

/** Measures uploads that run side by side as one. */
export function createBatchSpeed(now: () => number): BatchSpeed {
	let movedBytes = 0;
	let speed = startSpeed(0);
	return {
		start: () => {
			speed = { ...startSpeed(now()), lastBytes: movedBytes };
		},
		addBytes: (bytes) => {
			movedBytes += bytes;
			speed = nextSpeed(speed, movedBytes, now());
		},
		get: () => speed.bytesPerSecond,
	};
}
