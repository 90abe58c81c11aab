import { AppError } from '../app-error.ts';
import { subscriberPrefixOf } from '../http/ip-addresses.ts';

const retryAfterSeconds = 5;

/** How much of posted forms may be in memory, and for how long one may be coming. */
interface MemoryBudgetOptions {
	/** Of one line, which many people may share, or of one person. */
	perClientBytes: number;
	totalBytes: number;
	maxMinutes: number;
}

/** Where posted forms are in memory. */
export interface MemoryBudget {
	/**
	 * A form begins to come from an address, or from a person by their id; `evict` cuts it off when another needs its
	 * place, or it takes too long.
	 */
	reserve(from: string, giveWay: () => void): MemoryReservation;
}

export interface MemoryReservation {
	/** So much more of it has come. @throws AppError BUSY without room for it */
	add(bytes: number): void;
	/** It is whole, and gives way to nobody any more. */
	markComplete(): void;
	/** It is out of memory; harmless twice. */
	release(): void;
}

interface Reservation {
	client: string;
	bytes: number;
	/** Null once it is whole. */
	evict: (() => void) | null;
}

/**
 * Forms give way oldest first: whoever sends as others do is done before, and whoever only holds a place loses it. Bodies
 * that never end would fill the memory otherwise.
 */
export function createMemoryBudget(most: MemoryBudgetOptions): MemoryBudget {
	// Oldest first: a Set keeps the order of arrival.
	const reservations = new Set<Reservation>();
	const bytesOf = new Map<string, number>();
	let bytesInAll = 0;

	const count = (guest: Reservation, bytes: number) => {
		guest.bytes += bytes;
		bytesInAll += bytes;
		const ofLine = (bytesOf.get(guest.client) ?? 0) + bytes;
		if (ofLine === 0) bytesOf.delete(guest.client);
		else bytesOf.set(guest.client, ofLine);
	};
	const remove = (guest: Reservation) => {
		if (reservations.delete(guest)) count(guest, -guest.bytes);
	};
	const evictUntilFits = (newest: Reservation) => {
		const isLineFull = () => (bytesOf.get(newest.client) ?? 0) > most.perClientBytes;
		for (const guest of reservations) {
			if (!isLineFull() && bytesInAll <= most.totalBytes) return;
			const isInTheWay = !isLineFull() || guest.client === newest.client;
			if (guest === newest || guest.evict === null || !isInTheWay) continue;
			remove(guest);
			guest.evict();
		}
		if (!isLineFull() && bytesInAll <= most.totalBytes) return;
		remove(newest);
		throw new AppError('BUSY', { retryAfterSeconds });
	};

	return {
		reserve(from, giveWay) {
			const guest: Reservation = { client: subscriberPrefixOf(from), bytes: 0, evict: giveWay };
			reservations.add(guest);
			const timer = setTimeout(giveWay, most.maxMinutes * 60_000).unref();
			return {
				add(bytes) {
					if (!reservations.has(guest)) throw new AppError('BUSY', { retryAfterSeconds });
					count(guest, bytes);
					evictUntilFits(guest);
				},
				markComplete() {
					clearTimeout(timer);
					guest.evict = null;
				},
				release() {
					clearTimeout(timer);
					remove(guest);
				},
			};
		},
	};
}
