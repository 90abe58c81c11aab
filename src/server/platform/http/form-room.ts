import { lineOf } from '../addresses.ts';
import { AppError } from '../app-error.ts';

const retryAfterSeconds = 5;

/** How much of posted forms may be in memory, and for how long one may be coming. */
interface Most {
	/** Of one line, which many people may share, or of one person. */
	ofLine: number;
	inAll: number;
	minutes: number;
}

/** Where posted forms are in memory. */
export interface FormRoom {
	/**
	 * A form begins to come from an address, or from a person by their id; `giveWay` cuts it off when another needs its
	 * place, or it takes too long.
	 */
	enter(from: string, giveWay: () => void): FormInRoom;
}

export interface FormInRoom {
	/** So much more of it has come. @throws AppError BUSY without room for it */
	grow(bytes: number): void;
	/** It is whole, and gives way to nobody any more. */
	close(): void;
	/** It is out of memory; harmless twice. */
	leave(): void;
}

interface Guest {
	line: string;
	bytes: number;
	/** Null once it is whole. */
	giveWay: (() => void) | null;
}

/**
 * Forms give way oldest first: whoever sends as others do is done before, and whoever only holds a place loses it. Bodies
 * that never end would fill the memory otherwise.
 */
export function createFormRoom(most: Most): FormRoom {
	// Oldest first: a Set keeps the order of arrival.
	const guests = new Set<Guest>();
	const bytesOf = new Map<string, number>();
	let bytesInAll = 0;

	const count = (guest: Guest, bytes: number) => {
		guest.bytes += bytes;
		bytesInAll += bytes;
		const ofLine = (bytesOf.get(guest.line) ?? 0) + bytes;
		if (ofLine === 0) bytesOf.delete(guest.line);
		else bytesOf.set(guest.line, ofLine);
	};
	const remove = (guest: Guest) => {
		if (guests.delete(guest)) count(guest, -guest.bytes);
	};
	const makeRoom = (newest: Guest) => {
		const isLineFull = () => (bytesOf.get(newest.line) ?? 0) > most.ofLine;
		for (const guest of guests) {
			if (!isLineFull() && bytesInAll <= most.inAll) return;
			const isInTheWay = !isLineFull() || guest.line === newest.line;
			if (guest === newest || guest.giveWay === null || !isInTheWay) continue;
			remove(guest);
			guest.giveWay();
		}
		if (!isLineFull() && bytesInAll <= most.inAll) return;
		remove(newest);
		throw new AppError('BUSY', { retryAfterSeconds });
	};

	return {
		enter(from, giveWay) {
			const guest: Guest = { line: lineOf(from), bytes: 0, giveWay };
			guests.add(guest);
			const timer = setTimeout(giveWay, most.minutes * 60_000).unref();
			return {
				grow(bytes) {
					if (!guests.has(guest)) throw new AppError('BUSY', { retryAfterSeconds });
					count(guest, bytes);
					makeRoom(guest);
				},
				close() {
					clearTimeout(timer);
					guest.giveWay = null;
				},
				leave() {
					clearTimeout(timer);
					remove(guest);
				},
			};
		},
	};
}
