const storageKey = 'server-clock';
/** Smaller differences come from the response's travel time and the server's rounding to seconds. */
const minOffsetMs = 5000;

type Store = Pick<Storage, 'getItem' | 'setItem'>;

/** Computes from a response's `date` header how far this device's clock is off, and stores it for use offline. */
export function recordServerTime(date: string | null, store?: Store): void {
	const at = Date.parse(date ?? '');
	if (Number.isNaN(at)) return;
	const aheadMs = Date.now() - at;
	const next = Math.abs(aheadMs) < minOffsetMs ? 0 : aheadMs;
	try {
		if (Math.abs(clockOffsetMs(store) - next) >= minOffsetMs || next === 0)
			(store ?? window.localStorage).setItem(storageKey, String(next));
	} catch {
		// Storage is full or disabled: then this device's own clock is used.
	}
}

/** Returns the server's time as far as it is known, in ms since 1970, to compare positions of several devices. */
export function serverNow(store?: Store): number {
	return Date.now() - clockOffsetMs(store);
}

function clockOffsetMs(store: Store | undefined): number {
	try {
		const found = Number((store ?? window.localStorage).getItem(storageKey) ?? 0);
		return Number.isFinite(found) ? found : 0;
	} catch {
		return 0;
	}
}
