import { useQuery } from '@tanstack/react-query';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { useBookTitle, useEditor } from '../editor/editor-context.ts';
import { LocalizedField } from '../fields/text-fields.tsx';

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
