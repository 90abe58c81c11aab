import { type HistoryState, useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { orElse, type StateReader, stateOf, text } from './readers.ts';

interface SetOptions {
	/** Whether to add a history entry, so that Back restores the previous state. */
	isNewStep?: boolean;
	/** Stored in the history entry, not in the URL. */
	state?: Record<string, unknown>;
}

/** Keeps state in the URL. Fields with their default value are omitted from the URL. */
export function useUrlState<T extends object>(read: StateReader<T>) {
	const search: Record<string, unknown> = useSearch({ strict: false });
	const navigate = useNavigate();
	const state = read(search);

	const set = useCallback(
		(patch: Partial<T>, { isNewStep = false, state = {} }: SetOptions = {}) => {
			void navigate({
				to: '.',
				replace: !isNewStep,
				resetScroll: false,
				state: state as HistoryState,
				search: (previous: Record<string, unknown>) => omitDefaults(read, { ...previous, ...patch }),
			});
		},
		[navigate, read],
	);
	return [state, set] as const;
}

/** State of a dialog or preview that is open while the URL field has a value. Opening adds a history entry. */
export function useOpenedInUrl(field: string) {
	const read = useMemo(() => stateOf<Record<string, string>>({ [field]: orElse(text(), '') }), [field]);
	const [{ [field]: value = '' }, set] = useUrlState(read);
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
export function formatState<T extends object>(read: StateReader<T>, state: T): string {
	return formatSearchText(omitDefaults(read, read(state))).slice(1);
}

/** Returns the fields that differ from their defaults, and the fields that `read` does not know. */
export function omitDefaults<State extends object>(read: StateReader<object>, state: State): Partial<State> {
	const defaults = read({}) as Record<string, unknown>;
	const changed = Object.entries(state).filter(([key, value]) => value !== defaults[key]);
	return Object.fromEntries(changed) as Partial<State>;
}

/** Reads a query string of {@link formatState}. Unknown fields are ignored; invalid and missing fields get defaults. */
export function parseState<T>(read: StateReader<T>, query: string): T {
	return read(parseSearchText(query));
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
