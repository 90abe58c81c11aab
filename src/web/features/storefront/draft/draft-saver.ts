import type { DraftField } from '#contract/storefront/content.ts';
import type { ContentField } from '#contract/storefront/content-fields.ts';
import { createEmitter } from '#web/platform/events/emitter.ts';
import { isEqual, mergeValues } from './merge-values.ts';
import type { UnsavedStore, UnsavedValue } from './unsaved-fields.ts';

type Errors = Record<string, string>;

/**
 * `waiting`: typed, not sent yet; `failed`: not saved, and tried again; `invalid`: refused because of the value;
 * `collision`: another admin changed the same text, and the admin has to choose.
 */
type Phase = 'saved' | 'waiting' | 'saving' | 'failed' | 'invalid' | 'collision';

export interface FieldState {
	saved: DraftField;
	/** What the inputs show. */
	value: unknown;
	phase: Phase;
	/** Why the last request failed; '' after a successful one. */
	message: string;
	/** Error messages by path below the value; '' for the whole value. */
	errors: Errors;
}

export interface SaveFailure {
	message: string;
	errors: Errors;
	kind: 'stale' | 'invalid' | 'refused' | 'temporary';
}

interface DraftSaverOptions {
	/** `value` null restores the default. */
	save: (field: ContentField, value: unknown, version: number) => Promise<DraftField>;
	/** Loads the draft again and passes it to `receive`. */
	refresh: () => Promise<void>;
	describe: (error: unknown) => SaveFailure;
	/** Returns the value as it is stored, and the errors of an invalid value. */
	validate: (field: ContentField, value: unknown) => { value: unknown; errors: Errors };
	unsaved: UnsavedStore;
}

interface Entry {
	state: FieldState;
	/** Remains after saving, so that the text in the input does not change while the admin is still typing. */
	typed?: UnsavedValue | undefined;
	/** The newest value of the server that arrived during a save. */
	newest?: DraftField | undefined;
	request?: Promise<void> | undefined;
	timer?: ReturnType<typeof setTimeout> | undefined;
	retryMs: number;
}

export const debounceMs = 600;
const firstRetryMs = 2000;
const longestRetryMs = 30_000;

export type DraftSaver = ReturnType<typeof createDraftSaver>;

/**
 * Saves each field a moment after its last change, one request per field at a time. Unsaved values are kept in `unsaved`
 * until the server has them. Changes of other admins are merged into unsaved values.
 */
