import { Box, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { toastError, toastSuccess } from '#web/platform/browser/toasts.ts';
import { usePreservedScreen } from '#web/platform/session/session.ts';
import { LoadedSettings } from '#web/ui/forms/loaded-settings.tsx';
import { useSettingsForm } from '#web/ui/forms/use-settings-form.ts';
import { useReturnFocus } from '#web/ui/hooks/focus.ts';
import { ConfirmDialog, Dialog } from '#web/ui/overlays/dialog.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import { Notice } from '#web/ui/states/notice.tsx';
import classes from './book-settings-dialog.module.css';
import { BookFields } from './book-settings-fields.tsx';
import { type BookSettings, findPriceErrors, toForm, toSaveInput } from './book-settings-form.ts';
import { EditionFields } from './edition-fields.tsx';
import { QrField } from './qr-field.tsx';

const dialogWidth = 640;

interface BookSettingsDialogProps {
	/** Whether the dialog opens at the files of the editions. */
	isAtEditions?: boolean;
	onClose: () => void;
}

export function BookSettingsDialog({ isAtEditions = false, onClose }: BookSettingsDialogProps) {
	// Called here, because the form's dialog replaces the loading dialog and would not know the earlier focus.
	useReturnFocus();
	// Not cached, so that the form starts with the current settings.
	const settings = useQuery(api.bookSettings.get.queryOptions({ gcTime: 0 }));
	if (settings.data !== undefined) {
		const refetch = async () => (await settings.refetch()).data;
		return <BookSettingsFormDialog {...{ isAtEditions, onClose, refetch }} settings={settings.data} />;
	}
	return (
		<Dialog onClose={onClose} title={m.orders_book_dashboard()} width={dialogWidth}>
			<LoadedSettings query={settings} failed={m.orders_settings_load_failed()}>
				{() => null}
			</LoadedSettings>
		</Dialog>
	);
}

interface BookSettingsFormDialogProps extends Required<BookSettingsDialogProps> {
	settings: BookSettings;
	refetch: () => Promise<BookSettings | undefined>;
}

function BookSettingsFormDialog({ settings, refetch, isAtEditions, onClose }: BookSettingsFormDialogProps) {
	const settingsForm = useSettingsForm({
		saved: settings,
		refetch,
		formOf: toForm,
		inputOf: (typed) => {
			const errors = findPriceErrors(typed);
			return Object.keys(errors).length > 0 ? { errors } : { input: toSaveInput(typed) };
		},
		save: useChange(client.bookSettings.save, {
			refetch: [api.bookSettings.key(), api.orders.key()],
			onSuccess: () => toastSuccess(m.orders_settings_saved()),
			onError: () => toastError(m.orders_settings_failed()),
		}),
		onSaved: onClose,
	});
	const { form, errors, saveError, remoteForm, isDirty, change, acceptOwnChange, submit, isSaving } = settingsForm;
	const [isLeaving, setLeaving] = useState(false);
	const fields = { form, errors, theirs: remoteForm, onChange: change };
	usePreservedScreen(isDirty);

	return (
		<>
			<Dialog
				// The Cancel button also calls this function.
				onClose={() => (isDirty ? setLeaving(true) : onClose())}
				title={m.orders_book_dashboard()}
				width={dialogWidth}
				onSubmit={submit}
				submitButton={{ label: isSaving ? m.orders_saving() : m.orders_save_changes(), isBusy: isSaving }}
			>
				<Stack gap={16}>
					{saveError?.isAtFields === false && <Notice tone="negative">{saveError.text}</Notice>}
					<BookFields {...fields} />
					<QrField
						initialUrl={settings.qrCodeUrl}
						hasUpiId={form['upi.id'].trim() !== ''}
						onUploaded={() => void acceptOwnChange()}
					/>
					<EditionFields settings={settings} isFocused={isAtEditions} {...fields} />
					<Box
						component="section"
						pt={20}
						style={{ borderTop: '1px solid var(--line)' }}
						aria-label={m.orders_settings_elsewhere()}
					>
						<p className={textClasses.note}>
							{m.orders_settings_elsewhere()}:{' '}
							<Link to="/admin/storefront" className={classes.link}>
								{m.orders_settings_storefront()}
							</Link>
						</p>
					</Box>
				</Stack>
			</Dialog>
			{isLeaving && (
				<ConfirmDialog
					onClose={() => setLeaving(false)}
					onConfirm={onClose}
					question={m.common_leave_question()}
					confirmLabel={m.common_leave()}
				/>
			)}
		</>
	);
}
