import type { FastifyInstance } from 'fastify';
import { locales } from '#contract/core/text.ts';
import type { Deps } from '../../../platform/deps.ts';
import { renderTextBanner } from '../../../platform/images/text-banner.ts';
import { siteIdentity } from '../../../platform/site-identity.ts';
import { readPicture } from '../content-files/content-files.service.ts';

const size = { width: 1200, height: 630 };

/** Serves the picture that programs show for a link to the storefront, if the owner has uploaded none. */
export function registerSocialPictures(app: FastifyInstance, deps: Deps): void {
	for (const locale of locales) {
		// The drawing takes a tenth of a second, so the latest is kept.
		let drawn: { key: string; picture: Promise<Buffer> } | undefined;
		app.get(`/storefront/social-${locale}.png`, { config: { access: 'public' } }, async (_request, reply) => {
			const { texts, colors, covers } = await siteIdentity()(deps);
			const { bookTitle: title, author } = texts[locale];
			const { ground, ink } = colors;
			const cover = Object.values(covers)[0];
			const key = JSON.stringify([title, author, ground, ink, cover]);
			if (drawn?.key !== key) {
				const picture = (cover === undefined ? Promise.resolve(null) : readPicture(deps, cover)).then((bytes) =>
					renderTextBanner({ ...size, title, author, ground, ink, picture: bytes }),
				);
				drawn = { key, picture };
				picture.catch(() => {
					drawn = undefined;
				});
			}
			return reply
				.header('cache-control', 'public, max-age=3600')
				.type('image/png')
				.send(await drawn.picture);
		});
	}
}
