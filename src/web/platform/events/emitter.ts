import { useSyncExternalStore } from 'react';

/** A set of listeners and a function that notifies them. */
export interface Emitter<T> {
	/** Returns a function that unsubscribes. */
	subscribe: (listener: (news: T) => void) => () => void;
	emit: (news: T) => void;
}

export function createEmitter<T = void>(): Emitter<T> {
	const listeners = new Set<(news: T) => void>();
	return {
		subscribe: (listener) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		emit: (news) => {
			for (const listener of listeners) listener(news);
		},
	};
}

/** Creates a value outside React; `useValue` renders the component again when it changes. */
export function createSharedValue<T>(initial: T) {
	let value = initial;
	const { subscribe, emit } = createEmitter();
	const get = () => value;
	const set = (next: T) => {
		if (Object.is(next, value)) return;
		value = next;
		emit();
	};
	return { get, set, subscribe, useValue: () => useSyncExternalStore(subscribe, get) };
}
