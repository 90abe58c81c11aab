/** Lets a lower feature use a value of a higher one without importing it. */
interface Registration<T> {
	/** @throws Error before anything was registered */
	(): T;
	register(value: T): void;
}

/** Creates a registration; `name` is for its error. `registerFeatures` of `registrations.ts` registers all values at the start. */
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
