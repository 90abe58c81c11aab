import './styles/landing.css';
import { closeMenuAfterUse, layOutDeferredSections, tiltBooks } from './browser/page-enhancements.ts';
import { reportVisit } from './browser/visit-beacon.ts';
import { checkoutIslandId, hydrateCheckoutWhenNeeded } from './checkout/checkout-start.ts';
import { openExcerptsAsDialogs } from './excerpts/excerpt-opening.ts';
import { playVideosInPlace } from './videos/play-video.ts';

document.documentElement.classList.add('has-script');
closeMenuAfterUse();
openExcerptsAsDialogs();
tiltBooks();
playVideosInPlace();

const island = document.getElementById(checkoutIslandId);
if (!island) throw new Error('The page has no checkout block.');
reportVisit(island);
hydrateCheckoutWhenNeeded(island, async () => (await import('./checkout/checkout-hydration.tsx')).hydrateCheckout);
void layOutDeferredSections();
