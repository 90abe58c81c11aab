/** A set of subscribers and a function that notifies them. */
export interface Emitter<T> {
	/** @returns a function that unsubscribes */
	subscribe: (hear: (news: T) => void) => () => void;
	emit: (news: T) => void;
}

export function createEmitter<T>(): Emitter<T> {
	const listeners = new Set<(news: T) => void>();
	return {
		subscribe: (listener) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		emit: (news) => {
			for (const hear of listeners) hear(news);
		},
	};
}

/** Notifies of changes with a delay, so that many changes cause few notifications. */
export function createChangeNotifier(schedule: (tell: () => void) => void): {
	notify: () => void;
	subscribe: Emitter<void>['subscribe'];
} {
	const emitter = createEmitter<void>();
	let isScheduled = false;
	return {
		subscribe: emitter.subscribe,
		notify: () => {
			if (isScheduled) return;
			isScheduled = true;
			schedule(() => {
				isScheduled = false;
				emitter.emit();
			});
		},
	};
}
