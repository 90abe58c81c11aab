const storageKey = 'server-clock';
/** Less than this is the way of the answer, and the seconds to which servers round. */
const minOffsetMs = 5000;

type Store = Pick<Storage, 'getItem' | 'setItem'>;

/** Learns from the `date` of an answer how far this device's clock is off; kept for when there is no line. */
export function recordServerTime(date: string | null, store?: Store): void {
	const at = Date.parse(date ?? '');
	if (Number.isNaN(at)) return;
	const aheadMs = Date.now() - at;
	const next = Math.abs(aheadMs) < minOffsetMs ? 0 : aheadMs;
	try {
		if (Math.abs(clockOffsetMs(store) - next) >= minOffsetMs || next === 0)
			(store ?? window.localStorage).setItem(storageKey, String(next));
	} catch {
		// Full, or forbidden: then this device's own clock counts.
	}
}

/** The server's time as far as it is known, in milliseconds since 1970: places of several devices are told apart by it. */
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
