import '../styles/tokens.css';
import '../styles/fonts.css';
import './styles/landing.css';
import { hydrateRoot } from 'react-dom/client';
import type { LandingProps } from '#contract/storefront/landing.ts';
import { tiltBooks } from './book/book-tilt.ts';
import { readDataBlock } from './data-block.ts';
import { openExcerptsAsDialogs } from './excerpts/excerpt-reading.ts';
import { playFilmsInPlace } from './films/film-play.ts';
import { foldMenuAway } from './menu.ts';
import { PurchaseIsland, purchaseIslandId } from './purchase/purchase-island.tsx';
import type { PurchaseTexts } from './purchase/purchase-texts.ts';
import { tellOfVisit } from './visit.ts';

document.documentElement.classList.add('has-script');
foldMenuAway();
openExcerptsAsDialogs();
tiltBooks();
playFilmsInPlace();

const island = document.getElementById(purchaseIslandId);
if (!island) throw new Error('The page has no purchase block.');
const { book, form, payment, isInApp } = readDataBlock<LandingProps>('landing-props');
const texts = readDataBlock<PurchaseTexts>('landing-texts');
tellOfVisit(island);
hydrateRoot(island, <PurchaseIsland book={book} form={form} payment={payment} isInApp={isInApp} texts={texts} />);
