import { m } from '#messages';
import { OutlinePairs } from '#web/features/reader/outline-pairs.tsx';
import { ReadingStats } from '#web/features/reader/reading-stats.tsx';
import { FilmSections } from '#web/features/storefront/films.tsx';
import { StorefrontForm } from '#web/features/storefront/storefront-form.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { Sections } from '#web/ui/section.tsx';

/** /admin/storefront: how far readers of the book are, which chapters belong together, and what visitors see beside it. */
export function AdminStorefrontScreen() {
	return (
		<>
			<PageHeader title={m.screen_storefront()} />
			<Sections>
				<ReadingStats />
				<OutlinePairs />
				<p>{m.storefront_intro()}</p>
				<FilmSections />
				<StorefrontForm />
			</Sections>
		</>
	);
}
