import { Textarea } from '@mantine/core';
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
import classes from './mail-page.module.css';

type SavedMailSettings = CallOutputs['mailSettings']['get'];

/** Whether the owner is mailed about new orders and unread messages, and the seller on receipts. */
export function MailSettings() {
	return (
		<LoadedSettings query={useMailSettings()} failed={m.mail_page_settings_failed()} title={m.mail_page_orders()}>
			{(settings, lookAgain) => <MailSettingsForm settings={settings} refetch={lookAgain} />}
		</LoadedSettings>
	);
}

interface MailSettingsFormProps {
	settings: SavedMailSettings;
	refetch: () => Promise<SavedMailSettings | undefined>;
}

function MailSettingsForm({ settings, refetch }: MailSettingsFormProps) {
	const {
		form,
		errors,
		saveError: refusal,
		isDirty: isTyped,
		change,
		submit,
		isSaving,
	} = useSettingsForm({
		saved: settings,
		refetch,
		formOf: ({ isOrderMailed, isChatMailed, orderMailTo, seller }) => ({
			isOrderMailed,
			isChatMailed,
			orderMailTo,
			seller,
		}),
		inputOf: (input) => ({ input }),
		save: useSaveMailSettings(),
	});

	return (
		<form onSubmit={submit} noValidate className={classes.form}>
			<UnsavedChangesGuard isUnsaved={isTyped} />
			<Section title={m.mail_page_orders()}>
				<div className={classes.rows}>
					<label className={classes.choice}>
						<input
							type="checkbox"
							checked={form.isOrderMailed}
							onChange={({ currentTarget }) => change({ isOrderMailed: currentTarget.checked })}
						/>
						<span>{m.mail_page_orders_on()}</span>
					</label>
					<label className={classes.choice}>
						<input
							type="checkbox"
							checked={form.isChatMailed}
							onChange={({ currentTarget }) => change({ isChatMailed: currentTarget.checked })}
						/>
						<span>{m.mail_page_chat_on()}</span>
					</label>
					<TextField
						label={m.mail_page_orders_to()}
						description={m.mail_page_orders_to_hint({ email: settings.firstAdmin })}
						type="email"
						value={form.orderMailTo}
						error={errors.orderMailTo}
						onChange={({ currentTarget }) => change({ orderMailTo: currentTarget.value })}
					/>
				</div>
			</Section>
			<Section title={m.mail_page_receipt()}>
				<div className={classes.rows}>
					<Textarea
						label={m.mail_page_seller()}
						description={m.mail_page_seller_hint()}
						classNames={{ input: classes.text }}
						rows={4}
						value={form.seller}
						error={fieldError(errors.seller)}
						onChange={({ currentTarget }) => change({ seller: currentTarget.value })}
					/>
					{refusal?.isAtFields === false && <Notice tone="negative">{refusal.text}</Notice>}
					<div>
						<Button type="submit" variant="primary" disabled={isSaving}>
							{isSaving ? m.mail_page_saving() : m.mail_page_save()}
						</Button>
					</div>
				</div>
			</Section>
		</form>
	);
}
