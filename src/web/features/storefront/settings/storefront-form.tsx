import { Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { m } from '#messages';
import { TextField } from '#web/ui/forms/field.tsx';
import { LoadedSettings } from '#web/ui/forms/loaded-settings.tsx';
import { UnsavedChangesGuard } from '#web/ui/forms/unsaved-changes-guard.tsx';
import { useSettingsForm } from '#web/ui/forms/use-settings-form.ts';
import { Section } from '#web/ui/layout/section.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import classes from '../storefront.module.css';
import { LegalFields } from './legal-fields.tsx';
import { LinkFields } from './link-fields.tsx';
import {
	remoteValueText,
	type SavedStorefront,
	type StorefrontFieldsProps,
	useSaveStorefrontSettings,
	useStorefrontSettings,
} from './storefront-settings-api.ts';

/** Everything that visitors see beside the book: links and fine print. */
export function StorefrontForm() {
	return (
		<LoadedSettings query={useStorefrontSettings()} failed={m.storefront_load_failed()} title={m.storefront_links()}>
			{(saved, refetch) => <StorefrontFormFields saved={saved} refetch={refetch} />}
		</LoadedSettings>
	);
}

interface StorefrontFormFieldsProps {
	saved: SavedStorefront;
	refetch: () => Promise<SavedStorefront | undefined>;
}

function StorefrontFormFields({ saved, refetch }: StorefrontFormFieldsProps) {
	const { form, errors, remoteForm, saveError, isDirty, change, submit, isSaving } = useSettingsForm({
		saved,
		refetch,
		formOf: ({ version: _version, ...form }) => form,
		inputOf: (input) => ({ input }),
		save: useSaveStorefrontSettings(),
	});
	const fields: StorefrontFieldsProps = { form, errors, theirs: remoteForm, onChange: change };

	return (
		<form className={classes.form} onSubmit={submit} noValidate>
			<UnsavedChangesGuard isUnsaved={isDirty} />
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
					<p className={classes.hint}>{m.storefront_info_hint()}</p>
					<Link to="/admin/contact" className={classes.pageLink}>
						{m.screen_admin_contact()}
					</Link>
				</Stack>
			</Section>
			<Section title={m.storefront_legal()} intro={m.storefront_legal_intro()}>
				<LegalFields {...fields} />
			</Section>
			{saveError !== undefined && <Notice tone="negative">{saveError.text}</Notice>}
			<div>
				<Button type="submit" variant="primary" disabled={isSaving}>
					{isSaving ? m.storefront_saving() : m.storefront_save()}
				</Button>
			</div>
		</form>
	);
}
