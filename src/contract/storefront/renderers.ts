import type { RenderOrderPage } from '../orders/order-page.ts';
import type { LandingProps, LegalProps, RenderPage, VideoPageProps } from './landing.ts';

export interface StorefrontRenderers {
	renderLanding: RenderPage<LandingProps>;
	renderLegal: RenderPage<LegalProps>;
	renderVideo: RenderPage<VideoPageProps>;
	renderOrderPage: RenderOrderPage;
}
