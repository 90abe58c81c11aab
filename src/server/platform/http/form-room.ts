import { lineOf } from '../addresses.ts';
import { AppError } from '../app-error.ts';

const retryAfterSeconds = 5;
/** 10 MiB over a slow line. */
const longestReadingMs = 10 * 60_000;

/** Where posted forms are in memory: so much of one line, which many people may share, and so much of all. */
export interface FormRoom {
	/** A form begins to come from an address; `giveWay` cuts it off when another needs its place, or it takes too long. */
	enter(address: string, giveWay: () => void): FormInRoom;
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
 * that never end would fill the memory otherwise, for nobody has to sign in to send one.
 */
export function createFormRoom(most: { ofLine: number; inAll: number }): FormRoom {
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
		enter(address, giveWay) {
			const guest: Guest = { line: lineOf(address), bytes: 0, giveWay };
			guests.add(guest);
			const timer = setTimeout(giveWay, longestReadingMs).unref();
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
