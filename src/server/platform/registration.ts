/** What a higher feature hands to a lower one, which does not import it. */
export interface Registration<T> {
	/** @throws Error before anything was registered */
	(): T;
	register(value: T): void;
}

/** `name`: what is handed in, for the error. `registerFeatures` of `registrations.ts` fills all of them at the start. */
export function createRegistration<T>(name: string): Registration<T> {
	let registered: T | undefined;
	const get = () => {
		if (registered === undefined) throw new Error(`Not registered: ${name}.`);
		return registered;
	};
	return Object.assign(get, {
		register(value: T) {
			registered = value;
		},
	});
}
