export interface Merge {
	value: unknown;
	/** Whether both sides changed the same text, choice or item in different ways. */
	isCollision: boolean;
}

type Preference = 'own' | 'remote';
type Item = Record<string, unknown> & { id: string };

/**
 * Merges two changes of the same value. Objects are merged by key and lists by the IDs of their items; everything else
 * is changed as a whole. Where both sides changed the same thing, the value of `preferred` is used.
 */
export function mergeValues(base: unknown, own: unknown, remote: unknown, preferred: Preference = 'own'): Merge {
	if (isEqual(own, remote) || isEqual(remote, base)) return { value: own, isCollision: false };
	if (isEqual(own, base)) return { value: remote, isCollision: false };
	if (isGroup(base) && isGroup(own) && isGroup(remote)) return mergeGroups(base, own, remote, preferred);
	if (hasItems(base) && hasItems(own) && hasItems(remote)) return mergeLists(base, own, remote, preferred);
	if (isSteps(base) && isSteps(own) && isSteps(remote) && own.length === remote.length && own.length === base.length) {
		const { value, isCollision } = mergeGroups({ ...base }, { ...own }, { ...remote }, preferred);
		return { value: Object.values(value as object), isCollision };
	}
	return { value: preferred === 'own' ? own : remote, isCollision: true };
}

/** Compares values of JSON. The order of an object's keys has no meaning. */
export function isEqual(one: unknown, other: unknown): boolean {
	if (one === other) return true;
	if (Array.isArray(one) && Array.isArray(other))
		return one.length === other.length && one.every((item, index) => isEqual(item, other[index]));
	if (!isGroup(one) || !isGroup(other)) return false;
	const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
	return [...keys].every((key) => isEqual(one[key], other[key]));
}

type Group = Record<string, unknown>;

function mergeGroups(base: Group, own: Group, remote: Group, preferred: Preference): Merge {
	const merged: Group = {};
	let isCollision = false;
	for (const key of new Set([...Object.keys(base), ...Object.keys(own), ...Object.keys(remote)])) {
		const merge = mergeValues(base[key], own[key], remote[key], preferred);
		isCollision ||= merge.isCollision;
		// A key that one side deleted is undefined there.
		if (merge.value !== undefined) merged[key] = merge.value;
	}
	return { value: merged, isCollision };
}

function mergeLists(base: Item[], own: Item[], remote: Item[], preferred: Preference): Merge {
	const byId = (items: Item[]) => Object.fromEntries(items.map((item) => [item.id, item]));
	const { value, isCollision } = mergeGroups(byId(base), byId(own), byId(remote), preferred);
	const items = value as Record<string, Item>;
	const isMovedByOwn = !isEqual(commonIds(own, base), commonIds(base, own));
	const [first, second] = isMovedByOwn ? [own, remote] : [remote, own];
	const order = insertMissing(
		first.map(({ id }) => id),
		second.map(({ id }) => id),
	);
	return { value: order.flatMap((id) => items[id] ?? []), isCollision };
}

function commonIds(items: Item[], others: Item[]): string[] {
	return items.map(({ id }) => id).filter((id) => others.some((other) => other.id === id));
}

/** Inserts the IDs that only `others` has, each behind the ID that precedes it there. */
function insertMissing(ids: readonly string[], others: readonly string[]): string[] {
	const order = [...ids];
	others.forEach((id, index) => {
		if (!order.includes(id)) order.splice(order.indexOf(others[index - 1] ?? '') + 1, 0, id);
	});
	return order;
}

function isGroup(value: unknown): value is Group {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSteps(value: unknown): value is Group[] {
	return Array.isArray(value) && value.every(isGroup);
}

function hasItems(value: unknown): value is Item[] {
	return isSteps(value) && value.every((item) => typeof item.id === 'string');
}
