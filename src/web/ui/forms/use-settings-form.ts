import { type FormEvent, useState } from 'react';
import { describeFailure } from '#web/platform/api/failure.ts';
import { dismissSaved } from '#web/platform/browser/toasts.ts';

type Errors = Record<string, string>;

interface SettingsFormOptions<Saved extends { version: number }, Form extends object, Input extends object> {
	saved: Saved;
	refetch: () => Promise<Saved | undefined>;
	formOf: (saved: Saved) => Form;
	/** Maps the contract's field names to the form's names where they differ. */
	fieldsOf?: (fields: Errors) => Errors;
	/** Returns what is sent of a form besides its version, or an error message for each field that cannot be sent. */
	inputOf: (form: Form) => { input: Input } | { errors: Errors };
	save: {
		mutate(
			input: Input & { version: number },
			options: { onSuccess: () => void; onError: (error: Error) => void },
		): void;
		isPending: boolean;
	};
	/** Called after saving, for forms that close; other forms stay open and show the current values. */
	onSaved?: () => void;
}

export interface SettingsForm<Form> {
	form: Form;
	/** Error messages by the form's field name or by the contract's path. */
	errors: Errors;
	/** Why the last save was refused, and whether the messages at the fields already say so. */
	saveError: { text: string; isAtFields: boolean } | undefined;
	/** Values that another admin has saved meanwhile. */
	remoteForm: Form | undefined;
	/** Whether something was typed since the form was opened or saved. */
	isDirty: boolean;
	change: (patch: Partial<Form>) => void;
	/** For when the form itself raised the version by one, by uploading one of its files: no other admin's change. */
	acceptOwnChange: () => Promise<void>;
	submit: (event: FormEvent) => void;
	isSaving: boolean;
}

/** State of a settings form. Another admin's changes appear at once; while the user types, saving reports them. */
export function useSettingsForm<Saved extends { version: number }, Form extends object, Input extends object>({
	saved,
	refetch,
	formOf,
	fieldsOf = (fields) => fields,
	inputOf,
	save,
	onSaved,
}: SettingsFormOptions<Saved, Form, Input>): SettingsForm<Form> {
	const [draft, setDraft] = useState<{ base: Form; form: Form; version: number; isSaved?: boolean }>();
	const [remoteForm, setRemoteForm] = useState<Form>();
	const [errors, setErrors] = useState<Errors>({});
	const [saveError, setSaveError] = useState<SettingsForm<Form>['saveError']>();
	// The saved values are shown until the new ones have loaded.
	const typed = draft?.isSaved && saved.version >= draft.version ? undefined : draft;
	const base = typed?.base ?? formOf(saved);
	const form = typed?.form ?? base;
	const version = typed?.version ?? saved.version;

	const change = (patch: Partial<Form>) => {
		dismissSaved();
		setDraft({ base, form: { ...form, ...patch }, version });
		const isUntouched = ([path]: [string, string]) => !Object.hasOwn(patch, path.split('.', 1)[0] ?? path);
		setErrors(Object.fromEntries(Object.entries(errors).filter(isUntouched)));
	};
	const handleSaveError = async (error: Error) => {
		const { message, code, ...failure } = describeFailure(error);
		const fields = fieldsOf(failure.fields);
		setErrors(fields);
		setSaveError({ text: message, isAtFields: Object.keys(fields).length > 0 });
		if (code !== 'STALE') return;
		// The user has seen the conflict, so the next save is intended. Fields that were not edited take the other admin's
		// values.
		const now = await refetch();
		if (now === undefined) return;
		const other = formOf(now);
		setRemoteForm(other);
		setDraft((typed) => ({
			base: other,
			form: mergeRemoteChanges(base, typed?.form ?? form, other),
			version: now.version,
		}));
	};
	const handleSaved = async (sent: Form, sentVersion: number) => {
		// Until the settings are loaded again, the saved values are shown with the next version; later edits stay on top of
		// them.
		setDraft((typed) => {
			const now = typed?.form ?? sent;
			return { base: sent, form: now, version: sentVersion + 1, isSaved: now === sent };
		});
		const read = await refetch();
		if (read === undefined) return;
		setDraft((typed) => {
			if (typed === undefined || typed.isSaved) return undefined;
			const base = formOf(read);
			return { base, form: mergeRemoteChanges(sent, typed.form, base), version: read.version };
		});
		setRemoteForm(undefined);
		setErrors({});
	};
	const acceptOwnChange = async () => {
		const now = await refetch();
		// A larger step means that another admin has saved too, which the next save must report.
		if (now?.version !== version + 1) return;
		setDraft((typed) => (typed?.version === version ? { ...typed, version: now.version } : typed));
	};
	const submit = (event: FormEvent) => {
		event.preventDefault();
		setSaveError(undefined);
		const sent = inputOf(form);
		if ('errors' in sent) {
			setErrors(sent.errors);
			return;
		}
		save.mutate(
			{ ...sent.input, version },
			{
				onSuccess: onSaved ?? (() => void handleSaved(form, version)),
				onError: (error) => void handleSaveError(error),
			},
		);
	};
	const isDirty =
		typed !== undefined && typed.isSaved !== true && JSON.stringify(typed.form) !== JSON.stringify(typed.base);
	return { form, errors, saveError, remoteForm, isDirty, change, acceptOwnChange, submit, isSaving: save.isPending };
}

/**
 * Merges another admin's changes into a form: untouched fields take their values, edited fields keep the user's.
 * `base`: the form as it was opened, `mine`: as it is now, `theirs`: as it was saved meanwhile.
 */
export function mergeRemoteChanges<Form extends object>(base: Form, mine: Form, theirs: Form): Form {
	const entries = (Object.keys(mine) as Array<keyof Form>).map((key) => {
		const [before, here, there] = [base[key], mine[key], theirs[key]];
		if (isGroup(before) && isGroup(here) && isGroup(there)) return [key, mergeRemoteChanges(before, here, there)];
		return [key, JSON.stringify(here) === JSON.stringify(before) ? there : here];
	});
	return Object.fromEntries(entries) as Form;
}

/** Whether a value is a group of named fields; a list counts as one field. */
function isGroup(value: unknown): value is object {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
