import { type Locale, languageNames } from '#contract/core/text.ts';
import type { Template } from '#contract/storefront/content-fields.ts';
import { m } from '#messages';
import { SelectField } from '#web/ui/forms/field.tsx';
import { optionsOf, templateNames } from '../editor/content-sections.ts';
import { FieldFrame } from '../fields/field-frame.tsx';

const languageChoices: readonly Locale[][] = [['en'], ['hi'], ['en', 'hi'], ['hi', 'en']];

export function LanguageSection() {
	return (
		<>
			<FieldFrame field="languages" hint={m.editor_languages_hint()}>
				{({ inputProps, value, change }) => (
					<SelectField
						{...inputProps}
						value={value.join()}
						data={languageChoices.map((codes) => ({ value: codes.join(), label: nameLanguages(codes) }))}
						onChange={({ currentTarget }) =>
							change(languageChoices.find((codes) => codes.join() === currentTarget.value) ?? value)
						}
					/>
				)}
			</FieldFrame>
			<FieldFrame field="template" hint={m.editor_template_hint()}>
				{({ inputProps, value, change }) => (
					<SelectField
						{...inputProps}
						value={value}
						data={optionsOf(templateNames)}
						onChange={({ currentTarget }) => change(currentTarget.value as Template)}
					/>
				)}
			</FieldFrame>
		</>
	);
}

function nameLanguages(codes: readonly Locale[]): string {
	const [first = '', second] = codes.map((code) => languageNames[code]);
	return second === undefined ? first : m.editor_languages_both({ first, second });
}
