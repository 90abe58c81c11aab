import { type HistoryState, useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import * as z from 'zod/mini';

interface SetOptions {
	/** Whether to add a history entry, so that Back restores the previous state. */
	isNewStep?: boolean;
	/** Stored in the history entry, not in the URL. */
	state?: Record<string, unknown>;
}

/**
 * Keeps state in the URL. Fields of the schema need a default, because a URL may be invalid. Fields with their default
 * value are omitted from the URL.
 */
export function useUrlState<S extends z.ZodMiniObject>(schema: S) {
	const search: Record<string, unknown> = useSearch({ strict: false });
	const navigate = useNavigate();
	const state = readFields(schema, search);

	const set = useCallback(
		(patch: Partial<z.infer<S>>, { isNewStep = false, state = {} }: SetOptions = {}) => {
			void navigate({
				to: '.',
				replace: !isNewStep,
				resetScroll: false,
				state: state as HistoryState,
				search: (previous: Record<string, unknown>) => omitDefaults(schema, { ...previous, ...patch }),
			});
		},
		[navigate, schema],
	);
	return [state, set] as const;
}

/** State of a dialog or preview that is open while the URL field has a value. Opening adds a history entry. */
export function useOpenedInUrl(field: string) {
	const schema = useMemo(() => z.object({ [field]: z._default(z.string(), '') }), [field]);
	const [{ [field]: value = '' }, set] = useUrlState(schema);
	const router = useRouter();
	const state: object = useLocation().state;
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

/** Returns the fields that differ from their defaults as a query string without `?`. Equal states give equal strings. */
export function formatState<S extends z.ZodMiniObject>(schema: S, state: z.infer<S>): string {
	return formatSearchText(omitDefaults(schema, schema.parse(state))).slice(1);
}

/** Returns the fields that differ from their defaults, and the fields that the schema does not have. */
export function omitDefaults<State extends object>(schema: z.ZodMiniObject, state: State): Partial<State> {
	const defaults: Record<string, unknown> = schema.parse({});
	const changed = Object.entries(state).filter(([key, value]) => value !== defaults[key]);
	return Object.fromEntries(changed) as Partial<State>;
}

/** Reads a query string of {@link formatState}. Unknown fields are ignored; invalid and missing fields get defaults. */
export function parseState<S extends z.ZodMiniObject>(schema: S, query: string): z.infer<S> {
	return readFields(schema, parseSearchText(query));
}

function readFields<S extends z.ZodMiniObject>(schema: S, search: Record<string, unknown>): z.infer<S> {
	const parsed = schema.safeParse(search);
	if (parsed.success) return parsed.data;
	const invalidKeys = new Set(parsed.error.issues.map((issue) => issue.path[0]));
	return schema.parse(Object.fromEntries(Object.entries(search).filter(([key]) => !invalidKeys.has(key))));
}

/** The router's default parser would convert `path=1793161800000` to a number and `search=true` to a boolean. */
export function parseSearchText(text: string): Record<string, string> {
	return Object.fromEntries(new URLSearchParams(text));
}

/** Returns a query string that starts with `?`, or '' without values. Omits undefined and null. */
export function formatSearchText(search: Record<string, unknown>): string {
	const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== null);
	const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
	return text === '' ? '' : `?${text}`;
}
