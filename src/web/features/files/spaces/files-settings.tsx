import { m } from '#messages';
import type { CallOutputs } from '#web/platform/api/client.ts';
import { TextField } from '#web/ui/forms/field.tsx';
import { LoadedSettings } from '#web/ui/forms/loaded-settings.tsx';
import { UnsavedChangesGuard } from '#web/ui/forms/unsaved-changes-guard.tsx';
import { useSettingsForm } from '#web/ui/forms/use-settings-form.ts';
import { Section } from '#web/ui/layout/section.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import classes from './files-settings.module.css';
import { useFilesSettings, useSaveFilesSettings } from './spaces-api.ts';
import { formatMegabytes, parseMegabytes, parseWholeNumber } from './storage-amounts.ts';

type Settings = CallOutputs['spaces']['getSettings'];

/** Settings for files: retention of the trash, default quota, upload retry time, and the chat's daily limits. */
export function FilesSettings() {
	return (
		<Section title={m.files_settings()}>
			<LoadedSettings query={useFilesSettings()} failed={m.files_settings_failed()}>
				{(settings, lookAgain) => <SettingsForm settings={settings} refetch={lookAgain} />}
			</LoadedSettings>
		</Section>
	);
}

function toForm(settings: Settings) {
	return {
		trashDays: String(settings.trashDays),
		quotaBytes: formatMegabytes(settings.quotaBytes),
		retryMinutes: String(settings.retryMinutes),
		chatFilesPerDay: String(settings.chatFilesPerDay),
		chatBytesPerDay: formatMegabytes(settings.chatBytesPerDay),
		chatFilesPerDayUnpaid: String(settings.chatFilesPerDayUnpaid),
		chatBytesPerDayUnpaid: formatMegabytes(settings.chatBytesPerDayUnpaid),
	};
}

type Form = ReturnType<typeof toForm>;

const invalidTexts: Record<keyof Form, () => string> = {
	trashDays: m.files_settings_days_invalid,
	quotaBytes: m.files_quota_invalid,
	retryMinutes: m.files_settings_retry_invalid,
	chatFilesPerDay: m.files_settings_chat_files_invalid,
	chatBytesPerDay: m.files_settings_chat_bytes_invalid,
	chatFilesPerDayUnpaid: m.files_settings_chat_files_invalid,
	chatBytesPerDayUnpaid: m.files_settings_chat_bytes_invalid,
};

/** Converts the form to the API's input, with an error message for each invalid number. */
function toInput(form: Form) {
	const input = {
		trashDays: parseWholeNumber(form.trashDays, 1, 3650),
		quotaBytes: parseMegabytes(form.quotaBytes),
		retryMinutes: parseWholeNumber(form.retryMinutes, 1, 10_080),
		chatFilesPerDay: parseWholeNumber(form.chatFilesPerDay, 0, 10_000),
		chatBytesPerDay: parseChatLimit(form.chatBytesPerDay),
		chatFilesPerDayUnpaid: parseWholeNumber(form.chatFilesPerDayUnpaid, 0, 10_000),
		chatBytesPerDayUnpaid: parseChatLimit(form.chatBytesPerDayUnpaid),
	};
	if (isComplete(input)) return { input };
	const errors: Record<string, string> = {};
	for (const key of Object.keys(input) as Array<keyof Form>)
		if (input[key] === undefined) errors[key] = invalidTexts[key]();
	return { errors };
}

type Complete<T> = { [Key in keyof T]: Exclude<T[Key], undefined> };

function isComplete<T extends object>(input: T): input is T & Complete<T> {
	return Object.values(input).every((value) => value !== undefined);
}

/** Bytes of a chat limit typed in MB; undefined below 1 MB, because texts count too and need some space. */
function parseChatLimit(typed: string): number | undefined {
	const bytes = parseMegabytes(typed);
	return bytes == null || bytes < 1024 * 1024 ? undefined : bytes;
}

interface SettingsFormProps {
	settings: Settings;
	refetch: () => Promise<Settings | undefined>;
}

function SettingsForm({ settings, refetch }: SettingsFormProps) {
	const { form, errors, saveError, isDirty, change, submit, isSaving } = useSettingsForm({
		saved: settings,
		refetch,
		formOf: toForm,
		inputOf: toInput,
		save: useSaveFilesSettings(),
	});
	const field = (key: keyof Form, inputMode: 'numeric' | 'decimal', label: string, description?: string) => (
		<TextField
			label={label}
			description={description}
			inputMode={inputMode}
			value={form[key]}
			error={errors[key]}
			onChange={({ currentTarget }) => change({ [key]: currentTarget.value })}
		/>
	);
	return (
		<form className={classes.fields} onSubmit={submit} noValidate>
			<UnsavedChangesGuard isUnsaved={isDirty} />
			{saveError !== undefined && <Notice tone="negative">{saveError.text}</Notice>}
			{field('trashDays', 'numeric', m.files_settings_days())}
			{field('quotaBytes', 'decimal', m.files_settings_quota(), m.files_settings_quota_hint())}
			{field('retryMinutes', 'numeric', m.files_settings_retry(), m.files_settings_retry_hint())}
			<fieldset className={classes.group}>
				<legend>{m.files_settings_chat()}</legend>
				<p className={classes.hint}>{m.files_settings_chat_hint()}</p>
				{field('chatFilesPerDay', 'numeric', m.files_settings_chat_files(), m.files_settings_chat_files_hint())}
				{field('chatBytesPerDay', 'decimal', m.files_settings_chat_bytes(), m.files_settings_chat_bytes_hint())}
				{field(
					'chatFilesPerDayUnpaid',
					'numeric',
					m.files_settings_chat_files_unpaid(),
					m.files_settings_chat_unpaid_hint(),
				)}
				{field('chatBytesPerDayUnpaid', 'decimal', m.files_settings_chat_bytes_unpaid())}
			</fieldset>
			<div>
				<Button type="submit" variant="primary" disabled={isSaving}>
					{isSaving ? m.files_saving() : m.files_save()}
				</Button>
			</div>
		</form>
	);
}
