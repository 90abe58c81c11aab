import { m } from '#messages';
import type { CallOutputs } from '#web/platform/api.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { LeaveQuestion } from '#web/ui/leave-question.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SavedSettings } from '#web/ui/saved-settings.tsx';
import { Section } from '#web/ui/section.tsx';
import { useSettingsForm } from '#web/ui/use-settings-form.ts';
import { useFilesSettings, useSaveFilesSettings } from './storage.api.ts';
import { bytesOf, megabytesOf, wholeOf } from './storage-numbers.ts';
import classes from './storage-settings.module.css';

type Settings = CallOutputs['spaces']['getSettings'];

/** What the owner decides about files: the trash's age, the general quota, how long uploads are tried again, the chat's daily limits. */
export function StorageSettings() {
	return (
		<Section title={m.files_settings()}>
			<SavedSettings query={useFilesSettings()} failed={m.files_settings_failed()}>
				{(settings, lookAgain) => <SettingsForm settings={settings} lookAgain={lookAgain} />}
			</SavedSettings>
		</Section>
	);
}

function formOf(settings: Settings) {
	return {
		trashDays: String(settings.trashDays),
		quota: megabytesOf(settings.quotaBytes),
		retryMinutes: String(settings.retryMinutes),
		chatFiles: String(settings.chatFilesPerDay),
		chatBytes: megabytesOf(settings.chatBytesPerDay),
		chatFilesUnpaid: String(settings.chatFilesPerDayUnpaid),
		chatBytesUnpaid: megabytesOf(settings.chatBytesPerDayUnpaid),
	};
}

/** Numbers as they are sent, or a sentence for each that is none. */
function inputOf(form: ReturnType<typeof formOf>) {
	const input = {
		trashDays: wholeOf(form.trashDays, 1, 3650),
		quotaBytes: bytesOf(form.quota),
		retryMinutes: wholeOf(form.retryMinutes, 1, 10_080),
		chatFilesPerDay: wholeOf(form.chatFiles, 0, 10_000),
		chatBytesPerDay: atLeastOneMegabyte(form.chatBytes),
		chatFilesPerDayUnpaid: wholeOf(form.chatFilesUnpaid, 0, 10_000),
		chatBytesPerDayUnpaid: atLeastOneMegabyte(form.chatBytesUnpaid),
	};
	if (isComplete(input)) return { input };
	return {
		errors: {
			...(input.trashDays === undefined && { trashDays: m.files_settings_days_bad() }),
			...(input.quotaBytes === undefined && { quota: m.files_quota_bad() }),
			...(input.retryMinutes === undefined && { retryMinutes: m.files_settings_retry_bad() }),
			...(input.chatFilesPerDay === undefined && { chatFiles: m.files_settings_chat_files_bad() }),
			...(input.chatBytesPerDay === undefined && { chatBytes: m.files_settings_chat_bytes_bad() }),
			...(input.chatFilesPerDayUnpaid === undefined && { chatFilesUnpaid: m.files_settings_chat_files_bad() }),
			...(input.chatBytesPerDayUnpaid === undefined && { chatBytesUnpaid: m.files_settings_chat_bytes_bad() }),
		},
	};
}

type Complete<T> = { [Key in keyof T]: Exclude<T[Key], undefined> };

function isComplete<T extends object>(input: T): input is T & Complete<T> {
	return Object.values(input).every((value) => value !== undefined);
}

/** Bytes of a limit typed in MB. Texts count too: below 1 MB a member could hardly write. */
function atLeastOneMegabyte(typed: string): number | undefined {
	const bytes = bytesOf(typed);
	return bytes == null || bytes < 1024 * 1024 ? undefined : bytes;
}

interface SettingsFormProps {
	settings: Settings;
	lookAgain: () => Promise<Settings | undefined>;
}

function SettingsForm({ settings, lookAgain }: SettingsFormProps) {
	const { form, errors, refusal, isTyped, change, submit, isSaving } = useSettingsForm({
		saved: settings,
		lookAgain,
		formOf,
		inputOf,
		save: useSaveFilesSettings(),
	});

	return (
		<form className={classes.fields} onSubmit={submit} noValidate>
			<LeaveQuestion isUnsaved={isTyped} />
			{refusal !== undefined && <Notice tone="negative">{refusal.text}</Notice>}
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
