/** Those who hear of something. */
export interface Hearers<T> {
	/** @returns how to hear no more */
	add: (hear: (news: T) => void) => () => void;
	tell: (news: T) => void;
}

export function createHearers<T>(): Hearers<T> {
	const all = new Set<(news: T) => void>();
	return {
		add: (hear) => {
			all.add(hear);
			return () => all.delete(hear);
		},
		tell: (news) => {
			for (const hear of all) hear(news);
		},
	};
}

/** Tells that something has changed, soon: a thousand changes are told of in a few. */
export function createChanges(soon: (tell: () => void) => void): {
	changed: () => void;
	subscribe: Hearers<void>['add'];
} {
	const hearers = createHearers<void>();
	let isTelling = false;
	return {
		subscribe: hearers.add,
		changed: () => {
			if (isTelling) return;
			isTelling = true;
			soon(() => {
				isTelling = false;
				hearers.tell();
			});
		},
	};
}
