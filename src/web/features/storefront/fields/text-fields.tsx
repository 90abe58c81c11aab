import { Textarea } from '@mantine/core';
import { languageNames } from '#contract/core/text.ts';
import type { ContentField, ContentValue } from '#contract/storefront/content-fields.ts';
import { m } from '#messages';
import { fieldError, TextField } from '#web/ui/forms/field.tsx';
import { useEditor, useStorefrontLanguages } from '../editor/editor-context.ts';
import { FieldFrame, type Texts } from './field-frame.tsx';

type TextsField = {
	[Field in ContentField]: ContentValue<Field> extends Texts ? Field : never;
}[ContentField];

interface LocalizedFieldProps {
	field: TextsField;
	hint?: string;
	isMultiline?: boolean;
	/** What the page shows while the text is empty in both languages. */
	placeholder?: string;
}

/** A field with a text in each language; the inputs show the language that is edited. */
export function LocalizedField({ field, hint, ...input }: LocalizedFieldProps) {
	return (
		<FieldFrame field={field} hint={hint}>
			{({ inputProps, value, change, errors }) => (
				<TextsInput {...inputProps} {...input} texts={value as Texts} onChange={change} errors={errors} />
			)}
		</FieldFrame>
	);
}

interface TextsInputProps {
	texts: Texts;
	onChange: (texts: Texts) => void;
	errors: Record<string, string>;
	/** Path of the text below the value of the field, with a final dot. */
	path?: string;
	/** An error of the whole value. */
	error?: string | undefined;
	label?: string;
	id?: string;
	'aria-describedby'?: string | undefined;
	isMultiline?: boolean;
	placeholder?: string;
}

/** The text in the language that is edited. While it is empty, the text in the other language helps to translate it. */
export function TextsInput(props: TextsInputProps) {
	const {
		texts,
		onChange,
		errors,
		path = '',
		error: valueError,
		isMultiline = false,
		placeholder = '',
		...input
	} = props;
	const { language } = useEditor();
	const other = language === 'en' ? 'hi' : 'en';
	const isOtherShown = useStorefrontLanguages().includes(other) && texts[other] !== '' && texts[language] === '';
	const otherError = errors[`${path}${other}`];
	const error =
		errors[`${path}${language}`] ??
		(otherError && m.editor_error_in({ language: languageNames[other], error: otherError })) ??
		valueError;
	const common = {
		...input,
		lang: language,
		value: texts[language],
		placeholder,
		description: isOtherShown
			? m.editor_other_text({ language: languageNames[other], text: texts[other].slice(0, 200) })
			: undefined,
		inputWrapperOrder: ['label', 'input', 'description', 'error'] as const satisfies string[],
		autoComplete: 'off',
		onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
			onChange({ ...texts, [language]: toSingleLine(currentTarget.value) }),
	};
	return isMultiline ? (
		<Textarea
			{...common}
			autosize
			minRows={2}
			maxRows={24}
			error={fieldError(error)}
			onKeyDown={(event) => event.key === 'Enter' && !event.nativeEvent.isComposing && event.preventDefault()}
		/>
	) : (
		<TextField {...common} error={error} />
	);
}

/** Replaces line breaks by spaces and removes controls of the writing direction, because the contract refuses both. */
function toSingleLine(text: string): string {
	return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').replaceAll(/[\u202a-\u202e\u2066-\u2069]/gu, '');
}

interface TitledTextInputsProps {
	value: { title: Texts; text: Texts };
	onChange: (patch: { title: Texts } | { text: Texts }) => void;
	errors: Record<string, string>;
	/** Path of `value` below the value of the field, with a final dot. */
	path: string;
	/** What the page shows without a title. */
	defaultTitle?: string | undefined;
}

export function TitledTextInputs({ value, onChange, errors, path, defaultTitle = '' }: TitledTextInputsProps) {
	return (
		<>
			<TextsInput
				label={m.editor_item_title()}
				texts={value.title}
				onChange={(title) => onChange({ title })}
				errors={errors}
				path={`${path}title.`}
				placeholder={defaultTitle}
			/>
			<TextsInput
				isMultiline
				label={m.editor_item_text()}
				texts={value.text}
				onChange={(text) => onChange({ text })}
				errors={errors}
				path={`${path}text.`}
			/>
		</>
	);
}
