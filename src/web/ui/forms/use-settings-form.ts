import { type FormEvent, useState } from 'react';
import { describeFailure } from '#web/platform/api/failure.ts';
import { dismissSaved } from '#web/platform/browser/toasts.ts';

type Errors = Record<string, string>;

interface SettingsFormOptions<Saved extends { version: number }, Form extends object, Input extends object> {
	saved: Saved;
	/** Asks for the settings as they stand now. */
	refetch: () => Promise<Saved | undefined>;
	formOf: (saved: Saved) => Form;
	/** The form's own names for the fields that the contract names otherwise. */
	fieldsOf?: (fields: Errors) => Errors;
	/** What is sent of a form beside its version; or a sentence for each field that cannot be sent. */
	inputOf: (form: Form) => { input: Input } | { errors: Errors };
	/** The call, as a mutation has it. */
	save: {
		mutate(
			input: Input & { version: number },
			options: { onSuccess: () => void; onError: (error: Error) => void },
		): void;
		isPending: boolean;
	};
	/** Where a saved form goes away; elsewhere it stays, with what stands then. */
	onSaved?: () => void;
}

export interface SettingsForm<Form> {
	form: Form;
	/** A sentence for each field in error, by the form's name or the contract's path. */
	errors: Errors;
	/** Why the last save was refused; whether the fields themselves tell. */
	saveError: { text: string; isAtFields: boolean } | undefined;
	/** What somebody else saved meanwhile. */
	remoteForm: Form | undefined;
	/** Something was typed since it was opened, or saved. */
	isDirty: boolean;
	change: (patch: Partial<Form>) => void;
	/** Something beside the form raised the version by one (a file of it was uploaded): no news to whoever sent it. */
	acceptOwnChange: () => Promise<void>;
	submit: (event: FormEvent) => void;
	isSaving: boolean;
}

/** A form of settings. What somebody else saves stands there at once, unless one is typing: then a save tells. */
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
	// What was saved stands there until it has been read.
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
		// Having been told, the next save is meant; what was not touched is no wish to change it back.
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
		// Until it is read again, what was saved stands there, a version further; typed on meanwhile, that stays above it.
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
		// By more, and somebody else saved too, which the next save shall hear.
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
 * A form after somebody else has saved: what was not touched here is as they left it, what was stays as it was typed.
 * `base`: as the form opened, `mine`: as it stands, `theirs`: as it was saved meanwhile.
 */
export function mergeRemoteChanges<Form extends object>(base: Form, mine: Form, theirs: Form): Form {
	const entries = (Object.keys(mine) as Array<keyof Form>).map((key) => {
		const [before, here, there] = [base[key], mine[key], theirs[key]];
		if (isGroup(before) && isGroup(here) && isGroup(there)) return [key, mergeRemoteChanges(before, here, there)];
		return [key, JSON.stringify(here) === JSON.stringify(before) ? there : here];
	});
	return Object.fromEntries(entries) as Form;
}

/** Fields under a name of their own; a list is one field. */
function isGroup(value: unknown): value is object {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
