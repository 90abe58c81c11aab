import { Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { m } from '#messages';
import { usePreservedScreen } from '#web/platform/session/session.ts';
import { useSettingsForm } from '#web/ui/forms/use-settings-form.ts';
import { useReturnFocus } from '#web/ui/hooks/focus.ts';
import { ConfirmDialog, Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { FailedQuery } from '#web/ui/states/states.tsx';
import { useBookSettings, useSaveBookSettings } from './book-settings-api.ts';
import classes from './book-settings-dialog.module.css';
import { BankFields, BookFields, UpiFields } from './book-settings-fields.tsx';
import { type BookSettings, findPriceErrors, toForm, toFormErrors, toSaveInput } from './book-settings-form.ts';
import { EditionFields } from './edition-fields.tsx';
import { QrField } from './qr-field.tsx';

const dialogWidth = 640;

/** The Book Dashboard's settings modal. Mount it to open it. */
export function BookSettingsDialog({ onClose }: { onClose: () => void }) {
	// Called here because the dialog is rendered again when the settings have loaded.
	useReturnFocus();
	const settings = useBookSettings();
	if (settings.data !== undefined) {
		const refetch = async () => (await settings.refetch()).data;
		return <BookSettingsFormDialog settings={settings.data} refetch={refetch} onClose={onClose} />;
	}
	return (
		<Dialog isOpen onClose={onClose} title={m.orders_book_dashboard()} width={dialogWidth}>
			{settings.isError ? (
				<FailedQuery text={m.orders_settings_load_failed()} query={settings} />
			) : (
				<Stack gap={16} role="status" aria-label={m.common_loading()}>
					<Skeleton height="36px" />
					<Skeleton height="36px" />
					<Skeleton height="160px" />
				</Stack>
			)}
		</Dialog>
	);
}

interface BookSettingsFormDialogProps {
	settings: BookSettings;
	refetch: () => Promise<BookSettings | undefined>;
	onClose: () => void;
}

/** The form itself. If saving fails, the typed values are kept. */
function BookSettingsFormDialog({ settings, refetch, onClose }: BookSettingsFormDialogProps) {
	const settingsForm = useSettingsForm({
		saved: settings,
		refetch,
		formOf: toForm,
		fieldsOf: toFormErrors,
		inputOf: (typed) => {
			const errors = findPriceErrors(typed);
			return Object.keys(errors).length > 0 ? { errors } : { input: toSaveInput(typed) };
		},
		save: useSaveBookSettings(),
		onSaved: onClose,
	});
	const { form, errors, saveError, remoteForm, isDirty, change, acceptOwnChange, submit, isSaving } = settingsForm;
	const [isLeaving, setLeaving] = useState(false);
	const fields = { form, errors, theirs: remoteForm, onChange: change };
	const leave = () => (isDirty ? setLeaving(true) : onClose());
	usePreservedScreen(isDirty);

	return (
		<>
			<Dialog
				isOpen
				onClose={leave}
				title={m.orders_book_dashboard()}
				width={dialogWidth}
				onSubmit={submit}
				footer={
					<>
						<Button onClick={leave}>{m.common_cancel()}</Button>
						<Button type="submit" variant="primary" disabled={isSaving}>
							{isSaving ? m.orders_saving() : m.orders_save_changes()}
						</Button>
					</>
				}
			>
				<Stack gap={16}>
					{saveError?.isAtFields === false && <Notice tone="negative">{saveError.text}</Notice>}
					<BookFields {...fields} />
					<BankFields {...fields} />
					<UpiFields {...fields} />
					<QrField
						initialUrl={settings.qrCodeUrl}
						hasUpiId={settings.upi.id !== ''}
						onUploaded={() => void acceptOwnChange()}
					/>
					<EditionFields settings={settings} {...fields} />
					<section className={classes.group} aria-label={m.orders_settings_elsewhere()}>
						<p className={classes.hint}>
							{m.orders_settings_elsewhere()}:{' '}
							<Link to="/admin/storefront" className={classes.link}>
								{m.orders_settings_storefront()}
							</Link>
						</p>
					</section>
				</Stack>
			</Dialog>
			{isLeaving && (
				<ConfirmDialog
					isOpen
					onClose={() => setLeaving(false)}
					onConfirm={onClose}
					question={m.common_leave_question()}
					confirmLabel={m.common_leave()}
				/>
			)}
		</>
	);
}
