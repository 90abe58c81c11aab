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
		<FieldFrame field={field} {...(hint !== undefined && { hint })}>
			{({ id, hintId, value, change, errors }) => (
				<TextsInput
					id={id}
					aria-describedby={hintId}
					texts={value as Texts}
					onChange={(texts) => change(texts as ContentValue<TextsField>)}
					errors={errors}
					{...input}
				/>
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
	label?: string;
	id?: string;
	'aria-describedby'?: string | undefined;
	isMultiline?: boolean;
	minRows?: number;
	placeholder?: string;
}

/** The text in the language that is edited. While it is empty, the text in the other language helps to translate it. */
export function TextsInput(props: TextsInputProps) {
	const { texts, onChange, errors, path = '', isMultiline = false, minRows = 2, placeholder, ...input } = props;
	const { language } = useEditor();
	const languages = useStorefrontLanguages();
	const other = languages.find((candidate) => candidate !== language && texts[candidate] !== '');
	const error = errors[`${path}${language}`] ?? otherLanguageError(errors, path, language);
	const common = {
		...input,
		lang: language,
		value: texts[language],
		placeholder: placeholder ?? '',
		description:
			other !== undefined && texts[language] === ''
				? m.editor_other_text({ language: languageNames[other], text: texts[other].slice(0, 200) })
				: undefined,
		inputWrapperOrder: ['label', 'input', 'description', 'error'] as const satisfies string[],
		autoComplete: 'off',
		onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
			onChange({ ...texts, [language]: currentTarget.value }),
	};
	return isMultiline ? (
		<Textarea {...common} autosize minRows={minRows} maxRows={24} error={fieldError(error)} />
	) : (
		<TextField {...common} error={error} />
	);
}

/** An error of the text in the language that is not shown. */
function otherLanguageError(errors: Record<string, string>, path: string, language: 'en' | 'hi'): string | undefined {
	const other = language === 'en' ? 'hi' : 'en';
	const error = errors[`${path}${other}`];
	return error === undefined ? undefined : m.editor_error_in({ language: languageNames[other], error });
}
