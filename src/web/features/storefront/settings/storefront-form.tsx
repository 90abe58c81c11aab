import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { shownInForm, useChange } from '#web/platform/api/use-change.ts';
import { toastSaved } from '#web/platform/browser/toasts.ts';
import { TextField } from '#web/ui/forms/field.tsx';
import { SettingsForm } from '#web/ui/forms/settings-form.tsx';
import { Section } from '#web/ui/layout/section.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import classes from '../storefront.module.css';
import { LegalFields, remoteValueText, type StorefrontFieldsProps } from './legal-fields.tsx';
import { LinkFields } from './link-fields.tsx';

export function StorefrontForm() {
	const save = useChange(client.storefrontSettings.save, {
		refetch: [api.storefrontSettings.key()],
		onSuccess: () => toastSaved(m.storefront_saved()),
		onError: shownInForm,
	});
	return (
		<SettingsForm
			query={useQuery(api.storefrontSettings.get.queryOptions({ staleTime: 0 }))}
			failed={m.storefront_load_failed()}
			title={m.storefront_links()}
			labels={{ save: m.storefront_save(), saving: m.storefront_saving() }}
			isLong
			formOf={({ version: _version, ...form }) => form}
			inputOf={(input) => ({ input })}
			save={save}
		>
			{({ form, errors, remoteForm, change }, footer) => {
				const fields: StorefrontFieldsProps = { form, errors, remoteForm, onChange: change };
				return (
					<>
						<Section title={m.storefront_links()} intro={m.storefront_links_intro()}>
							<LinkFields {...fields} />
						</Section>
						<Section title={m.storefront_contact()}>
							<Stack gap={16}>
								<TextField
									label={m.storefront_chat()}
									description={remoteValueText(form.chatUrl, remoteForm?.chatUrl) ?? m.storefront_chat_hint()}
									name="chatUrl"
									autoComplete="off"
									value={form.chatUrl}
									error={errors.chatUrl}
									onChange={({ currentTarget }) => change({ chatUrl: currentTarget.value })}
								/>
								<p className={textClasses.note}>{m.storefront_info_hint()}</p>
								<Link to="/admin/contact" className={classes.pageLink}>
									{m.screen_admin_contact()}
								</Link>
							</Stack>
						</Section>
						<Section title={m.storefront_legal()} intro={m.storefront_legal_intro()}>
							<LegalFields {...fields} />
						</Section>
						{footer}
					</>
				);
			}}
		</SettingsForm>
	);
}
