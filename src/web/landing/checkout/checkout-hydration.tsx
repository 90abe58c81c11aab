import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import type { LandingProps } from '#contract/storefront/landing.ts';
import { CheckoutIsland } from './checkout-island.tsx';
import type { CheckoutTexts } from './checkout-texts.ts';

/** Hydrates in a transition, which does not block input. Calls `onReady` when the form is interactive. */
export function hydrateCheckout(island: HTMLElement, onReady: () => void): void {
	const props = readDataBlock<LandingProps>('landing-props');
	const texts = readDataBlock<CheckoutTexts>('landing-texts');
	startTransition(() => {
		hydrateRoot(island, <CheckoutIsland {...props} texts={texts} onReady={onReady} />);
	});
}

/** @throws if the element is missing or contains no JSON */
function readDataBlock<T>(id: string): T {
	return JSON.parse(document.getElementById(id)?.textContent ?? '') as T;
}
