import { Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { m } from '#messages';
import type { CallOutputs } from '#web/platform/api.ts';
import { describeFailure } from '#web/platform/failure.ts';
import { Button } from '#web/ui/button.tsx';
import { FailedQuery } from '#web/ui/faces.tsx';
import { fieldError, TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Section } from '#web/ui/section.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useMailSettings, useSaveMailSettings } from './mail.api.ts';
import classes from './mail-page.module.css';

type Settings = CallOutputs['mailSettings']['get'];

/** Whether the owner hears of new orders, and who stands on receipts as the seller. */
export function MailSettings() {
	const settings = useMailSettings();
	if (settings.data !== undefined)
		return <SettingsForm settings={settings.data} lookAgain={async () => (await settings.refetch()).data} />;
	return (
		<Section title={m.mail_page_orders()}>
			{settings.isError ? (
				<FailedQuery text={m.mail_page_settings_failed()} query={settings} />
			) : (
				<Skeleton height="120px" />
			)}
		</Section>
	);
}

interface SettingsFormProps {
	settings: Settings;
	lookAgain: () => Promise<Settings | undefined>;
}

function SettingsForm({ settings, lookAgain }: SettingsFormProps) {
	const [draft, setDraft] = useState<Settings>();
	const save = useSaveMailSettings();
	const form = draft ?? settings;
	const failure = save.error === null ? undefined : describeFailure(save.error);
	const change = (changes: Partial<Settings>) => setDraft({ ...form, ...changes });

	function submit(event: FormEvent): void {
		event.preventDefault();
		const { isOrderMailed, orderMailTo, seller, version } = form;
		save.mutate(
			{ isOrderMailed, orderMailTo, seller, version },
			{
				onSuccess: () => void lookAgain().then(() => setDraft(undefined)),
				onError: async (error) => {
					if (describeFailure(error).code !== 'STALE') return;
					// Having been told, the next save is meant.
					const now = await lookAgain();
					if (now !== undefined) setDraft({ ...form, version: now.version });
				},
			},
		);
	}

	return (
		<form onSubmit={submit} noValidate className={classes.form}>
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
					<TextField
						label={m.mail_page_orders_to()}
						description={m.mail_page_orders_to_hint({ email: settings.firstAdmin })}
						type="email"
						value={form.orderMailTo}
						error={failure?.fields.orderMailTo}
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
						error={fieldError(failure?.fields.seller)}
						onChange={({ currentTarget }) => change({ seller: currentTarget.value })}
					/>
					{failure !== undefined && Object.keys(failure.fields).length === 0 && (
						<Notice tone="negative">{failure.message}</Notice>
					)}
					<div>
						<Button type="submit" variant="primary" disabled={save.isPending}>
							{save.isPending ? m.mail_page_saving() : m.mail_page_save()}
						</Button>
					</div>
				</div>
			</Section>
		</form>
	);
}
