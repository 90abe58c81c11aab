import { m } from '#messages';
import { ReadingStats } from '#web/features/reader/reading-stats.tsx';
import { FilmSections } from '#web/features/storefront/films.tsx';
import { StorefrontForm } from '#web/features/storefront/storefront-form.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { Sections } from '#web/ui/section.tsx';

/** /admin/storefront: what visitors see beside the book. */
export function AdminStorefrontScreen() {
	return (
		<>
			<PageHeader title={m.screen_storefront()} />
			<Sections>
				<p>{m.storefront_intro()}</p>
				<FilmSections />
				<StorefrontForm />
				<ReadingStats />
			</Sections>
		</>
	);
}
