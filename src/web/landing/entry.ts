import './styles/landing.css';
import { tiltBooks } from './book/book-tilt.ts';
import { openExcerptsAsDialogs } from './excerpts/excerpt-reading.ts';
import { playFilmsInPlace } from './films/film-play.ts';
import { layOutTheRest } from './lay-out.ts';
import { foldMenuAway } from './menu.ts';
import { purchaseIslandId, startPurchaseWhenWanted } from './purchase/purchase-start.ts';
import { tellOfVisit } from './visit.ts';

document.documentElement.classList.add('has-script');
foldMenuAway();
openExcerptsAsDialogs();
tiltBooks();
playFilmsInPlace();

const island = document.getElementById(purchaseIslandId);
if (!island) throw new Error('The page has no purchase block.');
tellOfVisit(island);
startPurchaseWhenWanted(island, async () => (await import('./purchase/purchase-live.tsx')).bringToLife);
void layOutTheRest();