export function createDraftSaver({ save, refresh, describe, validate, unsaved }: DraftSaverOptions) {
	const entries = new Map<ContentField, Entry>();
	const changed = createEmitter();
	let overview: DraftOverview | undefined;

	const update = (entry: Entry, patch: Partial<FieldState>) => {
		entry.state = { ...entry.state, ...patch };
		overview = undefined;
		changed.emit();
	};
	const settle = (entry: Entry, patch: Partial<FieldState> = {}) => {
		unsaved.delete(entry.state.saved.field);
		update(entry, { ...patch, phase: 'saved', message: '', errors: {} });
	};
	const sendAfter = (entry: Entry, delayMs: number) => {
		clearTimeout(entry.timer);
		entry.timer = setTimeout(() => void send(entry), delayMs);
	};
	/** Keeps `value` as an unsaved change of `saved`. */
	const rebase = (entry: Entry, saved: DraftField, value: unknown, patch: Partial<FieldState>) => {
		entry.typed = { value, base: saved.value, version: saved.version };
		unsaved.set(saved.field, entry.typed);
		update(entry, { ...patch, saved, phase: 'waiting' });
	};
	const isUnsaved = ({ typed, state }: Entry) => typed !== undefined && state.phase !== 'saved';

	const applySaved = (entry: Entry, saved: DraftField) => {
		const { typed } = entry;
		if (typed === undefined || !isUnsaved(entry)) {
			const isSame = isEqual(saved.value, entry.state.saved.value);
			if (!isSame) entry.typed = undefined;
			update(entry, { saved, value: isSame ? entry.state.value : saved.value });
			return;
		}
		const { value, isCollision } = mergeValues(typed.base, typed.value, saved.value);
		if (isCollision) {
			clearTimeout(entry.timer);
			update(entry, { saved, phase: 'collision', message: '', errors: {} });
		} else if (typed.version === saved.version) {
			update(entry, { saved });
		} else {
			rebase(entry, saved, value, { value });
			sendAfter(entry, 0);
		}
	};

	const fail = async (entry: Entry, sent: UnsavedValue, error: unknown): Promise<void> => {
		const { kind, message, errors } = describe(error);
		if (kind === 'stale') {
			update(entry, { phase: 'waiting' });
			// The draft then has another version, with which the value is merged and sent.
			await refresh().catch((reason) => fail(entry, sent, reason));
		} else if (kind !== 'temporary' && entry.typed?.value !== sent.value) {
			update(entry, { phase: 'waiting' });
			sendAfter(entry, debounceMs);
		} else if (kind === 'invalid') {
			update(entry, { phase: 'invalid', message: '', errors });
		} else {
			update(entry, { phase: 'failed', message });
			if (kind === 'refused') return;
			sendAfter(entry, entry.retryMs);
			entry.retryMs = Math.min(entry.retryMs * 2, longestRetryMs);
		}
	};

	const request = async (entry: Entry, typed: UnsavedValue, value: unknown) => {
		update(entry, { phase: 'saving', errors: {} });
		try {
			const isDefault = isEqual(value, entry.state.saved.default);
			const saved = await save(entry.state.saved.field, isDefault ? null : value, typed.version);
			entry.retryMs = firstRetryMs;
			if (entry.typed === undefined) return settle(entry, { saved, value: saved.value });
			if (entry.typed.value === typed.value) return settle(entry, { saved });
			rebase(entry, saved, entry.typed.value, {});
			sendAfter(entry, debounceMs);
		} catch (error) {
			if (entry.typed === undefined) settle(entry);
			else await fail(entry, typed, error);
		}
	};

	const send = async (entry: Entry, { showsErrors = false } = {}): Promise<void> => {
		const { typed, state } = entry;
		if (typed === undefined || entry.request !== undefined || state.phase === 'collision') return;
		clearTimeout(entry.timer);
		const { value, errors } = validate(state.saved.field, typed.value);
		if (Object.keys(errors).length > 0) {
			// While the admin is still typing, errors would disturb.
			update(entry, { phase: 'invalid', message: '', errors: showsErrors ? errors : state.errors });
			return;
		}
		if (isEqual(value, state.saved.value) && typed.version === state.saved.version) return settle(entry);
		entry.request = request(entry, typed, value);
		await entry.request;
		entry.request = undefined;
		const { newest } = entry;
		entry.newest = undefined;
		if (newest !== undefined && newest.version >= entry.state.saved.version) applySaved(entry, newest);
	};

	return {
		subscribe: changed.subscribe,
		/** Undefined until the draft was received. */
		get: (field: ContentField) => entries.get(field)?.state,

		/** Call with the draft as the server returned it. */
		receive(fields: readonly DraftField[]): void {
			for (const saved of fields) {
				const entry = entries.get(saved.field);
				if (entry === undefined) {
					const typed = unsaved.get(saved.field);
					const state: FieldState = { saved, value: saved.value, phase: 'saved', message: '', errors: {} };
					const added: Entry = { state, typed, retryMs: firstRetryMs };
					if (typed !== undefined) added.state = { ...state, value: typed.value, phase: 'waiting' };
					entries.set(saved.field, added);
					applySaved(added, saved);
					if (added.state.phase === 'waiting') void send(added, { showsErrors: true });
				} else if (entry.request !== undefined) entry.newest = saved;
				else if (saved.version >= entry.state.saved.version) applySaved(entry, saved);
			}
		},

		edit(field: ContentField, value: unknown): void {
			const entry = entries.get(field);
			if (entry === undefined) return;
			const { saved, phase } = entry.state;
			const { base, version } =
				entry.typed !== undefined && isUnsaved(entry) ? entry.typed : { base: saved.value, version: saved.version };
			entry.typed = { value, base, version };
			unsaved.set(field, entry.typed);
			const isBusy = phase === 'saving' || phase === 'collision';
			update(entry, { value, ...(!isBusy && { phase: 'waiting', errors: {} }) });
			if (!isBusy) sendAfter(entry, debounceMs);
		},

		/** Sends the field at once, and shows the errors of an invalid value. Call when the admin leaves the field. */
		leave(field: ContentField): void {
			const entry = entries.get(field);
			if (entry?.typed === undefined) return;
			if (isUnsaved(entry)) {
				void send(entry, { showsErrors: true });
			} else {
				// The stored text, for example without spaces at its end.
				entry.typed = undefined;
				update(entry, { value: entry.state.saved.value });
			}
		},

		/** Ends a collision. The preferred value is used only where both admins changed the same thing. */
		resolve(field: ContentField, preferred: 'own' | 'remote'): void {
			const entry = entries.get(field);
			if (entry?.typed === undefined) return;
			const { saved } = entry.state;
			const { value } = mergeValues(entry.typed.base, entry.typed.value, saved.value, preferred);
			rebase(entry, saved, value, { value, message: '', errors: {} });
			void send(entry, { showsErrors: true });
		},

		/**
		 * Deletes everything that is unsaved, and waits for running requests. @returns the fields as the server has them,
		 * which the inputs then show
		 */
		async forget(): Promise<DraftField[]> {
			for (const entry of entries.values()) {
				clearTimeout(entry.timer);
				entry.typed = undefined;
				settle(entry, { value: entry.state.saved.value });
			}
			await Promise.all([...entries.values()].map(({ request }) => request));
			return [...entries.values()].map(({ state }) => state.saved);
		},

		/** Sends failed fields again. Call when the connection is back, or when the admin asks. */
		retry(): void {
			for (const entry of entries.values()) if (entry.state.phase === 'failed') void send(entry);
		},

		/** Sends everything that is unsaved. @returns whether the server has all values */
		async flush(): Promise<boolean> {
			const isOpen = ({ state, request }: Entry) => request !== undefined || state.phase === 'waiting';
			for (;;) {
				const open = [...entries.values()].filter(isOpen);
				if (open.length === 0) break;
				await Promise.all(open.map((entry) => entry.request ?? send(entry, { showsErrors: true })));
			}
			return ![...entries.values()].some(isUnsaved);
		},

		/** Returns the same object until a field changes. */
		overview: (): DraftOverview => (overview ??= summarize([...entries.values()].map(({ state }) => state))),
	};
}

export interface DraftOverview {
	/** The most urgent phase of all fields. */
	phase: Phase;
	/** Why the last request of a field failed; '' if none failed. */
	message: string;
	/** Whether something was typed that could not be saved. */
	isBlocked: boolean;
	fields: readonly FieldState[];
	/** Changes when the draft on the server has changed. */
	revision: string;
}

const problemPhases: readonly Phase[] = ['collision', 'failed', 'invalid'];

export function isProblem(phase: Phase): boolean {
	return problemPhases.includes(phase);
}

function summarize(fields: readonly FieldState[]): DraftOverview {
	const phasesByUrgency = [...problemPhases, 'saving', 'waiting'] as const;
	const phase = phasesByUrgency.find((candidate) => fields.some((field) => field.phase === candidate)) ?? 'saved';
	const message = fields.find((field) => field.message !== '')?.message ?? '';
	const revision = fields.map(({ saved }) => saved.version).join();
	return { phase, message, isBlocked: message !== '' || isProblem(phase), fields, revision };
}
