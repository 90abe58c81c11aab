import type { CheckoutField } from '#contract/orders/checkout-form.ts';
import { AlertIcon } from '../page/icons.tsx';

const inputs = {
	name: { type: 'text', autoComplete: 'name', autoCapitalize: 'words' },
	phone: { type: 'tel', autoComplete: 'tel' },
	email: { type: 'email', autoComplete: 'email' },
	upiId: { type: 'text', autoComplete: 'off', inputMode: 'email' },
	utr: { type: 'text', autoComplete: 'off' },
} as const;

export type TextFieldName = Exclude<CheckoutField, 'screenshot'>;

interface TextFieldProps {
	name: TextFieldName;
	form: 'purchase' | 'order';
	texts: { label: string; placeholder: string; hint: string; isRequired?: boolean };
	defaultValue: string;
	error: string | undefined;
}

/** Has no attributes for native validation, because the browser's messages would replace ours. */
export function TextField({ name, form, texts, defaultValue, error }: TextFieldProps) {
	const id = `${form}-${name}`;
	return (
		<div className={`field field-${name}`}>
			<label htmlFor={id}>{texts.label}</label>
			<input
				id={id}
				name={name}
				autoCapitalize="none"
				spellCheck={false}
				placeholder={texts.placeholder}
				defaultValue={defaultValue}
				aria-required={texts.isRequired ?? true}
				aria-invalid={error ? true : undefined}
				aria-describedby={error ? `${id}-error` : texts.hint ? `${id}-hint` : undefined}
				{...inputs[name]}
			/>
			{error && <FieldError id={`${id}-error`} text={error} />}
			{!error && texts.hint && (
				<p className="caption field-hint" id={`${id}-hint`}>
					{texts.hint}
				</p>
			)}
		</div>
	);
}

interface ScreenshotInputProps {
	id: string;
	error: string | undefined;
	/** For styles that use `:invalid` until a file is chosen. The form must have `noValidate`. */
	required?: boolean;
}

/** Requires a hint with the ID `${id}-hint`. */
export function ScreenshotInput({ id, error, required }: ScreenshotInputProps) {
	return (
		<input
			id={id}
			name="screenshot"
			type="file"
			accept="image/*"
			required={required}
			// Otherwise screen readers announce an empty required field as an error.
			aria-invalid={error ? true : required && false}
			aria-describedby={error ? `${id}-error` : `${id}-hint`}
		/>
	);
}

export function FieldError({ id, text, className = '' }: { id?: string; text: string; className?: string }) {
	return (
		<p className={`field-error ${className}`} id={id}>
			<AlertIcon size={18} />
			<span>{text}</span>
		</p>
	);
}
