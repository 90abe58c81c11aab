import { type Locale, languageNames } from '#contract/core/text.ts';
import { templates } from '#contract/storefront/content-fields.ts';
import { m } from '#messages';
import { SelectField } from '#web/ui/forms/field.tsx';
import { FieldFrame } from '../fields/field-frame.tsx';

const languageChoices: ReadonlyArray<{ value: string; languages: Locale[]; label: () => string }> = [
	{ value: 'en', languages: ['en'], label: () => languageNames.en },
	{ value: 'hi', languages: ['hi'], label: () => languageNames.hi },
	{ value: 'en,hi', languages: ['en', 'hi'], label: () => bothLabel('en', 'hi') },
	{ value: 'hi,en', languages: ['hi', 'en'], label: () => bothLabel('hi', 'en') },
];

function bothLabel(first: Locale, second: Locale): string {
	return m.editor_languages_both({ first: languageNames[first], second: languageNames[second] });
}

const templateNames = { 'build-your-empire': m.editor_template_book, empty: m.editor_template_empty };

export function LanguageSection() {
	return (
		<>
			<FieldFrame field="languages" hint={m.editor_languages_hint()}>
				{({ id, hintId, value, change, errors }) => (
					<SelectField
						id={id}
						aria-describedby={hintId}
						value={value.join(',')}
						error={errors['0']}
						data={languageChoices.map((choice) => ({ value: choice.value, label: choice.label() }))}
						onChange={({ currentTarget }) => {
							const choice = languageChoices.find(({ value }) => value === currentTarget.value);
							if (choice !== undefined) change(choice.languages);
						}}
					/>
				)}
			</FieldFrame>
			<FieldFrame field="template" hint={m.editor_template_hint()}>
				{({ id, hintId, value, change }) => (
					<SelectField
						id={id}
						aria-describedby={hintId}
						value={value}
						data={templates.map((template) => ({ value: template, label: templateNames[template]() }))}
						onChange={({ currentTarget }) =>
							change(templates.find((template) => template === currentTarget.value) ?? value)
						}
					/>
				)}
			</FieldFrame>
		</>
	);
}
