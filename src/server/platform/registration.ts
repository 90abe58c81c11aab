/**
 * Creates a getter for a value of a higher feature that a lower feature uses without importing it. The value is set
 * once at the start by `registerFeatures` (`registrations.ts`); `name` appears in the error when it is not set yet.
 */
export function createRegistration<T>(name: string) {
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
