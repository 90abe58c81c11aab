import { m } from '#messages';
import { TextField } from '#web/ui/field.tsx';
import classes from './settings-dialog.module.css';
import { oddityOf, type SettingsErrors, type SettingsField, type SettingsForm } from './settings-form.ts';

/** What a group of fields is given. */
export interface SettingsFieldsProps {
	form: SettingsForm;
	errors: SettingsErrors;
	/** What somebody else saved meanwhile: shown beside the fields that differ. */
	theirs: SettingsForm | undefined;
	onChange: (patch: Partial<SettingsForm>) => void;
}

/** One text of the settings. */
function SettingsTextField(props: SettingsFieldsProps & { field: SettingsField; label: string; isPrice?: boolean }) {
	const { form, errors, theirs, onChange, field, label, isPrice = false } = props;
	const oddity = oddityOf(form, field);
	const other = theirs === undefined || theirs[field] === form[field] ? undefined : theirs[field];
	return (
		<TextField
			label={label}
			description={other === undefined ? oddity : [m.orders_now({ value: other }), oddity].filter(Boolean).join(' · ')}
			name={field}
			autoComplete="off"
			{...(isPrice ? { type: 'number', inputMode: 'decimal', min: 0, step: 0.01, leftSection: '₹' } : {})}
			value={form[field]}
			error={errors[field]}
			onChange={(event) => onChange({ [field]: event.currentTarget.value })}
		/>
	);
}

/** Title and prices. */
export function BookFields(props: SettingsFieldsProps) {
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

/** Where buyers transfer to. */
export function BankFields(props: SettingsFieldsProps) {
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

/** Whom a drawn QR and the pay button pay. */
export function UpiFields(props: SettingsFieldsProps) {
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
