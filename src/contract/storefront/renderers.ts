import type { RenderOrderPage } from '../orders/order-page.ts';
import type { RenderLanding, RenderLegal, RenderVideoPage } from './landing.ts';

/** Functions that render the storefront's pages. */
export interface StorefrontRenderers {
	renderLanding: RenderLanding;
	renderLegal: RenderLegal;
	renderVideo: RenderVideoPage;
	renderOrderPage: RenderOrderPage;
}
