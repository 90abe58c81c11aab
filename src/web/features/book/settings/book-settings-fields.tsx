import { type UtrRequest, utrRequests } from '#contract/book/book-settings.ts';
import { m } from '#messages';
import { FieldGroup, FieldWarning, SelectField, TextField } from '#web/ui/forms/field.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import classes from './book-settings-dialog.module.css';
import { type BookSettingsField, type BookSettingsForm, findWarning } from './book-settings-form.ts';

export interface BookSettingsFieldsProps {
	form: BookSettingsForm;
	errors: Record<string, string>;
	/** Values that another admin has saved since the form was loaded. A field with a different value shows them. */
	theirs: BookSettingsForm | undefined;
	onChange: (patch: Partial<BookSettingsForm>) => void;
}

function SettingsTextField(
	props: BookSettingsFieldsProps & { field: BookSettingsField; label: string; isPrice?: boolean },
) {
	const { form, errors, theirs, onChange, field, label, isPrice = false } = props;
	const isChangedByOther = theirs !== undefined && theirs[field] !== form[field];
	const warning = findWarning(form, field);
	return (
		<TextField
			label={label}
			description={
				(isChangedByOther || warning !== undefined) && (
					<>
						{isChangedByOther && m.orders_now({ value: theirs[field] })}
						{warning !== undefined && <FieldWarning>{warning}</FieldWarning>}
					</>
				)
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
			<FieldGroup legend={m.orders_bank()}>
				<div className={classes.pair}>
					<SettingsTextField {...props} field="bank.name" label={m.orders_bank_name()} />
					<SettingsTextField {...props} field="bank.accountNumber" label={m.orders_account_number()} />
					<SettingsTextField {...props} field="bank.ifsc" label={m.orders_ifsc()} />
					<SettingsTextField {...props} field="bank.accountHolder" label={m.orders_account_holder()} />
				</div>
			</FieldGroup>
			<FieldGroup legend={m.orders_upi()}>
				<p className={textClasses.note}>{m.orders_upi_hint()}</p>
				<div className={classes.pair}>
					<SettingsTextField {...props} field="upi.id" label={m.orders_upi_id()} />
					<SettingsTextField {...props} field="upi.name" label={m.orders_payee_name()} />
				</div>
			</FieldGroup>
			<FieldGroup legend={m.orders_utr_request()}>
				<UtrRequestField {...props} />
			</FieldGroup>
		</>
	);
}

function UtrRequestField({ form, theirs, onChange }: BookSettingsFieldsProps) {
	const labelOf = (request: UtrRequest) => m[`orders_utr_request_${request}`]();
	const isChangedByOther = theirs !== undefined && theirs.utrRequest !== form.utrRequest;
	return (
		<SelectField
			label={m.orders_utr_request_field()}
			description={isChangedByOther ? m.orders_now({ value: labelOf(theirs.utrRequest) }) : m.orders_utr_request_hint()}
			name="utrRequest"
			value={form.utrRequest}
			onChange={(event) => onChange({ utrRequest: event.currentTarget.value as UtrRequest })}
			data={utrRequests.map((value) => ({ value, label: labelOf(value) }))}
		/>
	);
}
