import type { FastifyInstance } from 'fastify';
import { draftPreviewPath } from '#contract/storefront/content.ts';
import { emptyLandingForm, type LandingAssets } from '#contract/storefront/landing.ts';
import type { StorefrontRenderers } from '#contract/storefront/renderers.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Deps } from '../../../platform/deps.ts';
import { upiPaymentOf } from '../../orders/index.ts';
import { loadStorefrontData, toPageProps } from '../page-cache.ts';
import type { BuiltInVideos } from '../videos/built-in-videos.ts';
import { presentVideos } from '../videos/videos.service.ts';

/** A preview runs no scripts and sends no form, so it is never counted as a visit, and never becomes an order. */
const sandbox = 'sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox';

/** Registers the landing page with the content of the draft. */
export function registerDraftPreview(
	app: FastifyInstance,
	deps: Deps,
	{ renderLanding, landing }: Pick<StorefrontRenderers, 'renderLanding'> & { landing: LandingAssets },
	builtInVideos: BuiltInVideos,
): void {
	app.get<{ Querystring: { lang?: string } }>(
		draftPreviewPath,
		{ config: { access: 'admin' } },
		async (request, reply) => {
			const { data, isFallback } = await loadStorefrontData(deps, 'draft');
			// The published page would look as if the draft were lost.
			if (isFallback) throw new AppError('INTERNAL');
			const { languages } = data.content;
			const locale = languages.find((language) => language === request.query.lang) ?? languages[0] ?? 'en';
			const films = presentVideos(data.content, builtInVideos, locale);
			const payment = upiPaymentOf(data.props.book);
			const props = { ...toPageProps(data, locale), form: emptyLandingForm, films, payment, isInApp: false };
			return reply
				.header('content-security-policy', `${reply.getHeader('content-security-policy')}; ${sandbox}`)
				.type('text/html; charset=utf-8')
				.send(renderLanding(props, { ...landing, scripts: [], preloads: [] }));
		},
	);
}
