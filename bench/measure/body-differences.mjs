const mostNamed = 10;

/**
 * Names the fields in which two JSON bodies differ, each field once for all items, so that a failed comparison says
 * what to repair: `items[].thumb: only folio has it`.
 *
 * @param {Record<string, unknown>} bodies the two bodies, parsed, by the name of the side that answered
 * @param {{ isLengthEnough?: boolean }} options `isLengthEnough`: values may differ as long as they are equally long
 * @returns {string[]} at most ten lines; empty when the bodies agree
 */
export function nameDifferences(bodies, { isLengthEnough = false } = {}) {
	const [first, second] = Object.keys(bodies);
	const differences = new Map();
	const note = (path, text) => differences.set(path, differences.get(path) ?? `${path || 'the body'}: ${text}`);
	const compare = (a, b, path) => {
		const [textA, textB] = [JSON.stringify(a), JSON.stringify(b)];
		if (a === undefined || b === undefined) return note(path, `only ${b === undefined ? first : second} has it`);
		if (textA === textB || (isLengthEnough && textA.length === textB.length)) return;
		if (Array.isArray(a) && Array.isArray(b)) {
			if (a.length !== b.length) note(path, `${first} has ${a.length} items, ${second} ${b.length}`);
			for (const [index, item] of a.entries()) if (index < b.length) compare(item, b[index], `${path}[]`);
		} else if (isObject(a) && isObject(b)) compareFields(a, b, path);
		else note(path, `${first} has ${textA.slice(0, 100)}, ${second} ${textB.slice(0, 100)}`);
	};
	const compareFields = (a, b, path) => {
		const [fieldsOfA, fieldsOfB] = [Object.keys(a), Object.keys(b)];
		const fields = new Set([...fieldsOfA, ...fieldsOfB]);
		for (const field of fields) compare(a[field], b[field], path === '' ? field : `${path}.${field}`);
		const hasSameFields = fields.size === fieldsOfA.length && fields.size === fieldsOfB.length;
		if (hasSameFields && fieldsOfA.join() !== fieldsOfB.join())
			note(path, `its fields are in another order in ${second}`);
	};
	compare(bodies[first], bodies[second], '');
	return [...differences.values()].slice(0, mostNamed);
}

function isObject(value) {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Requires that all bodies of one kind have the same length, whichever side answers; the first body sets it.
 * @returns {{ require(what: string, side: string, body: string): void }} `require` throws and names the fields
 */
export function createLengthCheck() {
	const known = new Map();
	return {
		require(what, side, body) {
			const bytes = Buffer.byteLength(body);
			const first = known.get(what) ?? { side, body, bytes };
			known.set(what, first);
			if (bytes === first.bytes) return;
			const bodies = { [`${first.side} at first`]: JSON.parse(first.body), [side]: JSON.parse(body) };
			const fields = nameDifferences(bodies, { isLengthEnough: true }).join('\n');
			throw new Error(`The ${what} has ${bytes} bytes in ${side}, ${first.bytes} in ${first.side}:\n${fields}`);
		},
	};
}
