import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { m } from '#messages';
import { api, type CallOutputs, client } from '#web/platform/api/client.ts';
import { shownInForm, useChange } from '#web/platform/api/use-change.ts';
import { toastMs, toastSaved } from '#web/platform/browser/toasts.ts';
import { FieldGroup, TextField } from '#web/ui/forms/field.tsx';
import { SettingsForm } from '#web/ui/forms/settings-form.tsx';
import { Section } from '#web/ui/layout/section.tsx';
import { formatMegabytes, parseMegabytes, parseWholeNumber } from './storage-amounts.ts';

type Settings = CallOutputs['spaces']['getSettings'];

/** Reads the settings for files; refetched each time the screen is opened. */
export function useFilesSettings() {
	return useQuery(api.spaces.getSettings.queryOptions({ staleTime: 0 }));
}

/** Settings for files: retention of the trash, default quota, upload retry time, and the chat's daily limits. */
export function FilesSettings() {
	const save = useChange(client.spaces.saveSettings, {
		refetch: [api.spaces.getSettings.key()],
		onSuccess: () => toastSaved(m.files_settings_saved(), toastMs.filesSuccess),
		onError: shownInForm,
	});
	return (
		<Section title={m.files_settings()}>
			<SettingsForm
				layout={{ maw: 480, mt: 12 }}
				query={useFilesSettings()}
				failed={m.files_settings_failed()}
				labels={{ save: m.files_save(), saving: m.files_saving() }}
				isLong
				formOf={toForm}
				inputOf={toInput}
				save={save}
			>
				{({ form, errors, change }, footer) => (
					<>
						<Fields form={form} errors={errors} onChange={change} />
						{footer}
					</>
				)}
			</SettingsForm>
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
	const invalid = (Object.keys(input) as Array<keyof Form>).filter((key) => input[key] === undefined);
	if (invalid.length === 0) return { input: input as Complete<typeof input> };
	return { errors: Object.fromEntries(invalid.map((key) => [key, invalidTexts[key]()])) };
}

type Complete<T> = { [Key in keyof T]: Exclude<T[Key], undefined> };

/** Returns the bytes of a chat limit typed in MB; undefined below 1 MB, because text messages count too. */
function parseChatLimit(typed: string): number | undefined {
	const bytes = parseMegabytes(typed);
	return bytes == null || bytes < 1024 * 1024 ? undefined : bytes;
}

interface FieldsProps {
	form: Form;
	errors: Record<string, string>;
	onChange: (patch: Partial<Form>) => void;
}

function Fields({ form, errors, onChange }: FieldsProps) {
	const field = (key: keyof Form, inputMode: 'numeric' | 'decimal', label: string, description?: string) => (
		<TextField
			label={label}
			description={description}
			inputMode={inputMode}
			value={form[key]}
			error={errors[key]}
			onChange={({ currentTarget }) => onChange({ [key]: currentTarget.value })}
		/>
	);
	return (
		<>
			{field('trashDays', 'numeric', m.files_settings_days())}
			{field('quotaBytes', 'decimal', m.files_settings_quota(), m.files_settings_quota_hint())}
			{field('retryMinutes', 'numeric', m.files_settings_retry(), m.files_settings_retry_hint())}
			<Box mt={8}>
				<FieldGroup
					legend={
						<Box component="span" fz="lg">
							{m.files_settings_chat()}
						</Box>
					}
				>
					<Box component="p" mt={-8} c="dimmed">
						{m.files_settings_chat_hint()}
					</Box>
					{field('chatFilesPerDay', 'numeric', m.files_settings_chat_files(), m.files_settings_chat_files_hint())}
					{field('chatBytesPerDay', 'decimal', m.files_settings_chat_bytes(), m.files_settings_chat_bytes_hint())}
					{field(
						'chatFilesPerDayUnpaid',
						'numeric',
						m.files_settings_chat_files_unpaid(),
						m.files_settings_chat_unpaid_hint(),
					)}
					{field('chatBytesPerDayUnpaid', 'decimal', m.files_settings_chat_bytes_unpaid())}
				</FieldGroup>
			</Box>
		</>
	);
}
