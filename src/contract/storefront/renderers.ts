import type { RenderOrderPage } from '../orders/order-page.ts';
import type { RenderLanding, RenderLegal, RenderVideoPage } from './landing.ts';

/** The storefront's pages, as they are drawn. */
export interface StorefrontRenderers {
	renderLanding: RenderLanding;
	renderLegal: RenderLegal;
	renderVideo: RenderVideoPage;
	renderOrderPage: RenderOrderPage;
}
