import { m } from '#messages';
import { TextField } from '#web/ui/forms/field.tsx';
import classes from './book-settings-dialog.module.css';
import {
	type BookSettingsErrors,
	type BookSettingsField,
	type BookSettingsForm,
	findWarning,
} from './book-settings-form.ts';

export interface BookSettingsFieldsProps {
	form: BookSettingsForm;
	errors: BookSettingsErrors;
	/** Values that another admin has saved meanwhile; shown beside the fields that differ. */
	theirs: BookSettingsForm | undefined;
	onChange: (patch: Partial<BookSettingsForm>) => void;
}

function SettingsTextField(
	props: BookSettingsFieldsProps & { field: BookSettingsField; label: string; isPrice?: boolean },
) {
	const { form, errors, theirs, onChange, field, label, isPrice = false } = props;
	const warning = findWarning(form, field);
	const remoteValue = theirs === undefined || theirs[field] === form[field] ? undefined : theirs[field];
	return (
		<TextField
			label={label}
			description={
				remoteValue === undefined
					? warning
					: [m.orders_now({ value: remoteValue }), warning].filter(Boolean).join(' · ')
			}
			name={field}
			autoComplete="off"
			{...(isPrice ? { type: 'number', inputMode: 'decimal', min: 0, step: 0.01, leftSection: '₹' } : {})}
			value={form[field]}
			error={errors[field]}
			onChange={(event) => onChange({ [field]: event.currentTarget.value })}
		/>
	);
}

export function BookFields(props: BookSettingsFieldsProps) {
	return (
		<>
			<SettingsTextField {...props} field="title" label={m.orders_book_title()} />
			<div className={classes.pair}>
				<SettingsTextField {...props} field="originalPrice" label={m.orders_original_price()} isPrice />
				<SettingsTextField {...props} field="discountedPrice" label={m.orders_discounted_price()} isPrice />
			</div>
		</>
	);
}

export function BankFields(props: BookSettingsFieldsProps) {
	return (
		<fieldset className={classes.group}>
			<legend>{m.orders_bank()}</legend>
			<div className={classes.pair}>
				<SettingsTextField {...props} field="bankName" label={m.orders_bank_name()} />
				<SettingsTextField {...props} field="accountNumber" label={m.orders_account_number()} />
				<SettingsTextField {...props} field="ifsc" label={m.orders_ifsc()} />
				<SettingsTextField {...props} field="accountHolder" label={m.orders_account_holder()} />
			</div>
		</fieldset>
	);
}

/** The UPI account that the generated QR code and the pay button use. */
export function UpiFields(props: BookSettingsFieldsProps) {
	return (
		<fieldset className={classes.group}>
			<legend>{m.orders_upi()}</legend>
			<p className={classes.hint}>{m.orders_upi_hint()}</p>
			<div className={classes.pair}>
				<SettingsTextField {...props} field="upiId" label={m.orders_upi_id()} />
				<SettingsTextField {...props} field="payeeName" label={m.orders_payee_name()} />
			</div>
		</fieldset>
	);
}
