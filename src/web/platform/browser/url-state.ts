import { type HistoryState, useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import * as z from 'zod';

interface SetOptions {
	/** Back returns to what stood before. */
	isNewStep?: boolean;
	/** Kept with this step, beside the address: it comes back with Back. */
	state?: Record<string, unknown>;
}

/**
 * State that lives in the address (search, filter): read through a schema whose every field has a default, so that a
 * hand-typed address cannot break the screen. Setting a field to its default takes it out of the address.
 */
export function useUrlState<S extends z.ZodObject>(
	schema: S,
): [z.infer<S>, (patch: Partial<z.infer<S>>, options?: SetOptions) => void] {
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
	return [state, set];
}

/**
 * What lies over the screen while a field of the address names it. Opening is a step that Back takes back, and closing
 * goes back there; going on to another is none.
 */
export function useOpenedInUrl(field: string) {
	const schema = useMemo(() => z.object({ [field]: z.string().default('') }), [field]);
	const [{ [field]: value = '' }, set] = useUrlState(schema);
	const router = useRouter();
	const state: object = useLocation().state;
	/** Kept with the step that opened it. */
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

/** Takes each field by itself: one bad value does not cost the others. */
function readFields<S extends z.ZodObject>(schema: S, search: Record<string, unknown>): z.infer<S> {
	const whole = schema.safeParse(search);
	if (whole.success) return whole.data;
	const bad = new Set(whole.error.issues.map((issue) => issue.path[0]));
	return schema.parse(Object.fromEntries(Object.entries(search).filter(([key]) => !bad.has(key))));
}

/**
 * Search parameters as plain text, both ways. The router's own reader turns `path=1793161800000` into a number and
 * `search=true` into a boolean, and a folder's path or a search for digits would be lost.
 */
export function parseSearchText(text: string): Record<string, string> {
	return Object.fromEntries(new URLSearchParams(text));
}

/** @returns '' or the parameters behind a question mark; what is undefined does not appear */
export function formatSearchText(search: Record<string, unknown>): string {
	const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== null);
	const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
	return text === '' ? '' : `?${text}`;
}
