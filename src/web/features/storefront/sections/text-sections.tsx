import { useQuery } from '@tanstack/react-query';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { useBookTitle, useEditor } from '../editor/editor-context.ts';
import { FieldFrame } from '../fields/field-frame.tsx';
import { LocalizedField } from '../fields/text-fields.tsx';
import { PictureInput } from '../pictures/picture-field.tsx';

export function HeroSection() {
	const { language } = useEditor();
	const { data: book } = useQuery(api.bookSettings.get.queryOptions());
	return (
		<>
			<LocalizedField field="hero.headline" hint={m.editor_headline_hint()} placeholder={useBookTitle() ?? ''} />
			<LocalizedField field="hero.accent" hint={m.editor_accent_hint()} />
			<LocalizedField field="hero.eyebrow" hint={m.editor_eyebrow_hint()} />
			<LocalizedField field="hero.tagline" isMultiline />
			<LocalizedField field="hero.callToAction" placeholder={m.landing_buy({}, { locale: language })} />
			<LocalizedField field="book.title" hint={m.editor_book_title_hint()} placeholder={book?.title ?? ''} />
			<LocalizedField field="author" />
		</>
	);
}

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
