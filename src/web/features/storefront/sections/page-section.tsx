import { m } from '#messages';
import { FieldFrame } from '../fields/field-frame.tsx';
import { LocalizedField } from '../fields/text-fields.tsx';
import { PictureInput } from '../pictures/picture-field.tsx';

const socialAspect = 1200 / 630;

export function PageSection() {
	return (
		<>
			<LocalizedField field="page.title" hint={m.editor_page_title_hint()} />
			<LocalizedField field="page.description" isMultiline hint={m.editor_page_description_hint()} />
			<FieldFrame field="page.socialImage" isGroup>
				{({ value, change }) => (
					<PictureInput
						label={m.editor_field_social_image()}
						kind="social"
						aspect={socialAspect}
						value={value}
						onChange={change}
						emptyText={m.editor_social_image_default()}
						hint={m.editor_social_image_hint()}
					/>
				)}
			</FieldFrame>
		</>
	);
}
