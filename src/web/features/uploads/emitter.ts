/** Those who hear of something. */
export interface Emitter<T> {
	/** @returns how to hear no more */
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

/** Tells that something has changed, soon: a thousand changes are told of in a few. */
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
