import type { RenderFilm, RenderLanding, RenderLegal } from './landing.ts';
import type { RenderOrderPage } from './order-page.ts';

/** The storefront's pages, as they are drawn. */
export interface StorefrontRenderers {
	renderLanding: RenderLanding;
	renderLegal: RenderLegal;
	renderFilm: RenderFilm;
	renderOrderPage: RenderOrderPage;
}
