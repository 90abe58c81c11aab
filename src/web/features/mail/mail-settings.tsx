import { Group, Stack, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { shownInForm, useChange } from '#web/platform/api/use-change.ts';
import { toastSaved } from '#web/platform/browser/toasts.ts';
import { fieldError, TextField } from '#web/ui/forms/field.tsx';
import { SettingsForm } from '#web/ui/forms/settings-form.tsx';
import { Section } from '#web/ui/layout/section.tsx';
import { MailRows } from './mail-status.tsx';

/** Settings for the mails about orders and chat messages, and for the seller's details on receipts. */
export function MailSettings() {
	const save = useChange(client.mailSettings.save, {
		refetch: [api.mailSettings.get.key()],
		onSuccess: () => toastSaved(m.mail_page_saved()),
		onError: shownInForm,
	});
	return (
		<SettingsForm
			query={useQuery(api.mailSettings.get.queryOptions({ staleTime: 0 }))}
			failed={m.mail_page_settings_failed()}
			title={m.mail_page_orders()}
			labels={{ save: m.mail_page_save(), saving: m.mail_page_saving() }}
			formOf={({ version: _version, firstAdmin: _firstAdmin, ...form }) => form}
			inputOf={(input) => ({ input })}
			save={save}
		>
			{({ form, errors, change }, footer, saved) => (
				<Stack gap={16}>
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
								description={m.mail_page_orders_to_hint({ email: saved.firstAdmin })}
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
								rows={4}
								value={form.seller}
								error={fieldError(errors.seller)}
								onChange={({ currentTarget }) => change({ seller: currentTarget.value })}
							/>
							{footer}
						</MailRows>
					</Section>
				</Stack>
			)}
		</SettingsForm>
	);
}
