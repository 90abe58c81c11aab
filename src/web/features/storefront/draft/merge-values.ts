import { deepEqual } from '@tanstack/react-router';

interface Merge {
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
	if (isObject(base) && isObject(own) && isObject(remote)) return mergeObjects(base, own, remote, preferred);
	if (hasItems(base) && hasItems(own) && hasItems(remote)) return mergeLists(base, own, remote, preferred);
	if (
		isListOfObjects(base) &&
		isListOfObjects(own) &&
		isListOfObjects(remote) &&
		own.length === remote.length &&
		own.length === base.length
	) {
		const { value, isCollision } = mergeObjects({ ...base }, { ...own }, { ...remote }, preferred);
		return { value: Object.values(value as object), isCollision };
	}
	return { value: preferred === 'own' ? own : remote, isCollision: true };
}

/** Compares values of JSON. The order of an object's keys has no meaning. */
export const isEqual: (one: unknown, other: unknown) => boolean = deepEqual;

export type JsonObject = Record<string, unknown>;

function mergeObjects(base: JsonObject, own: JsonObject, remote: JsonObject, preferred: Preference): Merge {
	const merged: JsonObject = {};
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
	const { value, isCollision } = mergeObjects(byId(base), byId(own), byId(remote), preferred);
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

export function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isListOfObjects(value: unknown): value is JsonObject[] {
	return Array.isArray(value) && value.every(isObject);
}

function hasItems(value: unknown): value is Item[] {
	return isListOfObjects(value) && value.every((item) => typeof item.id === 'string');
}
