import { Stack, Text } from '@mantine/core';
import { m } from '#messages';
import { api, type CallOutputs, client } from '#web/platform/api/client.ts';
import { shownInForm, useChange } from '#web/platform/api/use-change.ts';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { TextField } from '#web/ui/forms/field.tsx';
import { LoadedSettings } from '#web/ui/forms/loaded-settings.tsx';
import { useSettingsForm } from '#web/ui/forms/use-settings-form.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import { useContactInfo } from './contact-info.tsx';

type SavedContactInfo = CallOutputs['contactInfo']['get'];

export function ContactInfoDialog({ onClose }: { onClose: () => void }) {
	const query = useContactInfo();
	if (query.data !== undefined) {
		return <ContactInfoForm saved={query.data} refetch={async () => (await query.refetch()).data} onClose={onClose} />;
	}
	return (
		<Dialog onClose={onClose} title={m.chat_contact()}>
			<LoadedSettings query={query} failed={m.chat_contact_failed()}>
				{() => null}
			</LoadedSettings>
		</Dialog>
	);
}

interface ContactInfoFormProps {
	saved: SavedContactInfo;
	refetch: () => Promise<SavedContactInfo | undefined>;
	onClose: () => void;
}

function ContactInfoForm({ saved, refetch, onClose }: ContactInfoFormProps) {
	const { form, errors, saveError, isDirty, change, submit, isSaving } = useSettingsForm({
		saved,
		refetch,
		formOf: ({ email, phone }) => ({ email, phone }),
		inputOf: (input) => ({ input }),
		save: useChange(client.contactInfo.save, {
			refetch: [api.contactInfo.key()],
			onSuccess: () => toastSuccess(m.chat_contact_saved()),
			onError: shownInForm,
		}),
		onSaved: onClose,
	});
	return (
		<Dialog
			onClose={onClose}
			title={m.chat_contact()}
			isDirty={isDirty}
			onSubmit={submit}
			footer={
				<Button type="submit" variant="primary" disabled={isSaving}>
					{isSaving ? m.chat_contact_saving() : m.chat_contact_save()}
				</Button>
			}
		>
			<Stack gap={12}>
				<Text c="var(--ink-2)">{m.chat_contact_intro()}</Text>
				{saveError?.isAtFields === false && <Notice tone="negative">{saveError.text}</Notice>}
				<TextField
					label={m.chat_contact_email()}
					type="email"
					value={form.email}
					error={errors.email}
					onChange={({ currentTarget }) => change({ email: currentTarget.value })}
					data-autofocus
				/>
				<TextField
					label={m.chat_contact_phone()}
					type="tel"
					value={form.phone}
					error={errors.phone}
					onChange={({ currentTarget }) => change({ phone: currentTarget.value })}
				/>
			</Stack>
		</Dialog>
	);
}
