import { type FormEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { describeFailure } from '#web/platform/api/failure.ts';
import { dismissSaved } from '#web/platform/browser/toasts.ts';

type Errors = Record<string, string>;

export interface SettingsFormOptions<Saved extends { version: number }, Form extends object, Input extends object> {
	saved: Saved;
	refetch: () => Promise<Saved | undefined>;
	formOf: (saved: Saved) => Form;
	/** Returns the input of the save call without `version`, or an error message for each invalid field. */
	inputOf: (form: Form) => { input: Input } | { errors: Errors };
	save: {
		mutate(
			input: Input & { version: number },
			options: { onSuccess: () => void; onError: (error: Error) => void },
		): void;
		isPending: boolean;
	};
	onSaved?: () => void;
}

/**
 * State of a settings form. Without unsaved changes, the form shows another admin's changes at once. With unsaved
 * changes, the next save fails with STALE, and the other admin's changes are merged into the form.
 */
export function useSettingsForm<Saved extends { version: number }, Form extends object, Input extends object>(
	options: SettingsFormOptions<Saved, Form, Input>,
) {
	const { saved, refetch, formOf, inputOf, save, onSaved } = options;
	const [draft, setDraft] = useState<{ base: Form; form: Form; version: number; isSaved?: boolean }>();
	const [remoteForm, setRemoteForm] = useState<Form>();
	const [errors, setErrors] = useState<Errors>({});
	const [saveError, setSaveError] = useState<{ text: string; isAtFields: boolean }>();
	// After saving, the draft is shown until the settings have been refetched.
	const typed = draft?.isSaved && saved.version >= draft.version ? undefined : draft;
	const base = typed?.base ?? formOf(saved);
	const form = typed?.form ?? base;
	const version = typed?.version ?? saved.version;

	const change = (patch: Partial<Form>) => {
		dismissSaved();
		setDraft({ base, form: { ...form, ...patch }, version });
		const isUntouched = ([path]: [string, string]) => !(path in patch) && !((path.split('.', 1)[0] ?? '') in patch);
		setErrors(Object.fromEntries(Object.entries(errors).filter(isUntouched)));
	};
	/** The first field with an error may be out of sight. */
	const showErrors = (form: Element, errors: Errors) => {
		flushSync(() => setErrors(errors));
		form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
	};
	const handleSaveError = async (element: Element, error: Error) => {
		const { message, code, fields } = describeFailure(error);
		showErrors(element, fields);
		setSaveError({ text: message, isAtFields: Object.keys(fields).length > 0 });
		if (code !== 'STALE') return;
		// The form now shows the conflict, so the next save uses the new version.
		const newest = await refetch();
		if (newest === undefined) return;
		const remote = formOf(newest);
		setRemoteForm(remote);
		setDraft((typed) => ({
			base: remote,
			form: mergeRemoteChanges(base, typed?.form ?? form, remote),
			version: newest.version,
		}));
	};
	const handleSaved = async (sent: Form, sentVersion: number) => {
		// Keeps what the user has typed during the save.
		setDraft((typed) => {
			const current = typed?.form ?? sent;
			return { base: sent, form: current, version: sentVersion + 1, isSaved: current === sent };
		});
		const newest = await refetch();
		if (newest === undefined) return;
		setDraft((typed) => {
			if (typed === undefined || typed.isSaved) return undefined;
			const base = formOf(newest);
			return { base, form: mergeRemoteChanges(sent, typed.form, base), version: newest.version };
		});
		setRemoteForm(undefined);
		setErrors({});
	};
	const acceptOwnChange = async () => {
		const newest = await refetch();
		// If the version has grown by more than one, another admin has saved too. The next save must then fail with STALE.
		if (newest?.version !== version + 1) return;
		setDraft((typed) => (typed?.version === version ? { ...typed, version: newest.version } : typed));
	};
	const submit = (event: FormEvent) => {
		event.preventDefault();
		const element = event.currentTarget;
		setSaveError(undefined);
		const sent = inputOf(form);
		if ('errors' in sent) {
			showErrors(element, sent.errors);
			return;
		}
		save.mutate(
			{ ...sent.input, version },
			{
				onSuccess: onSaved ?? (() => void handleSaved(form, version)),
				onError: (error) => void handleSaveError(element, error),
			},
		);
	};
	const isDirty =
		typed !== undefined && typed.isSaved !== true && JSON.stringify(typed.form) !== JSON.stringify(typed.base);
	return {
		form,
		/** Error messages by path; a path begins with the field's name. */
		errors,
		/** `isAtFields`: whether the fields already show the error. */
		saveError,
		remoteForm,
		isDirty,
		change,
		/** Call after an upload from this form has raised the version; otherwise the next save would fail with STALE. */
		acceptOwnChange,
		submit,
		isSaving: save.isPending,
	};
}

/** Keeps edited fields (`own` differs from `base`) and uses the values in `remote` for all others. */
export function mergeRemoteChanges<Form extends object>(base: Form, own: Form, remote: Form): Form {
	const entries = (Object.keys(own) as Array<keyof Form>).map((key) => {
		const [baseValue, ownValue, remoteValue] = [base[key], own[key], remote[key]];
		if (isGroup(baseValue) && isGroup(ownValue) && isGroup(remoteValue))
			return [key, mergeRemoteChanges(baseValue, ownValue, remoteValue)];
		return [key, JSON.stringify(ownValue) === JSON.stringify(baseValue) ? remoteValue : ownValue];
	});
	return Object.fromEntries(entries) as Form;
}

function isGroup(value: unknown): value is object {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
