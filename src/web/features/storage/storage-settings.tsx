import { type FormEvent, useState } from 'react';
import { m } from '#messages';
import type { CallOutputs } from '#web/platform/api.ts';
import { describeFailure } from '#web/platform/failure.ts';
import { Button } from '#web/ui/button.tsx';
import { FailedQuery } from '#web/ui/faces.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Section } from '#web/ui/section.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useFilesSettings, useSaveFilesSettings } from './storage.api.ts';
import { bytesOf, megabytesOf, wholeOf } from './storage-numbers.ts';
import classes from './storage-settings.module.css';

type Settings = CallOutputs['spaces']['getSettings'];

/** What the owner decides about files: the trash's age, the general quota, how long uploads are tried again. */
export function StorageSettings() {
	const settings = useFilesSettings();
	return (
		<Section title={m.files_settings()}>
			{settings.data !== undefined ? (
				<SettingsForm
					// What somebody else saved stands there at once, unless one is typing: a save tells then.
					settings={settings.data}
					lookAgain={async () => (await settings.refetch()).data}
				/>
			) : settings.isError ? (
				<FailedQuery text={m.files_settings_failed()} query={settings} />
			) : (
				<div className={classes.fields} role="status" aria-label={m.common_loading()}>
					<Skeleton height="56px" />
					<Skeleton height="56px" />
					<Skeleton height="56px" />
				</div>
			)}
		</Section>
	);
}

interface Form {
	trashDays: string;
	quota: string;
	retryMinutes: string;
}

function formOf({ trashDays, quotaBytes, retryMinutes }: Settings): Form {
	return { trashDays: String(trashDays), quota: megabytesOf(quotaBytes), retryMinutes: String(retryMinutes) };
}

interface SettingsFormProps {
	settings: Settings;
	lookAgain: () => Promise<Settings | undefined>;
}

function SettingsForm({ settings, lookAgain }: SettingsFormProps) {
	const [draft, setDraft] = useState<{ form: Form; version: number }>();
	const [errors, setErrors] = useState<Partial<Record<keyof Form, string>>>({});
	const [refusal, setRefusal] = useState<string>();
	const save = useSaveFilesSettings();
	const form = draft?.form ?? formOf(settings);
	const version = draft?.version ?? settings.version;

	const change = (field: keyof Form) => (value: string) => {
		setDraft({ form: { ...form, [field]: value }, version });
		setErrors({ ...errors, [field]: undefined });
	};
	const hearRefusal = async (error: Error) => {
		const failure = describeFailure(error);
		setRefusal(failure.message);
		if (failure.code !== 'STALE') return;
		// Having been told, the next save is meant.
		const now = await lookAgain();
		if (now !== undefined) setDraft({ form, version: now.version });
	};
	function submit(event: FormEvent): void {
		event.preventDefault();
		setRefusal(undefined);
		const trashDays = wholeOf(form.trashDays, 1, 3650);
		const quotaBytes = bytesOf(form.quota);
		const retryMinutes = wholeOf(form.retryMinutes, 1, 10_080);
		if (trashDays === undefined || quotaBytes === undefined || retryMinutes === undefined) {
			setErrors({
				...(trashDays === undefined && { trashDays: m.files_settings_days_bad() }),
				...(quotaBytes === undefined && { quota: m.files_quota_bad() }),
				...(retryMinutes === undefined && { retryMinutes: m.files_settings_retry_bad() }),
			});
			return;
		}
		save.mutate(
			{ trashDays, quotaBytes, retryMinutes, version },
			{
				onSuccess: () => void lookAgain().then(() => setDraft(undefined)),
				onError: (error) => void hearRefusal(error),
			},
		);
	}

	return (
		<form className={classes.fields} onSubmit={submit} noValidate>
			{refusal !== undefined && <Notice tone="negative">{refusal}</Notice>}
			<TextField
				label={m.files_settings_days()}
				inputMode="numeric"
				value={form.trashDays}
				error={errors.trashDays}
				onChange={({ currentTarget }) => change('trashDays')(currentTarget.value)}
			/>
			<TextField
				label={m.files_settings_quota()}
				description={m.files_settings_quota_hint()}
				inputMode="decimal"
				value={form.quota}
				error={errors.quota}
				onChange={({ currentTarget }) => change('quota')(currentTarget.value)}
			/>
			<TextField
				label={m.files_settings_retry()}
				description={m.files_settings_retry_hint()}
				inputMode="numeric"
				value={form.retryMinutes}
				error={errors.retryMinutes}
				onChange={({ currentTarget }) => change('retryMinutes')(currentTarget.value)}
			/>
			<div>
				<Button type="submit" variant="primary" disabled={save.isPending}>
					{save.isPending ? m.files_saving() : m.files_save()}
				</Button>
			</div>
		</form>
	);
}
