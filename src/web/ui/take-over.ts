/**
 * A form after somebody else has saved: what was not touched here is as they left it, what was stays as it was typed.
 * `base`: as the form opened, `mine`: as it stands, `theirs`: as it was saved meanwhile.
 */
export function takeOver<Form extends object>(base: Form, mine: Form, theirs: Form): Form {
	const entries = (Object.keys(mine) as Array<keyof Form>).map((key) => {
		const [before, here, there] = [base[key], mine[key], theirs[key]];
		if (isGroup(before) && isGroup(here) && isGroup(there)) return [key, takeOver(before, here, there)];
		return [key, JSON.stringify(here) === JSON.stringify(before) ? there : here];
	});
	return Object.fromEntries(entries) as Form;
}

/** Fields under a name of their own; a list is one field. */
function isGroup(value: unknown): value is object {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
