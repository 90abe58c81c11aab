import { m } from '#messages';
import type { CallOutputs } from '#web/platform/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SavedSettings } from '#web/ui/saved-settings.tsx';
import { useSettingsForm } from '#web/ui/use-settings-form.ts';
import { useContactInfo, useSaveContactInfo } from './chat.api.ts';
import classes from './contact-info.module.css';

type Saved = CallOutputs['contactInfo']['get'];

/** Email and phone as members see them beside the chat. Mount it to open it. */
export function ContactInfoDialog({ onClose }: { onClose: () => void }) {
	const query = useContactInfo();
	if (query.data !== undefined) {
		return <ContactForm saved={query.data} lookAgain={async () => (await query.refetch()).data} onClose={onClose} />;
	}
	return (
		<Dialog isOpen onClose={onClose} title={m.chat_contact()}>
			<SavedSettings query={query} failed={m.chat_contact_failed()}>
				{() => null}
			</SavedSettings>
		</Dialog>
	);
}

interface ContactFormProps {
	saved: Saved;
	lookAgain: () => Promise<Saved | undefined>;
	onClose: () => void;
}

function ContactForm({ saved, lookAgain, onClose }: ContactFormProps) {
	const { form, errors, refusal, isTyped, change, submit, isSaving } = useSettingsForm({
		saved,
		lookAgain,
		formOf: ({ email, phone }) => ({ email, phone }),
		inputOf: (input) => ({ input }),
		save: useSaveContactInfo(),
		onSaved: onClose,
	});
	return (
		<Dialog
			isOpen
			onClose={onClose}
			title={m.chat_contact()}
			isTyped={isTyped}
			onSubmit={submit}
			foot={
				<Button type="submit" variant="primary" disabled={isSaving}>
					{isSaving ? m.chat_contact_saving() : m.chat_contact_save()}
				</Button>
			}
		>
			<div className={classes.form}>
				<p className={classes.intro}>{m.chat_contact_intro()}</p>
				{refusal?.isAtFields === false && <Notice tone="negative">{refusal.text}</Notice>}
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
			</div>
		</Dialog>
	);
}
