import { Box, Flex } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { shownInForm, useChange } from '#web/platform/api/use-change.ts';
import { toastSaved } from '#web/platform/browser/toasts.ts';
import { TextField } from '#web/ui/forms/field.tsx';
import { SettingsForm } from '#web/ui/forms/settings-form.tsx';
import { Section } from '#web/ui/layout/section.tsx';
import textClasses from '#web/ui/primitives/text.module.css';

export function VisitSettings() {
	const save = useChange(client.visits.saveSettings, {
		refetch: [api.visits.key()],
		onSuccess: () => toastSaved(m.visits_settings_saved()),
		onError: shownInForm,
	});
	return (
		<Section title={m.visits_settings()} intro={m.visits_settings_intro()}>
			<SettingsForm
				layout={{ gap: 12, maw: 640 }}
				query={useQuery(api.visits.getSettings.queryOptions())}
				failed={m.visits_settings_failed()}
				labels={{ save: m.visits_settings_save(), saving: m.visits_settings_saving() }}
				formOf={({ version: _version, keptDays, ...choices }) => {
					return { ...choices, keptDays: keptDays === null ? '' : String(keptDays) };
				}}
				inputOf={({ keptDays, ...choices }) => {
					const days = keptDays.trim();
					if (!/^\d{0,9}$/u.test(days)) return { errors: { keptDays: m.error_visit_days() } };
					return { input: { ...choices, keptDays: days === '' ? null : Number(days) } };
				}}
				save={save}
			>
				{({ form, errors, change }, footer) => (
					<>
						<CheckboxOption isOn={form.leavesOutBots} onChange={(leavesOutBots) => change({ leavesOutBots })}>
							{m.visits_settings_bots()}
						</CheckboxOption>
						<CheckboxOption isOn={form.leavesOutOwn} onChange={(leavesOutOwn) => change({ leavesOutOwn })}>
							{m.visits_settings_own()}
						</CheckboxOption>
						<CheckboxOption isOn={form.isShortened} onChange={(isShortened) => change({ isShortened })}>
							{m.visits_settings_short()}
							<Box component="span" display="block" className={textClasses.note}>
								{m.visits_settings_short_hint()}
							</Box>
						</CheckboxOption>
						<TextField
							label={m.visits_settings_days()}
							description={m.visits_settings_days_hint()}
							inputMode="numeric"
							value={form.keptDays}
							error={errors.keptDays}
							onChange={({ currentTarget }) => change({ keptDays: currentTarget.value })}
						/>
						{footer}
					</>
				)}
			</SettingsForm>
		</Section>
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
				style={{ transform: 'translateY(2px)' }}
				checked={isOn}
				onChange={({ currentTarget }) => onChange(currentTarget.checked)}
			/>
			<span>{children}</span>
		</Flex>
	);
}
