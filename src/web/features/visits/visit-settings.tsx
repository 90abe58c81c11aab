import { type FormEvent, type ReactNode, useState } from 'react';
import { m } from '#messages';
import { describeFailure } from '#web/platform/failure.ts';
import { Button } from '#web/ui/button.tsx';
import { FailedQuery } from '#web/ui/faces.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Section } from '#web/ui/section.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import classes from './visit-settings.module.css';
import { type SavedVisitSettings, useSaveVisitSettings, useVisitSettings } from './visits.api.ts';

/** What the owner decides about the counting: bots, own visits, how much of an address is kept, and for how long. */
export function VisitSettings() {
	const settings = useVisitSettings();
	return (
		<Section title={m.visits_settings()} intro={m.visits_settings_intro()}>
			{settings.data !== undefined ? (
				<SettingsForm settings={settings.data} lookAgain={async () => (await settings.refetch()).data} />
			) : settings.isError ? (
				<FailedQuery text={m.visits_settings_failed()} query={settings} />
			) : (
				<div className={classes.fields} role="status" aria-label={m.common_loading()}>
					<Skeleton height="36px" />
					<Skeleton height="36px" />
					<Skeleton height="56px" />
				</div>
			)}
		</Section>
	);
}

interface Draft extends Omit<SavedVisitSettings, 'keptDays'> {
	/** As it is typed. */
	keptDays: string;
}

interface SettingsFormProps {
	settings: SavedVisitSettings;
	lookAgain: () => Promise<SavedVisitSettings | undefined>;
}

/** What somebody else saved stands there at once, unless one is typing: a save tells then. */
function SettingsForm({ settings, lookAgain }: SettingsFormProps) {
	const [draft, setDraft] = useState<Draft>();
	const [daysError, setDaysError] = useState<string>();
	const [refusal, setRefusal] = useState<string>();
	const save = useSaveVisitSettings();
	const form = draft ?? { ...settings, keptDays: settings.keptDays === null ? '' : String(settings.keptDays) };
	const change = (patch: Partial<Draft>) => setDraft({ ...form, ...patch });

	const hearRefusal = async (error: Error) => {
		const failure = describeFailure(error);
		if (failure.fields.keptDays !== undefined) return setDaysError(failure.fields.keptDays);
		setRefusal(failure.message);
		if (failure.code !== 'STALE') return;
		// Having been told, the next save is meant.
		const now = await lookAgain();
		if (now !== undefined) setDraft({ ...form, version: now.version });
	};
	function submit(event: FormEvent): void {
		event.preventDefault();
		setRefusal(undefined);
		const days = form.keptDays.trim();
		if (!/^\d{0,9}$/u.test(days)) {
			setDaysError(m.error_visit_days());
			return;
		}
		save.mutate(
			{ ...form, keptDays: days === '' ? null : Number(days) },
			{
				onSuccess: () => void lookAgain().then(() => setDraft(undefined)),
				onError: (error) => void hearRefusal(error),
			},
		);
	}

	return (
		<form className={classes.fields} onSubmit={submit} noValidate>
			{refusal !== undefined && <Notice tone="negative">{refusal}</Notice>}
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
				error={daysError}
				onChange={({ currentTarget }) => {
					setDaysError(undefined);
					change({ keptDays: currentTarget.value });
				}}
			/>
			<div>
				<Button type="submit" variant="primary" disabled={save.isPending}>
					{save.isPending ? m.visits_settings_saving() : m.visits_settings_save()}
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
