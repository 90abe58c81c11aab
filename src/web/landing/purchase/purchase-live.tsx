import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import type { LandingProps } from '#contract/storefront/landing.ts';
import { readDataBlock } from '../data-block.ts';
import { PurchaseIsland } from './purchase-island.tsx';
import type { PurchaseTexts } from './purchase-texts.ts';

/** Takes the drawn block over in slices, between which a press or a scroll is heard. `onLive` once it answers. */
export function bringToLife(island: HTMLElement, onLive: () => void): void {
	const { book, form, payment, isInApp } = readDataBlock<LandingProps>('landing-props');
	const texts = readDataBlock<PurchaseTexts>('landing-texts');
	startTransition(() => {
		hydrateRoot(
			island,
			<PurchaseIsland book={book} form={form} payment={payment} isInApp={isInApp} texts={texts} onLive={onLive} />,
		);
	});
}
