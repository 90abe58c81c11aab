import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { filesSettings } from '#contract/files/spaces.ts';
import { m } from '#messages';
import { api, type CallOutputs, client } from '#web/platform/api/client.ts';
import { shownInForm, useChange } from '#web/platform/api/use-change.ts';
import { toastMs, toastSaved } from '#web/platform/browser/toasts.ts';
import { FieldGroup, TextField } from '#web/ui/forms/field.tsx';
import { SettingsForm } from '#web/ui/forms/settings-form.tsx';
import { Section } from '#web/ui/layout/section.tsx';
import { formatMegabytes, parseMegabytes } from './storage-amounts.ts';

interface NumberField {
	label: () => string;
	hint?: () => string;
	invalid: () => string;
	/** Whether the number is a size, which is typed in MB and stored in bytes. */
	isSize?: boolean;
}

const spaceFields = {
	trashDays: { label: m.files_settings_days, invalid: m.files_settings_days_invalid },
	quotaBytes: {
		label: m.files_settings_quota,
		hint: m.files_settings_quota_hint,
		invalid: m.files_quota_invalid,
		isSize: true,
	},
	retryMinutes: {
		label: m.files_settings_retry,
		hint: m.files_settings_retry_hint,
		invalid: m.files_settings_retry_invalid,
	},
};
const chatFields = {
	chatFilesPerDay: {
		label: m.files_settings_chat_files,
		hint: m.files_settings_chat_files_hint,
		invalid: m.files_settings_chat_files_invalid,
	},
	chatBytesPerDay: {
		label: m.files_settings_chat_bytes,
		hint: m.files_settings_chat_bytes_hint,
		invalid: m.files_settings_chat_bytes_invalid,
		isSize: true,
	},
	chatFilesPerDayUnpaid: {
		label: m.files_settings_chat_files_unpaid,
		hint: m.files_settings_chat_unpaid_hint,
		invalid: m.files_settings_chat_files_invalid,
	},
	chatBytesPerDayUnpaid: {
		label: m.files_settings_chat_bytes_unpaid,
		invalid: m.files_settings_chat_bytes_invalid,
		isSize: true,
	},
};
type Key = keyof typeof spaceFields | keyof typeof chatFields;
const fields: Record<Key, NumberField> = { ...spaceFields, ...chatFields };
const keys = Object.keys(fields) as Key[];

/** Refetched each time the screen opens. */
export function useFilesSettings() {
	return useQuery(api.spaces.getSettings.queryOptions({ staleTime: 0 }));
}

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
				{({ form, errors, change }, footer) => {
					const field = (key: Key) => (
						<TextField
							key={key}
							label={fields[key].label()}
							description={fields[key].hint?.()}
							inputMode={fields[key].isSize ? 'decimal' : 'numeric'}
							value={form[key]}
							error={errors[key]}
							onChange={({ currentTarget }) => change({ [key]: currentTarget.value })}
						/>
					);
					return (
						<>
							{(Object.keys(spaceFields) as Key[]).map(field)}
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
									{(Object.keys(chatFields) as Key[]).map(field)}
								</FieldGroup>
							</Box>
							{footer}
						</>
					);
				}}
			</SettingsForm>
		</Section>
	);
}

function toForm(settings: CallOutputs['spaces']['getSettings']) {
	const textOf = (key: Key) => (fields[key].isSize ? formatMegabytes(settings[key]) : String(settings[key]));
	return Object.fromEntries(keys.map((key) => [key, textOf(key)])) as Record<Key, string>;
}

/** Returns the API's input, or an error message for each number that the contract does not allow. */
function toInput(form: Record<Key, string>) {
	// An empty text is no number, but `Number` returns 0.
	const numberOf = (key: Key) =>
		fields[key].isSize ? parseMegabytes(form[key]) : Number(form[key].trim() || Number.NaN);
	const parsed = filesSettings.safeParse(Object.fromEntries(keys.map((key) => [key, numberOf(key)])));
	if (parsed.success) return { input: parsed.data };
	return {
		errors: Object.fromEntries(parsed.error.issues.map(({ path }) => [path[0], fields[path[0] as Key].invalid()])),
	};
}
