import type { FastifyInstance } from 'fastify';
import { locales } from '#contract/core/text.ts';
import type { Deps } from '../../../platform/deps.ts';
import { keepLatest, renderTextBanner } from '../../../platform/images/text-banner.ts';
import { readPicture } from '../content-files/content-files.service.ts';
import { getPublished } from '../page-cache.ts';
import { toPageProps } from '../storefront-data.ts';

const size = { width: 1200, height: 630 };

/** Serves the picture that programs show for a link to the storefront, if the owner has uploaded none. */
export function registerSocialPictures(app: FastifyInstance, deps: Deps): void {
	for (const locale of locales) {
		const drawnOnce = keepLatest();
		app.get(`/storefront/social-${locale}.png`, { config: { access: 'public' } }, async (_request, reply) => {
			const { data, identity } = await getPublished(deps);
			const { bookTitle: title, author } = identity.texts[locale];
			const { ground, ink } = identity.colors;
			const { covers } = toPageProps(data, locale).content;
			const cover = covers.find(({ picture }) => picture !== null)?.picture?.src;
			const key = JSON.stringify([title, author, ground, ink, cover]);
			const picture = await drawnOnce(key, async () =>
				renderTextBanner({
					...size,
					title,
					author,
					ground,
					ink,
					picture: cover === undefined ? null : await readPicture(deps, cover),
				}),
			);
			return reply.header('cache-control', 'public, max-age=3600').type('image/png').send(picture);
		});
	}
}
