import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { m } from '#messages';
import { useScreenHold } from '#web/platform/use-screen-hold.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog, Dialog } from '#web/ui/dialog.tsx';
import { FailedQuery } from '#web/ui/faces.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useFocusBack } from '#web/ui/use-focus-back.ts';
import { useSettingsForm } from '#web/ui/use-settings-form.ts';
import { useBookSettings, useSaveSettings } from './settings.api.ts';
import classes from './settings-dialog.module.css';
import { EditionFields } from './settings-editions.tsx';
import { BankFields, BookFields, UpiFields } from './settings-fields.tsx';
import { errorsOf, findPriceErrors, formOf, inputOf, type Settings, type SettingsForm } from './settings-form.ts';
import { QrField } from './settings-qr.tsx';

const width = 640;

/** The Book Dashboard's settings modal. Mount it to open it. */
export function SettingsDialog({ onClose }: { onClose: () => void }) {
	// Here, because the dialog is drawn anew when the settings have come.
	useFocusBack();
	const settings = useBookSettings();
	if (settings.data !== undefined) {
		const look = async () => (await settings.refetch()).data;
		return <SettingsFormDialog settings={settings.data} lookAgain={look} onClose={onClose} />;
	}
	return (
		<Dialog isOpen onClose={onClose} title={m.orders_book_dashboard()} width={width}>
			{settings.isError ? (
				<FailedQuery text={m.orders_settings_load_failed()} query={settings} />
			) : (
				<div className={classes.fields} role="status" aria-label={m.common_loading()}>
					<Skeleton height="36px" />
					<Skeleton height="36px" />
					<Skeleton height="160px" />
				</div>
			)}
		</Dialog>
	);
}

interface SettingsFormDialogProps {
	settings: Settings;
	/** Asks for the settings as they stand now. */
	lookAgain: () => Promise<Settings | undefined>;
	onClose: () => void;
}

/** The form proper. A refused save keeps what was typed. */
function SettingsFormDialog({ settings, lookAgain, onClose }: SettingsFormDialogProps) {
	const save = useSaveSettings();
	const settingsForm = useSettingsForm<Settings, SettingsForm, ReturnType<typeof inputOf>>({
		saved: settings,
		lookAgain,
		formOf,
		fieldsOf: errorsOf,
		inputOf: (typed) => {
			const errors = findPriceErrors(typed);
			return Object.keys(errors).length > 0 ? { errors } : { input: inputOf(typed) };
		},
		save,
		onSaved: onClose,
	});
	const { form, errors, refusal, theirs, isTyped, change, noticeOwnChange, submit, isSaving } = settingsForm;
	const [isLeaving, setLeaving] = useState(false);
	const fields = { form, errors, theirs, onChange: change };
	const leave = () => (isTyped ? setLeaving(true) : onClose());
	useScreenHold(isTyped);

	return (
		<>
			<Dialog
				isOpen
				onClose={leave}
				title={m.orders_book_dashboard()}
				width={width}
				onSubmit={submit}
				foot={
					<>
						<Button onClick={leave}>{m.common_cancel()}</Button>
						<Button type="submit" variant="primary" disabled={isSaving}>
							{isSaving ? m.orders_saving() : m.orders_save_changes()}
						</Button>
					</>
				}
			>
				<div className={classes.fields}>
					{refusal?.isAtFields === false && <Notice tone="negative">{refusal.text}</Notice>}
					<BookFields {...fields} />
					<BankFields {...fields} />
					<UpiFields {...fields} />
					<QrField
						initialUrl={settings.qrCodeUrl}
						hasUpiId={settings.upi.id !== ''}
						onUploaded={() => void noticeOwnChange()}
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
				</div>
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
