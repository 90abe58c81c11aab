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

	const emit = () => {
		overview = undefined;
		changed.emit();
	};
	const update = (entry: Entry, patch: Partial<FieldState>) => {
		entry.state = { ...entry.state, ...patch };
		emit();
	};
	const keep = (field: ContentField, entry: Entry, typed: UnsavedValue) => {
		entry.typed = typed;
		unsaved.write(field, typed);
	};
	const settle = (field: ContentField, entry: Entry) => {
		unsaved.write(field, null);
		update(entry, { phase: 'saved', message: '', errors: {} });
	};
	const schedule = (field: ContentField, entry: Entry, delayMs: number) => {
		clearTimeout(entry.timer);
		entry.timer = setTimeout(() => void send(field), delayMs);
	};
	const isUnsaved = ({ typed, state }: Entry) => typed !== undefined && state.phase !== 'saved';

	const applySaved = (field: ContentField, entry: Entry, saved: DraftField) => {
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
			return;
		}
		if (typed.version === saved.version) {
			update(entry, { saved });
			return;
		}
		keep(field, entry, { value, base: saved.value, version: saved.version });
		update(entry, { saved, value, phase: 'waiting' });
		schedule(field, entry, 0);
	};

	const fail = async (field: ContentField, entry: Entry, sent: UnsavedValue, error: unknown): Promise<void> => {
		const { kind, message, errors } = describe(error);
		if (kind === 'stale') {
			update(entry, { phase: 'waiting' });
			// The draft then has another version, with which the value is merged and sent.
			await refresh().catch((reason) => fail(field, entry, sent, reason));
			return;
		}
		if (kind !== 'temporary' && entry.typed?.value !== sent.value) {
			update(entry, { phase: 'waiting' });
			schedule(field, entry, debounceMs);
			return;
		}
		if (kind === 'invalid') {
			update(entry, { phase: 'invalid', message: '', errors });
			return;
		}
		update(entry, { phase: 'failed', message });
		if (kind === 'refused') return;
		schedule(field, entry, entry.retryMs);
		entry.retryMs = Math.min(entry.retryMs * 2, longestRetryMs);
	};

	const request = async (field: ContentField, entry: Entry, typed: UnsavedValue, value: unknown) => {
		update(entry, { phase: 'saving', errors: {} });
		try {
			const isDefault = isEqual(value, entry.state.saved.default);
			const saved = await save(field, isDefault ? null : value, typed.version);
			entry.retryMs = firstRetryMs;
			const newer = entry.typed;
			if (newer !== undefined && newer.value !== typed.value) {
				keep(field, entry, { value: newer.value, base: saved.value, version: saved.version });
				update(entry, { saved, phase: 'waiting' });
				schedule(field, entry, debounceMs);
			} else {
				update(entry, { saved });
				settle(field, entry);
			}
		} catch (error) {
			await fail(field, entry, typed, error);
		}
	};

	const send = async (field: ContentField, { showsErrors = false } = {}): Promise<void> => {
		const entry = entries.get(field);
		if (entry?.typed === undefined || entry.request !== undefined || entry.state.phase === 'collision') return;
		clearTimeout(entry.timer);
		const { typed } = entry;
		const { value, errors } = validate(field, typed.value);
		if (Object.keys(errors).length > 0) {
			// While the admin is still typing, errors would disturb.
			update(entry, { phase: 'invalid', message: '', errors: showsErrors ? errors : entry.state.errors });
			return;
		}
		if (isEqual(value, entry.state.saved.value) && typed.version === entry.state.saved.version) {
			settle(field, entry);
			return;
		}
		entry.request = request(field, entry, typed, value);
		await entry.request;
		entry.request = undefined;
		const { newest } = entry;
		entry.newest = undefined;
		if (newest !== undefined && newest.version >= entry.state.saved.version) applySaved(field, entry, newest);
	};

	return {
		subscribe: changed.subscribe,
		/** Undefined until the draft was received. */
		get: (field: ContentField) => entries.get(field)?.state,

		/** Takes the draft as the server returned it. */
		receive(fields: readonly DraftField[]): void {
			for (const saved of fields) {
				const { field } = saved;
				const entry = entries.get(field);
				if (entry === undefined) {
					const typed = unsaved.read(field);
					const value = typed === undefined ? saved.value : typed.value;
					const phase = typed === undefined ? 'saved' : 'waiting';
					const added: Entry = {
						state: { saved, value, phase, message: '', errors: {} },
						typed,
						retryMs: firstRetryMs,
					};
					entries.set(field, added);
					if (typed === undefined) continue;
					applySaved(field, added, saved);
					if (added.state.phase === 'waiting') void send(field, { showsErrors: true });
				} else if (entry.request !== undefined) entry.newest = saved;
				else if (saved.version >= entry.state.saved.version) applySaved(field, entry, saved);
			}
			emit();
		},

		edit(field: ContentField, value: unknown): void {
			const entry = entries.get(field);
			if (entry === undefined) return;
			const { saved, phase } = entry.state;
			const base =
				entry.typed !== undefined && isUnsaved(entry) ? entry.typed : { base: saved.value, version: saved.version };
			keep(field, entry, { value, base: base.base, version: base.version });
			const isBusy = phase === 'saving' || phase === 'collision';
			update(entry, { value, ...(!isBusy && { phase: 'waiting', errors: {} }) });
			if (!isBusy) schedule(field, entry, debounceMs);
		},

		/** Sends the field at once, and shows the errors of an invalid value. Call when the admin leaves the field. */
		leave(field: ContentField): void {
			const entry = entries.get(field);
			if (entry === undefined) return;
			if (isUnsaved(entry)) void send(field, { showsErrors: true });
			// The stored text, for example without spaces at its end.
			else if (entry.typed !== undefined) {
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
			keep(field, entry, { value, base: saved.value, version: saved.version });
			update(entry, { value, phase: 'waiting', message: '', errors: {} });
			void send(field, { showsErrors: true });
		},

		/** Deletes everything that is unsaved. The fields then show the values of the server. */
		forget(): void {
			for (const [field, entry] of entries) {
				clearTimeout(entry.timer);
				entry.typed = undefined;
				settle(field, entry);
				update(entry, { value: entry.state.saved.value });
			}
		},

		/** Sends failed fields again. Call when the connection is back, or when the admin asks. */
		retry(): void {
			for (const [field, entry] of entries) if (entry.state.phase === 'failed') void send(field);
		},

		/** Sends everything that is unsaved. @returns whether the server has all values */
		async flush(): Promise<boolean> {
			const isOpen = ({ state, request }: Entry) => request !== undefined || state.phase === 'waiting';
			for (;;) {
				const open = [...entries].filter(([, entry]) => isOpen(entry));
				if (open.length === 0) break;
				await Promise.all(open.map(([field, entry]) => entry.request ?? send(field, { showsErrors: true })));
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

function summarize(fields: readonly FieldState[]): DraftOverview {
	const phase = phasesByUrgency.find((candidate) => fields.some((field) => field.phase === candidate)) ?? 'saved';
	const message = fields.find((field) => field.message !== '')?.message ?? '';
	return {
		phase,
		message,
		isBlocked: message !== '' || phase === 'collision' || phase === 'invalid',
		fields,
		revision: fields.map(({ saved }) => saved.version).join(),
	};
}

const phasesByUrgency = ['collision', 'failed', 'invalid', 'saving', 'waiting'] as const;
