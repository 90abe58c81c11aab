import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { m } from '#messages';
import { describeFailure } from '#web/platform/failure.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog, Dialog } from '#web/ui/dialog.tsx';
import { FailedQuery } from '#web/ui/faces.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { takeOver } from '#web/ui/take-over.ts';
import { useFocusBack } from '#web/ui/use-focus-back.ts';
import { useBookSettings, useSaveSettings } from './settings.api.ts';
import classes from './settings-dialog.module.css';
import { EditionFields } from './settings-editions.tsx';
import { BankFields, BookFields, UpiFields } from './settings-fields.tsx';
import {
	errorsOf,
	findPriceErrors,
	formOf,
	inputOf,
	type Settings,
	type SettingsErrors,
	type SettingsForm,
} from './settings-form.ts';
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

/** The form proper: opened with what stood then; a refused save keeps what was typed. */
function SettingsFormDialog({ settings, lookAgain, onClose }: SettingsFormDialogProps) {
	const save = useSaveSettings();
	const [form, setForm] = useState(() => formOf(settings));
	/** What the form was opened with, or what others saved since. */
	const [base, setBase] = useState(form);
	const [theirs, setTheirs] = useState<SettingsForm>();
	const [version, setVersion] = useState(settings.version);
	const [errors, setErrors] = useState<SettingsErrors>({});
	const [isTouched, setTouched] = useState(false);
	const [refusal, setRefusal] = useState<string>();
	const [isLeaving, setLeaving] = useState(false);

	const change = (patch: Partial<SettingsForm>) => {
		setForm({ ...form, ...patch });
		setErrors(Object.fromEntries(Object.entries(errors).filter(([field]) => !(field in patch))));
		setTouched(true);
	};
	const hearRefusal = async (error: Error) => {
		const failure = describeFailure(error);
		const found = errorsOf(failure.fields);
		setErrors(found);
		setRefusal(Object.keys(found).length === 0 ? failure.message : undefined);
		if (failure.code !== 'STALE') return;
		// Having seen what stands there now, the next save is meant; what was not touched is no wish to change it back.
		const now = await lookAgain();
		if (now === undefined) return;
		const saved = formOf(now);
		setForm((typed) => takeOver(base, typed, saved));
		setBase(saved);
		setTheirs(saved);
		setVersion(now.version);
	};
	const submit = (event: FormEvent) => {
		event.preventDefault();
		const priceErrors = findPriceErrors(form);
		setErrors(priceErrors);
		setRefusal(undefined);
		if (Object.keys(priceErrors).length > 0) return;
		save.mutate(inputOf(form, version), { onSuccess: onClose, onError: (error) => void hearRefusal(error) });
	};
	const noticeOwnUpload = async () => {
		const now = await lookAgain();
		// The upload raised the version by one; by more, and somebody else saved too, which the next save shall hear.
		if (now?.version === version + 1) setVersion(now.version);
	};
	const fields = { form, errors, theirs, onChange: change };
	const leave = () => (isTouched ? setLeaving(true) : onClose());

	return (
		<>
			<Dialog
				isOpen
				onClose={leave}
				title={m.orders_book_dashboard()}
				width={width}
				onSubmit={submit}
				// The question above it is answered first.
				isDismissible={!isLeaving}
				foot={
					<>
						<Button onClick={leave}>{m.common_cancel()}</Button>
						<Button type="submit" variant="primary" disabled={save.isPending}>
							{save.isPending ? m.orders_saving() : m.orders_save_changes()}
						</Button>
					</>
				}
			>
				<div className={classes.fields}>
					{refusal !== undefined && <Notice tone="negative">{refusal}</Notice>}
					<BookFields {...fields} />
					<BankFields {...fields} />
					<UpiFields {...fields} />
					<QrField initialUrl={settings.qrCodeUrl} onUploaded={() => void noticeOwnUpload()} />
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
			{/* Mounted late: the Escape that asks must not be heard as the answer. */}
			{isLeaving && (
				<ConfirmDialog
					isOpen
					onClose={() => setLeaving(false)}
					onConfirm={onClose}
					question={m.orders_leave_question()}
					confirmLabel={m.orders_leave()}
				/>
			)}
		</>
	);
}
