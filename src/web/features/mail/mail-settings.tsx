import { Group, Textarea } from '@mantine/core';
import { m } from '#messages';
import type { CallOutputs } from '#web/platform/api/client.ts';
import { fieldError, TextField } from '#web/ui/forms/field.tsx';
import { LoadedSettings } from '#web/ui/forms/loaded-settings.tsx';
import { UnsavedChangesGuard } from '#web/ui/forms/unsaved-changes-guard.tsx';
import { useSettingsForm } from '#web/ui/forms/use-settings-form.ts';
import { Section } from '#web/ui/layout/section.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import { useMailSettings, useSaveMailSettings } from './mail-api.ts';
import { MailRows } from './mail-status.tsx';

type SavedMailSettings = CallOutputs['mailSettings']['get'];

/** Form for the mails to the owner, and for the seller's name on receipts. */
export function MailSettings() {
	return (
		<LoadedSettings query={useMailSettings()} failed={m.mail_page_settings_failed()} title={m.mail_page_orders()}>
			{(settings, refetch) => <MailSettingsForm settings={settings} refetch={refetch} />}
		</LoadedSettings>
	);
}

interface MailSettingsFormProps {
	settings: SavedMailSettings;
	refetch: () => Promise<SavedMailSettings | undefined>;
}

function MailSettingsForm({ settings, refetch }: MailSettingsFormProps) {
	const { form, errors, saveError, isDirty, change, submit, isSaving } = useSettingsForm({
		saved: settings,
		refetch,
		formOf: ({ version: _version, firstAdmin: _firstAdmin, ...form }) => form,
		inputOf: (input) => ({ input }),
		save: useSaveMailSettings(),
	});

	return (
		<form onSubmit={submit} noValidate style={{ display: 'contents' }}>
			<UnsavedChangesGuard isUnsaved={isDirty} />
			<Section title={m.mail_page_orders()}>
				<MailRows>
					{(['isOrderMailed', 'isChatMailed'] as const).map((field) => (
						<Group key={field} component="label" gap={10} wrap="nowrap" mih="var(--touch)">
							<input
								type="checkbox"
								checked={form[field]}
								onChange={({ currentTarget }) => change({ [field]: currentTarget.checked })}
							/>
							<span>{field === 'isOrderMailed' ? m.mail_page_orders_on() : m.mail_page_chat_on()}</span>
						</Group>
					))}
					<TextField
						label={m.mail_page_orders_to()}
						description={m.mail_page_orders_to_hint({ email: settings.firstAdmin })}
						type="email"
						value={form.orderMailTo}
						error={errors.orderMailTo}
						onChange={({ currentTarget }) => change({ orderMailTo: currentTarget.value })}
					/>
				</MailRows>
			</Section>
			<Section title={m.mail_page_receipt()}>
				<MailRows>
					<Textarea
						label={m.mail_page_seller()}
						description={m.mail_page_seller_hint()}
						// Mantine gives every input the height of a line.
						styles={{ input: { height: 'auto', paddingBlock: 8, lineHeight: 1.5, resize: 'vertical' } }}
						rows={4}
						value={form.seller}
						error={fieldError(errors.seller)}
						onChange={({ currentTarget }) => change({ seller: currentTarget.value })}
					/>
					{saveError?.isAtFields === false && <Notice tone="negative">{saveError.text}</Notice>}
					<div>
						<Button type="submit" variant="primary" disabled={isSaving}>
							{isSaving ? m.mail_page_saving() : m.mail_page_save()}
						</Button>
					</div>
				</MailRows>
			</Section>
		</form>
	);
}
