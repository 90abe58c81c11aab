import type { ReactNode } from 'react';
import { m } from '#messages';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { LeaveQuestion } from '#web/ui/leave-question.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SavedSettings } from '#web/ui/saved-settings.tsx';
import { Section } from '#web/ui/section.tsx';
import { useSettingsForm } from '#web/ui/use-settings-form.ts';
import classes from './visit-settings.module.css';
import { type SavedVisitSettings, useSaveVisitSettings, useVisitSettings } from './visits.api.ts';

/** What the owner decides about the counting: bots, own visits, how much of an address is kept, and for how long. */
export function VisitSettings() {
	return (
		<Section title={m.visits_settings()} intro={m.visits_settings_intro()}>
			<SavedSettings query={useVisitSettings()} failed={m.visits_settings_failed()}>
				{(settings, lookAgain) => <SettingsForm settings={settings} lookAgain={lookAgain} />}
			</SavedSettings>
		</Section>
	);
}

interface SettingsFormProps {
	settings: SavedVisitSettings;
	lookAgain: () => Promise<SavedVisitSettings | undefined>;
}

function SettingsForm({ settings, lookAgain }: SettingsFormProps) {
	const { form, errors, refusal, isTyped, change, submit, isSaving } = useSettingsForm({
		saved: settings,
		lookAgain,
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
			<LeaveQuestion isUnsaved={isTyped} />
			{refusal?.isAtFields === false && <Notice tone="negative">{refusal.text}</Notice>}
			<Choice isOn={form.leavesOutBots} onChange={(leavesOutBots) => change({ leavesOutBots })}>
				{m.visits_settings_bots()}
			</Choice>
			<Choice isOn={form.leavesOutOwn} onChange={(leavesOutOwn) => change({ leavesOutOwn })}>
				{m.visits_settings_own()}
			</Choice>
			<Choice isOn={form.isShortened} onChange={(isShortened) => change({ isShortened })}>
				{m.visits_settings_short()}
				<span className={classes.hint}>{m.visits_settings_short_hint()}</span>
			</Choice>
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

interface ChoiceProps {
	isOn: boolean;
	onChange: (isOn: boolean) => void;
	children: ReactNode;
}

function Choice({ isOn, onChange, children }: ChoiceProps) {
	return (
		<label className={classes.choice}>
			<input type="checkbox" checked={isOn} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
			<span>{children}</span>
		</label>
	);
}
