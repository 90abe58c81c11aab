import { Box, Flex } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { shownInForm, useChange } from '#web/platform/api/use-change.ts';
import { toastSaved } from '#web/platform/browser/toasts.ts';
import { TextField } from '#web/ui/forms/field.tsx';
import { SettingsForm } from '#web/ui/forms/settings-form.tsx';
import { Section } from '#web/ui/layout/section.tsx';
import textClasses from '#web/ui/primitives/text.module.css';

const options = [
	{ field: 'leavesOutBots', label: m.visits_settings_bots, hint: undefined },
	{ field: 'leavesOutOwn', label: m.visits_settings_own, hint: undefined },
	{ field: 'isShortened', label: m.visits_settings_short, hint: m.visits_settings_short_hint },
] as const;

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
						{options.map(({ field, label, hint }) => (
							<Flex key={field} component="label" align="baseline" gap={10} py={4}>
								<input
									type="checkbox"
									style={{ transform: 'translateY(2px)' }}
									checked={form[field]}
									onChange={({ currentTarget }) => change({ [field]: currentTarget.checked })}
								/>
								<span>
									{label()}
									{hint !== undefined && (
										<Box component="span" display="block" className={textClasses.note}>
											{hint()}
										</Box>
									)}
								</span>
							</Flex>
						))}
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
