import { m } from '#messages';
import { useEditor } from '../editor/editor-context.ts';
import { FieldFrame } from '../fields/field-frame.tsx';
import { ListField } from '../fields/list-field.tsx';
import { LocalizedField, TextsInput } from '../fields/text-fields.tsx';

const noTexts = { en: '', hi: '' };
const benefitsMin = 1;
const benefitsMax = 9;

export function BenefitsSection() {
	const { language } = useEditor();
	return (
		<>
			<LocalizedField field="benefits.heading" placeholder={m.landing_gain_title({}, { locale: language })} />
			<LocalizedField field="benefits.lead" isMultiline />
			<FieldFrame field="benefits.items" isGroup>
				{({ value, change, errors }) => (
					<ListField
						items={value}
						onChange={change}
						nameOf={({ title }) => title[language] || title.en || title.hi}
						errors={errors}
						minCount={benefitsMin}
						maxCount={benefitsMax}
						addLabel={m.editor_benefit_add()}
						createItem={(id) => ({ id, title: noTexts, text: noTexts })}
					>
						{({ title, text }, changeItem, path) => (
							<>
								<TextsInput
									label={m.editor_item_title()}
									texts={title}
									onChange={(texts) => changeItem({ title: texts })}
									errors={errors}
									path={`${path}title.`}
								/>
								<TextsInput
									isMultiline
									label={m.editor_item_text()}
									texts={text}
									onChange={(texts) => changeItem({ text: texts })}
									errors={errors}
									path={`${path}text.`}
								/>
							</>
						)}
					</ListField>
				)}
			</FieldFrame>
		</>
	);
}
