import { AppError } from '../app-error.ts';
import { subscriberPrefixOf } from '../http/ip-addresses.ts';

const retryAfterSeconds = 5;

/** Limits on posted forms: bytes in memory, and the time a form may take to arrive. */
interface MemoryBudgetOptions {
	/** Limit of one client: an IP address, which several users may share, or a user. */
	perClientBytes: number;
	totalBytes: number;
	maxMinutes: number;
}

/** Counts the bytes of posted forms in memory. */
export interface MemoryBudget {
	/** Registers a form that begins to arrive; `giveWay` aborts it when its memory is needed or it takes too long. */
	reserve(from: string, giveWay: () => void): MemoryReservation;
}

export interface MemoryReservation {
	/** Counts further bytes of the form. @throws AppError BUSY when they exceed a limit */
	add(bytes: number): void;
	/** Marks the form as complete: it is not evicted any more. */
	markComplete(): void;
	/** Ends the reservation when the form is out of memory; may be called twice. */
	release(): void;
}

interface Reservation {
	client: string;
	bytes: number;
	/** Null once the form is complete. */
	evict: (() => void) | null;
}

/**
 * Evicts the oldest unfinished forms first: a sender at normal speed has finished by then, and a sender that only keeps
 * a connection open loses it. Otherwise bodies that never end would fill the memory.
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
