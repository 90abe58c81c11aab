import { type HistoryState, useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import * as z from 'zod';

interface SetOptions {
	/** Adds a history entry, so that Back returns to the previous state. */
	isNewStep?: boolean;
	/** Stored with the history entry, not in the address; Back restores it. */
	state?: Record<string, unknown>;
}

/**
 * Keeps state in the address (search, filter), read through a schema whose every field has a default, so that a
 * hand-typed address cannot break the screen. A field set to its default is removed from the address.
 */
export function useUrlState<S extends z.ZodObject>(schema: S) {
	const search: Record<string, unknown> = useSearch({ strict: false });
	const navigate = useNavigate();
	const state = readFields(schema, search);

	const set = useCallback(
		(patch: Partial<z.infer<S>>, { isNewStep = false, state = {} }: SetOptions = {}) => {
			const defaults: Record<string, unknown> = schema.parse({});
			void navigate({
				to: '.',
				replace: !isNewStep,
				resetScroll: false,
				state: state as HistoryState,
				search: (before: Record<string, unknown>) => {
					const merged = { ...before, ...patch };
					return Object.fromEntries(Object.entries(merged).filter(([key, value]) => value !== defaults[key]));
				},
			});
		},
		[navigate, schema],
	);
	return [state, set] as const;
}

/** State of a layer that is open while a field of the URL names it. Opening adds a history entry, closing goes back. */
export function useOpenedInUrl(field: string) {
	const schema = useMemo(() => z.object({ [field]: z.string().default('') }), [field]);
	const [{ [field]: value = '' }, set] = useUrlState(schema);
	const router = useRouter();
	const state: object = useLocation().state;
	/** Stored with the history entry that opened the layer. */
	const openedHere = `is-${field}-step`;
	const isStep = openedHere in state;
	return {
		opened: value === '' ? null : value,
		open: useCallback(
			(id: string) => set({ [field]: id }, { isNewStep: true, state: { [openedHere]: true } }),
			[set, field, openedHere],
		),
		goTo: useCallback(
			(id: string) => set({ [field]: id }, isStep ? { state: { [openedHere]: true } } : {}),
			[set, field, openedHere, isStep],
		),
		close: useCallback(() => (isStep ? router.history.back() : set({ [field]: '' })), [isStep, router, set, field]),
	};
}

/** Parses each field by itself: an invalid value does not affect the others. */
function readFields<S extends z.ZodObject>(schema: S, search: Record<string, unknown>): z.infer<S> {
	const whole = schema.safeParse(search);
	if (whole.success) return whole.data;
	const bad = new Set(whole.error.issues.map((issue) => issue.path[0]));
	return schema.parse(Object.fromEntries(Object.entries(search).filter(([key]) => !bad.has(key))));
}

/**
 * Parses search parameters as plain text. The router's own parser turns `path=1793161800000` into a number and
 * `search=true` into a boolean, and a folder's path or a search for digits would be lost.
 */
export function parseSearchText(text: string): Record<string, string> {
	return Object.fromEntries(new URLSearchParams(text));
}

/** Formats search parameters as plain text after a question mark, without undefined ones; '' if there are none. */
export function formatSearchText(search: Record<string, unknown>): string {
	const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== null);
	const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
	return text === '' ? '' : `?${text}`;
}
