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

/** What the owner decides about files: the trash's age, the general quota, how long uploads are tried again. */
export function StorageSettings() {
	return (
		<Section title={m.files_settings()}>
			<SavedSettings query={useFilesSettings()} failed={m.files_settings_failed()}>
				{(settings, lookAgain) => <SettingsForm settings={settings} lookAgain={lookAgain} />}
			</SavedSettings>
		</Section>
	);
}

function formOf({ trashDays, quotaBytes, retryMinutes }: Settings) {
	return { trashDays: String(trashDays), quota: megabytesOf(quotaBytes), retryMinutes: String(retryMinutes) };
}

/** Numbers as they are sent, or a sentence for each that is none. */
function inputOf(form: ReturnType<typeof formOf>) {
	const trashDays = wholeOf(form.trashDays, 1, 3650);
	const quotaBytes = bytesOf(form.quota);
	const retryMinutes = wholeOf(form.retryMinutes, 1, 10_080);
	if (trashDays !== undefined && quotaBytes !== undefined && retryMinutes !== undefined)
		return { input: { trashDays, quotaBytes, retryMinutes } };
	return {
		errors: {
			...(trashDays === undefined && { trashDays: m.files_settings_days_bad() }),
			...(quotaBytes === undefined && { quota: m.files_quota_bad() }),
			...(retryMinutes === undefined && { retryMinutes: m.files_settings_retry_bad() }),
		},
	};
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
			<div>
				<Button type="submit" variant="primary" disabled={isSaving}>
					{isSaving ? m.files_saving() : m.files_save()}
				</Button>
			</div>
		</form>
	);
}
