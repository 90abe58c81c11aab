import { storage } from '../browser/storage.ts';

const storageKey = 'server-clock';
/** Smaller differences are ignored, because latency and rounding to seconds cause them. */
const minOffsetMs = 5000;

/** Stores how far this device's clock is ahead of a response's `date` header. The difference is used offline too. */
export function recordServerTime(date: string | null): void {
	const at = Date.parse(date ?? '');
	if (Number.isNaN(at)) return;
	const aheadMs = Date.now() - at;
	const next = Math.abs(aheadMs) < minOffsetMs ? 0 : aheadMs;
	if (Math.abs(clockOffsetMs() - next) >= minOffsetMs || next === 0) storage.set(storageKey, String(next));
}

/** Returns the server's estimated time in ms since 1970, to compare positions from several devices. */
export function serverNow(): number {
	return Date.now() - clockOffsetMs();
}

function clockOffsetMs(): number {
	const offsetMs = Number(storage.get(storageKey) ?? 0);
	return Number.isFinite(offsetMs) ? offsetMs : 0;
}
