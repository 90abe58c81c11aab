import { useSyncExternalStore } from 'react';

export function createEmitter<T = void>() {
	const listeners = new Set<(payload: T) => void>();
	return {
		subscribe: (listener: (payload: T) => void) => {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
		emit: (payload: T) => {
			for (const listener of listeners) listener(payload);
		},
	};
}

/** Creates a value outside React. `useValue` renders the component again after changes. */
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
