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
		quota: formatMegabytes(settings.quotaBytes),
		retryMinutes: String(settings.retryMinutes),
		chatFiles: String(settings.chatFilesPerDay),
		chatBytes: formatMegabytes(settings.chatBytesPerDay),
		chatFilesUnpaid: String(settings.chatFilesPerDayUnpaid),
		chatBytesUnpaid: formatMegabytes(settings.chatBytesPerDayUnpaid),
	};
}

/** Converts the form to the API's input, with an error message for each invalid number. */
function toInput(form: ReturnType<typeof toForm>) {
	const input = {
		trashDays: parseWholeNumber(form.trashDays, 1, 3650),
		quotaBytes: parseMegabytes(form.quota),
		retryMinutes: parseWholeNumber(form.retryMinutes, 1, 10_080),
		chatFilesPerDay: parseWholeNumber(form.chatFiles, 0, 10_000),
		chatBytesPerDay: parseChatLimit(form.chatBytes),
		chatFilesPerDayUnpaid: parseWholeNumber(form.chatFilesUnpaid, 0, 10_000),
		chatBytesPerDayUnpaid: parseChatLimit(form.chatBytesUnpaid),
	};
	if (isComplete(input)) return { input };
	return {
		errors: {
			...(input.trashDays === undefined && { trashDays: m.files_settings_days_invalid() }),
			...(input.quotaBytes === undefined && { quota: m.files_quota_invalid() }),
			...(input.retryMinutes === undefined && { retryMinutes: m.files_settings_retry_invalid() }),
			...(input.chatFilesPerDay === undefined && { chatFiles: m.files_settings_chat_files_invalid() }),
			...(input.chatBytesPerDay === undefined && { chatBytes: m.files_settings_chat_bytes_invalid() }),
			...(input.chatFilesPerDayUnpaid === undefined && { chatFilesUnpaid: m.files_settings_chat_files_invalid() }),
			...(input.chatBytesPerDayUnpaid === undefined && { chatBytesUnpaid: m.files_settings_chat_bytes_invalid() }),
		},
	};
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

	return (
		<form className={classes.fields} onSubmit={submit} noValidate>
			<UnsavedChangesGuard isUnsaved={isDirty} />
			{saveError !== undefined && <Notice tone="negative">{saveError.text}</Notice>}
			<TextField
				label={m.files_settings_days()}
				inputMode="numeric"
				value={form.trashDays}
				error={errors.trashDays}
				onChange={({ currentTarget }) => change({ trashDays: currentTarget.value })}
			/>
			<TextField
				label={m.files_settings_quota()}
				description={m.files_settings_quota_hint()}
				inputMode="decimal"
				value={form.quota}
				error={errors.quota}
				onChange={({ currentTarget }) => change({ quota: currentTarget.value })}
			/>
			<TextField
				label={m.files_settings_retry()}
				description={m.files_settings_retry_hint()}
				inputMode="numeric"
				value={form.retryMinutes}
				error={errors.retryMinutes}
				onChange={({ currentTarget }) => change({ retryMinutes: currentTarget.value })}
			/>
			<fieldset className={classes.group}>
				<legend>{m.files_settings_chat()}</legend>
				<p className={classes.hint}>{m.files_settings_chat_hint()}</p>
				<TextField
					label={m.files_settings_chat_files()}
					description={m.files_settings_chat_files_hint()}
					inputMode="numeric"
					value={form.chatFiles}
					error={errors.chatFiles}
					onChange={({ currentTarget }) => change({ chatFiles: currentTarget.value })}
				/>
				<TextField
					label={m.files_settings_chat_bytes()}
					description={m.files_settings_chat_bytes_hint()}
					inputMode="decimal"
					value={form.chatBytes}
					error={errors.chatBytes}
					onChange={({ currentTarget }) => change({ chatBytes: currentTarget.value })}
				/>
				<TextField
					label={m.files_settings_chat_files_unpaid()}
					description={m.files_settings_chat_unpaid_hint()}
					inputMode="numeric"
					value={form.chatFilesUnpaid}
					error={errors.chatFilesUnpaid}
					onChange={({ currentTarget }) => change({ chatFilesUnpaid: currentTarget.value })}
				/>
				<TextField
					label={m.files_settings_chat_bytes_unpaid()}
					inputMode="decimal"
					value={form.chatBytesUnpaid}
					error={errors.chatBytesUnpaid}
					onChange={({ currentTarget }) => change({ chatBytesUnpaid: currentTarget.value })}
				/>
			</fieldset>
			<div>
				<Button type="submit" variant="primary" disabled={isSaving}>
					{isSaving ? m.files_saving() : m.files_save()}
				</Button>
			</div>
		</form>
	);
}
