import { AppError } from '../app-error.ts';
import { subscriberPrefixOf } from '../http/ip-addresses.ts';

const retryAfterSeconds = 5;

/** Limits on posted forms: bytes in memory, and the time until a form is complete. */
interface MemoryBudgetOptions {
	/** Limit of one client: a user, or an IP address, which several visitors may share. */
	perClientBytes: number;
	totalBytes: number;
	maxMinutes: number;
}

export interface MemoryReservation {
	/** Counts more bytes of the form. @throws AppError BUSY when no memory is left for them, or the form was evicted */
	add(bytes: number): void;
	/** Marks the form as complete: it is not evicted any more. */
	markComplete(): void;
	/** Ends the reservation after the form was removed from memory; may be called twice. */
	release(): void;
}

interface Reservation {
	client: string;
	bytes: number;
	/** Null once the form is complete. */
	evict: (() => void) | null;
}

/**
 * Creates a budget for the bytes of posted forms in memory. When a limit is reached, the oldest incomplete forms are
 * evicted. Otherwise forms that are never completed would use up the budget.
 */
export function createMemoryBudget(limits: MemoryBudgetOptions) {
	// A Set is iterated in the order of insertion: oldest first.
	const reservations = new Set<Reservation>();
	const bytesByClient = new Map<string, number>();
	let totalBytes = 0;

	const count = (reservation: Reservation, bytes: number) => {
		reservation.bytes += bytes;
		totalBytes += bytes;
		const clientBytes = (bytesByClient.get(reservation.client) ?? 0) + bytes;
		if (clientBytes === 0) bytesByClient.delete(reservation.client);
		else bytesByClient.set(reservation.client, clientBytes);
	};
	const remove = (reservation: Reservation) => {
		if (reservations.delete(reservation)) count(reservation, -reservation.bytes);
	};
	const evictUntilFits = (newest: Reservation) => {
		const isClientOverLimit = () => (bytesByClient.get(newest.client) ?? 0) > limits.perClientBytes;
		for (const reservation of reservations) {
			if (!isClientOverLimit() && totalBytes <= limits.totalBytes) return;
			const usesNeededMemory = !isClientOverLimit() || reservation.client === newest.client;
			if (reservation === newest || reservation.evict === null || !usesNeededMemory) continue;
			remove(reservation);
			reservation.evict();
		}
		if (!isClientOverLimit() && totalBytes <= limits.totalBytes) return;
		remove(newest);
		throw new AppError('BUSY', { retryAfterSeconds });
	};

	return {
		/** Registers a form whose first bytes arrive. `evict` is called when its memory is needed or its time is over. */
		reserve(clientId: string, evict: () => void): MemoryReservation {
			const reservation: Reservation = { client: subscriberPrefixOf(clientId), bytes: 0, evict };
			reservations.add(reservation);
			const timer = setTimeout(evict, limits.maxMinutes * 60_000).unref();
			return {
				add(bytes) {
					if (!reservations.has(reservation)) throw new AppError('BUSY', { retryAfterSeconds });
					count(reservation, bytes);
					evictUntilFits(reservation);
				},
				markComplete() {
					clearTimeout(timer);
					reservation.evict = null;
				},
				release() {
					clearTimeout(timer);
					remove(reservation);
				},
			};
		},
	};
}
