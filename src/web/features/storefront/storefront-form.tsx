import { Link } from '@tanstack/react-router';
import { m } from '#messages';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { LeaveQuestion } from '#web/ui/leave-question.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SavedSettings } from '#web/ui/saved-settings.tsx';
import { Section } from '#web/ui/section.tsx';
import { useSettingsForm } from '#web/ui/use-settings-form.ts';
import { useSaveStorefront, useStorefront } from './storefront.api.ts';
import { type Saved, type StorefrontFieldsProps, theirsBeside } from './storefront-fields.ts';
import classes from './storefront-form.module.css';
import { LegalFields } from './storefront-legal.tsx';
import { LinkFields } from './storefront-links.tsx';

/** Everything that visitors see beside the book: links and fine print. */
export function StorefrontForm() {
	return (
		<SavedSettings query={useStorefront()} failed={m.storefront_load_failed()} title={m.storefront_links()}>
			{(saved, lookAgain) => <Fields saved={saved} lookAgain={lookAgain} />}
		</SavedSettings>
	);
}

interface FieldsProps {
	saved: Saved;
	lookAgain: () => Promise<Saved | undefined>;
}

function Fields({ saved, lookAgain }: FieldsProps) {
	const { form, errors, theirs, refusal, isTyped, change, submit, isSaving } = useSettingsForm({
		saved,
		lookAgain,
		formOf: ({ version: _version, ...form }) => form,
		inputOf: (input) => ({ input }),
		save: useSaveStorefront(),
	});
	const fields: StorefrontFieldsProps = { form, errors, theirs, onChange: change };

	return (
		<form className={classes.form} onSubmit={submit} noValidate>
			<LeaveQuestion isUnsaved={isTyped} />
			<Section title={m.storefront_links()} intro={m.storefront_links_intro()}>
				<LinkFields {...fields} />
			</Section>
			<Section title={m.storefront_contact()}>
				<div className={classes.fields}>
					<ChatField {...fields} />
					<p className={classes.hint}>{m.storefront_info_hint()}</p>
					<Link to="/admin/contact" className={classes.see}>
						{m.screen_admin_contact()}
					</Link>
				</div>
			</Section>
			<Section title={m.storefront_legal()} intro={m.storefront_legal_intro()}>
				<LegalFields {...fields} />
			</Section>
			{refusal !== undefined && <Notice tone="negative">{refusal.text}</Notice>}
			<div>
				<Button type="submit" variant="primary" disabled={isSaving}>
					{isSaving ? m.storefront_saving() : m.storefront_save()}
				</Button>
			</div>
		</form>
	);
}

function ChatField({ form, errors, theirs, onChange }: StorefrontFieldsProps) {
	return (
		<TextField
			label={m.storefront_chat()}
			description={theirsBeside(form.chatUrl, theirs?.chatUrl) ?? m.storefront_chat_hint()}
			name="chatUrl"
			autoComplete="off"
			value={form.chatUrl}
			error={errors.chatUrl}
			onChange={({ currentTarget }) => onChange({ chatUrl: currentTarget.value })}
		/>
	);
}
