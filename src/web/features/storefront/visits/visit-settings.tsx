import { Flex } from '@mantine/core';
import type { ReactNode } from 'react';
import { m } from '#messages';
import { TextField } from '#web/ui/forms/field.tsx';
import { LoadedSettings } from '#web/ui/forms/loaded-settings.tsx';
import { UnsavedChangesGuard } from '#web/ui/forms/unsaved-changes-guard.tsx';
import { useSettingsForm } from '#web/ui/forms/use-settings-form.ts';
import { Section } from '#web/ui/layout/section.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import classes from './visits.module.css';
import { type SavedVisitSettings, useSaveVisitSettings, useVisitSettings } from './visits-api.ts';

/** What the owner decides about the counting: bots, own visits, how much of an address is kept, and for how long. */
export function VisitSettings() {
	return (
		<Section title={m.visits_settings()} intro={m.visits_settings_intro()}>
			<LoadedSettings query={useVisitSettings()} failed={m.visits_settings_failed()}>
				{(settings, refetch) => <VisitSettingsForm settings={settings} refetch={refetch} />}
			</LoadedSettings>
		</Section>
	);
}

interface VisitSettingsFormProps {
	settings: SavedVisitSettings;
	refetch: () => Promise<SavedVisitSettings | undefined>;
}

function VisitSettingsForm({ settings, refetch }: VisitSettingsFormProps) {
	const { form, errors, saveError, isDirty, change, submit, isSaving } = useSettingsForm({
		saved: settings,
		refetch,
		formOf: ({ version: _version, keptDays, ...choices }) => {
			return { ...choices, keptDays: keptDays === null ? '' : String(keptDays) };
		},
		inputOf: ({ keptDays, ...choices }) => {
			const days = keptDays.trim();
			if (!/^\d{0,9}$/u.test(days)) return { errors: { keptDays: m.error_visit_days() } };
			return { input: { ...choices, keptDays: days === '' ? null : Number(days) } };
		},
		save: useSaveVisitSettings(),
	});

	return (
		<form className={classes.fields} onSubmit={submit} noValidate>
			<UnsavedChangesGuard isUnsaved={isDirty} />
			{saveError?.isAtFields === false && <Notice tone="negative">{saveError.text}</Notice>}
			<CheckboxOption isOn={form.leavesOutBots} onChange={(leavesOutBots) => change({ leavesOutBots })}>
				{m.visits_settings_bots()}
			</CheckboxOption>
			<CheckboxOption isOn={form.leavesOutOwn} onChange={(leavesOutOwn) => change({ leavesOutOwn })}>
				{m.visits_settings_own()}
			</CheckboxOption>
			<CheckboxOption isOn={form.isShortened} onChange={(isShortened) => change({ isShortened })}>
				{m.visits_settings_short()}
				<span className={classes.hint}>{m.visits_settings_short_hint()}</span>
			</CheckboxOption>
			<TextField
				label={m.visits_settings_days()}
				description={m.visits_settings_days_hint()}
				inputMode="numeric"
				value={form.keptDays}
				error={errors.keptDays}
				onChange={({ currentTarget }) => change({ keptDays: currentTarget.value })}
			/>
			<div>
				<Button type="submit" variant="primary" disabled={isSaving}>
					{isSaving ? m.visits_settings_saving() : m.visits_settings_save()}
				</Button>
			</div>
		</form>
	);
}

interface CheckboxOptionProps {
	isOn: boolean;
	onChange: (isOn: boolean) => void;
	children: ReactNode;
}

function CheckboxOption({ isOn, onChange, children }: CheckboxOptionProps) {
	return (
		<Flex component="label" align="baseline" gap={10} py={4}>
			<input
				type="checkbox"
				className={classes.checkbox}
				checked={isOn}
				onChange={({ currentTarget }) => onChange(currentTarget.checked)}
			/>
			<span>{children}</span>
		</Flex>
	);
}
