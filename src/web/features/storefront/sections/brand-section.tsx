import { m } from '#messages';
import { fieldName } from '../editor/content-sections.ts';
import { useBookTitle } from '../editor/editor-context.ts';
import { ColorContrast, ColorInput } from '../fields/color-input.tsx';
import { FieldFrame } from '../fields/field-frame.tsx';
import { LocalizedField } from '../fields/text-fields.tsx';
import { PictureInput } from '../pictures/picture-field.tsx';

export function BrandSection() {
	return (
		<>
			<ColorField field="colors.accent" defaultColor="#f0a63a" hint={m.editor_color_accent_hint()} />
			<ColorField field="colors.ground" defaultColor="#16130f" hint={m.editor_color_ground_hint()} />
			<LocalizedField field="wordmark" hint={m.editor_wordmark_hint()} placeholder={useBookTitle() ?? ''} />
			<FieldFrame field="icon" isGroup>
				{({ value, change }) => (
					<PictureInput
						label={m.editor_field_icon()}
						kind="icon"
						value={value}
						onChange={change}
						emptyText={m.editor_icon_default()}
						hint={m.editor_icon_hint()}
					/>
				)}
			</FieldFrame>
		</>
	);
}

interface ColorFieldProps {
	field: 'colors.accent' | 'colors.ground';
	defaultColor: string;
	hint: string;
}

function ColorField({ field, defaultColor, hint }: ColorFieldProps) {
	return (
		<FieldFrame field={field} hint={hint}>
			{({ inputProps, value, change }) => (
				<>
					<ColorInput
						{...inputProps}
						label={fieldName(field)}
						value={value ?? ''}
						defaultColor={defaultColor}
						onChange={(color) => change(color === '' ? null : color)}
					/>
					<ColorContrast color={value ?? defaultColor} isAccent={field === 'colors.accent'} />
				</>
			)}
		</FieldFrame>
	);
}
