import type { HTMLAttributes } from 'react';
import type { CheckoutField } from '#contract/orders/checkout-form.ts';
import { AlertIcon } from '../page/icons.tsx';

interface TextFieldProps {
	name: Exclude<CheckoutField, 'screenshot'>;
	/** What its id begins with. */
	form?: 'purchase' | 'order';
	texts: { label: string; placeholder: string; hint: string };
	type: 'text' | 'tel' | 'email';
	autoComplete: string;
	inputMode?: HTMLAttributes<HTMLInputElement>['inputMode'];
	isOptional?: boolean;
	defaultValue: string;
	error: string | undefined;
}

/** A labelled field with its hint, or its error in the hint's place. No native rules: our own sentences must show. */
export function TextField(props: TextFieldProps) {
	const {
		name,
		form = 'purchase',
		texts,
		type,
		autoComplete,
		inputMode,
		isOptional = false,
		defaultValue,
		error,
	} = props;
	const id = `${form}-${name}`;
	const noteId = error ? `${id}-error` : texts.hint ? `${id}-hint` : undefined;
	return (
		<div className={`field field-${name}`}>
			<label htmlFor={id}>{texts.label}</label>
			<input
				id={id}
				name={name}
				type={type}
				inputMode={inputMode}
				autoComplete={autoComplete}
				autoCapitalize={name === 'name' ? 'words' : 'none'}
				spellCheck={false}
				placeholder={texts.placeholder}
				defaultValue={defaultValue}
				aria-required={!isOptional}
				aria-invalid={error ? true : undefined}
				aria-describedby={noteId}
			/>
			{error ? (
				<FieldError id={`${id}-error`} text={error} />
			) : (
				texts.hint && (
					<p className="field-hint" id={`${id}-hint`}>
						{texts.hint}
					</p>
				)
			)}
		</div>
	);
}

export function FieldError({ id, text }: { id: string; text: string }) {
	return (
		<p className="field-error" id={id}>
			<AlertIcon size={18} />
			<span>{text}</span>
		</p>
	);
}
