import { m } from '#messages';
import { ChapterMatching } from '#web/features/book/administration/chapter-matching/chapter-matching.tsx';
import { ReadingStats } from '#web/features/book/administration/statistics/reading-stats.tsx';
import { StorefrontForm } from '#web/features/storefront/settings/storefront-form.tsx';
import { VideoSections } from '#web/features/storefront/videos/videos.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { Sections } from '#web/ui/layout/section.tsx';

/** /admin/storefront: reading statistics, the chapter matching, and the content of the landing page. */
export function AdminStorefrontScreen() {
	return (
		<>
			<PageHeader title={m.screen_storefront()} />
			<Sections>
				<ReadingStats />
				<ChapterMatching />
				<p>{m.storefront_intro()}</p>
				<VideoSections />
				<StorefrontForm />
			</Sections>
		</>
	);
}
