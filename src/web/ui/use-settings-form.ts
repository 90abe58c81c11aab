import { type FormEvent, useState } from 'react';
import { describeFailure } from '#web/platform/failure.ts';
import { dismissSaved } from '#web/platform/toasts.ts';
import { takeOver } from './take-over.ts';

type Errors = Record<string, string>;

interface SettingsFormOptions<Saved extends { version: number }, Form extends object, Input extends object> {
	saved: Saved;
	/** Asks for the settings as they stand now. */
	lookAgain: () => Promise<Saved | undefined>;
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
	refusal: { text: string; isAtFields: boolean } | undefined;
	/** What somebody else saved meanwhile. */
	theirs: Form | undefined;
	/** Something was typed since it was opened, or saved. */
	isTyped: boolean;
	change: (patch: Partial<Form>) => void;
	/** Something beside the form raised the version by one (a file of it was uploaded): no news to whoever sent it. */
	noticeOwnChange: () => Promise<void>;
	submit: (event: FormEvent) => void;
	isSaving: boolean;
}

/** A form of settings. What somebody else saves stands there at once, unless one is typing: then a save tells. */
export function useSettingsForm<Saved extends { version: number }, Form extends object, Input extends object>({
	saved,
	lookAgain,
	formOf,
	fieldsOf = (fields) => fields,
	inputOf,
	save,
	onSaved,
}: SettingsFormOptions<Saved, Form, Input>): SettingsForm<Form> {
	const [draft, setDraft] = useState<{ base: Form; form: Form; version: number; isSaved?: boolean }>();
	const [theirs, setTheirs] = useState<Form>();
	const [errors, setErrors] = useState<Errors>({});
	const [refusal, setRefusal] = useState<SettingsForm<Form>['refusal']>();
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
	const hearRefusal = async (error: Error) => {
		const { message, code, ...failure } = describeFailure(error);
		const fields = fieldsOf(failure.fields);
		setErrors(fields);
		setRefusal({ text: message, isAtFields: Object.keys(fields).length > 0 });
		if (code !== 'STALE') return;
		// Having been told, the next save is meant; what was not touched is no wish to change it back.
		const now = await lookAgain();
		if (now === undefined) return;
		const other = formOf(now);
		setTheirs(other);
		setDraft((typed) => ({ base: other, form: takeOver(base, typed?.form ?? form, other), version: now.version }));
	};
	const hearSaved = async (sent: Form, sentVersion: number) => {
		// Until it is read again, what was saved stands there, a version further; typed on meanwhile, that stays above it.
		setDraft((typed) => {
			const now = typed?.form ?? sent;
			return { base: sent, form: now, version: sentVersion + 1, isSaved: now === sent };
		});
		const read = await lookAgain();
		if (read === undefined) return;
		setDraft((typed) => {
			if (typed === undefined || typed.isSaved) return undefined;
			const base = formOf(read);
			return { base, form: takeOver(sent, typed.form, base), version: read.version };
		});
		setTheirs(undefined);
		setErrors({});
	};
	const noticeOwnChange = async () => {
		const now = await lookAgain();
		// By more, and somebody else saved too, which the next save shall hear.
		if (now?.version !== version + 1) return;
		setDraft((typed) => (typed?.version === version ? { ...typed, version: now.version } : typed));
	};
	const submit = (event: FormEvent) => {
		event.preventDefault();
		setRefusal(undefined);
		const sent = inputOf(form);
		if ('errors' in sent) {
			setErrors(sent.errors);
			return;
		}
		save.mutate(
			{ ...sent.input, version },
			{ onSuccess: onSaved ?? (() => void hearSaved(form, version)), onError: (error) => void hearRefusal(error) },
		);
	};
	const isTyped =
		typed !== undefined && typed.isSaved !== true && JSON.stringify(typed.form) !== JSON.stringify(typed.base);
	return { form, errors, refusal, theirs, isTyped, change, noticeOwnChange, submit, isSaving: save.isPending };
}
